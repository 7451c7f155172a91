#include "ui/pages/data/split_card.h"

#include <QGridLayout>

#include "ui/pictures/data_doctor.h"
#include "ui/pictures/dataset_scan.h"
#include "ui/recipe_document.h"

namespace trainyard::ui {
namespace {

constexpr int kTitleWidth = 96;
const char* const kKeys[] = {"data.validation", "data.size",    "data.channels", "data.test",           "data.group",         "data.group_pattern",
                             "data.background", "data.workers", "data.cache",    "data.reduced_decode", "data.max_megapixels"};
const char* const kOfPictures[] = {"data.size", "data.channels", "data.background", "data.cache", "data.reduced_decode", "data.max_megapixels"};

QString sizeText(int width, int height) { return QString("%1 × %2").arg(width).arg(height); }

}  // namespace

SplitCard::SplitCard(Context& context, QWidget* parent) : Card(parent), context_(context) {
  body()->addLayout(makeFacts());
  form_ = new ParamForm(context_.recipe, this, true);
  for (const char* key : kKeys) form_->addKey(key);
  form_->build();
  body()->addWidget(form_);
  connect(use_, &QPushButton::clicked, this, [this] { normaliseWith(*context_.recipe, colours()); });
}

QLayout* SplitCard::makeFacts() {
  auto* facts = new QGridLayout;
  facts->setHorizontalSpacing(8);
  facts->setVerticalSpacing(4);
  facts->setColumnMinimumWidth(0, kTitleWidth);
  facts->setColumnStretch(1, 1);
  sizes_title_ = makeLabel("", this);
  sizes_ = makeLabel("", this, true);
  normalise_title_ = makeLabel("", this);
  normalise_ = makeLabel("", this);
  use_ = makeLink(this);
  facts->addWidget(sizes_title_, 0, 0, Qt::AlignTop);
  facts->addWidget(sizes_, 0, 1, 1, 2);
  facts->addWidget(normalise_title_, 1, 0);
  facts->addWidget(normalise_, 1, 1);
  facts->addWidget(use_, 1, 2);
  return facts;
}

bool SplitCard::table() const {
  const auto& facts = context_.dataset->facts();
  return facts && facts->dataset->columns() != nullptr;
}

QString SplitCard::sizes() const {
  const auto& facts = context_.dataset->facts();
  const auto& report = context_.doctor->report();
  if (report && report->width.largest > 0) {
    const QString least = sizeText(report->width.smallest, report->height.smallest), most = sizeText(report->width.largest, report->height.largest);
    return least == most ? least : tr("%1 to %2").arg(least, most);
  }
  return facts && facts->width > 0 ? tr("the first has %1").arg(sizeText(facts->width, facts->height)) : QString();
}

ColourStatistics SplitCard::colours() const {
  const auto& report = context_.doctor->report();
  return report && !table() ? statisticsFor(*report, *context_.recipe) : ColourStatistics();
}

void SplitCard::refresh() {
  sizes_->setText(sizes());
  for (QWidget* widget : {sizes_title_, sizes_}) widget->setVisible(!sizes_->text().isEmpty());
  const ColourStatistics statistics = colours();
  QStringList means;
  // ".47", as short as they are usually written.
  for (const double mean : statistics.mean) means << QString::number(mean, 'f', 2).remove(0, mean < 0.995 ? 1 : 0);
  normalise_->setText(tr("mean %1").arg(means.join(' ')));
  const bool used = normalisesWith(*context_.recipe, statistics);
  use_->setText(used ? tr("in use") : tr("use"));
  use_->setEnabled(!used);
  for (QWidget* widget : std::initializer_list<QWidget*>{normalise_title_, normalise_, use_}) widget->setVisible(!means.isEmpty());
  for (const char* key : kOfPictures) form_->setHidden(key, table());
  const auto& facts = context_.dataset->facts();
  if (!facts) return;
  const auto count = [](const std::vector<uint64_t>& part) { return formatNumber(qlonglong(part.size())); };
  const auto& parts = facts->parts;
  form_->setNote("data.test", parts.test.empty() ? QString() : tr("Opened %Ln time(s) so far", nullptr, int(facts->test_openings)));
  form_->setNote("data.validation", parts.test.empty()
                                        ? tr("%1 for training, %2 held out").arg(count(parts.train), count(parts.validation))
                                        : tr("%1 for training, %2 held out, %3 set aside").arg(count(parts.train), count(parts.validation), count(parts.test)));
}

void SplitCard::retranslate() {
  setTitle(tr("Split and size"));
  sizes_title_->setText(tr("Sizes"));
  normalise_title_->setText(tr("Normalise with"));
  use_->setToolTip(tr("Takes mean and standard deviation of these pictures over into the Normalise step."));
  form_->retranslate();
  refresh();
}

}  // namespace trainyard::ui
