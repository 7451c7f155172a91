#include "ui/pages/run/results_tab.h"

#include <QFileInfo>
#include <QGridLayout>
#include <QLabel>
#include <cmath>

#include "ui/forms/choice_fields.h"
#include "ui/models/run_text.h"
#include "ui/pages/run/class_table.h"
#include "ui/pages/run/confusion_view.h"
#include "ui/pages/run/run_texts.h"
#include "ui/pages/run/sample_list.h"
#include "ui/widgets/parts.h"

namespace trainyard::ui {

ResultsTab::ResultsTab(QWidget* parent) : QWidget(parent) {
  auto* all = new QVBoxLayout(this);
  all->setContentsMargins(0, 0, 0, 0);
  all->setSpacing(8);
  auto* head = new QHBoxLayout;
  head->setSpacing(12);
  summary_ = makeLabel("section", this);
  summary_->setObjectName("summary");
  summary_note_ = makeLabel("secondary", this, true);
  which_ = new Segments(this);
  which_->setObjectName("whichEvaluation");
  head->addWidget(summary_);
  head->addWidget(summary_note_, 1);
  head->addWidget(which_);
  all->addLayout(head);
  confusion_card_ = new Card(this);
  confusion_ = new ConfusionView(confusion_card_);
  confusion_card_->body()->addWidget(confusion_, 1);
  pictures_card_ = new Card(this);
  pictures_ = new SampleGrid(pictures_card_);
  nothing_ = makeLabel("secondary", pictures_card_, true);
  pictures_card_->body()->addWidget(pictures_, 1);
  pictures_card_->body()->addWidget(nothing_, 1, Qt::AlignTop);
  classes_card_ = new Card(this);
  class_table_ = new ClassTable(classes_card_);
  classes_card_->body()->addWidget(class_table_, 1);
  evaluations_card_ = new Card(this);
  evaluations_ = new ResultsView(evaluations_card_);
  evaluations_card_->body()->addWidget(evaluations_, 1);
  grid_ = new QGridLayout;
  QGridLayout* grid = grid_;
  grid->setSpacing(8);
  grid->addWidget(confusion_card_, 0, 0);
  grid->addWidget(pictures_card_, 0, 1);
  grid->addWidget(classes_card_, 1, 0);
  grid->addWidget(evaluations_card_, 1, 1);
  grid->setRowStretch(1, 36);
  grid->setColumnStretch(1, 55);
  for (Card* card : {confusion_card_, pictures_card_, classes_card_, evaluations_card_}) card->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Ignored);
  all->addLayout(grid, 1);
  connect(confusion_, &ConfusionView::chosen, this, &ResultsTab::choose);
  connect(which_, &Segments::chosen, this, [this](int index) {
    best_ = index == 0;
    read();
  });
}

void ResultsTab::setTokens(const Tokens& tokens) { confusion_->setTokens(tokens); }

void ResultsTab::setRun(const QString& run_dir, const RunFacts& facts) {
  const bool other = run_dir != run_dir_ || facts.recipe.has_value() != facts_.recipe.has_value();
  run_dir_ = run_dir;
  facts_ = facts;
  if (!other) return;
  evals_ = 0;
  read_at_ = {};
  pictures_->samples()->setSource(facts_.recipe ? std::optional(facts_.recipe->data) : std::nullopt);
  confusion_->setChosen(-1, -1);
  pictures_->samples()->setFilter(-1, -1);
  read();
}

void ResultsTab::show(const RunSeries& series) {
  series_ = &series;
  evaluations_->show(series);
  // The file follows its event by a moment: its own time decides.
  const QFileInfo file(run_dir_ + (best_ ? QStringLiteral("/samples/best.json") : QStringLiteral("/samples/latest.json")));
  const bool newer = file.exists() && file.lastModified() != read_at_;
  if (newer)
    read();
  else if (evals_ != series.evals.size())
    place();
  evals_ = series.evals.size();
}

void ResultsTab::read() {
  samples_ = readSamples(run_dir_, best_);
  const QFileInfo file(run_dir_ + (best_ ? QStringLiteral("/samples/best.json") : QStringLiteral("/samples/latest.json")));
  read_at_ = file.exists() ? file.lastModified() : QDateTime();
  confusion_->setMatrix(samples_.confusion, samples_.classes);
  pictures_->samples()->setSamples(samples_);
  class_table_->classes()->setFigures(classFigures(samples_));
  place();
}

void ResultsTab::choose(int truth, int answer) {
  pictures_->samples()->setFilter(truth, answer);
  pictures_->scrollToTop();
  place();
}

QString ResultsTab::summary() const { return summary_->text() + QLatin1Char(' ') + summary_note_->text(); }

void ResultsTab::place() {
  const bool matrix = !samples_.confusion.empty();
  confusion_card_->setVisible(matrix);
  classes_card_->setVisible(matrix);
  pictures_card_->setVisible(samples_.known() && !samples_.samples.empty());
  const bool pictures = !pictures_card_->isHidden();
  grid_->setRowStretch(0, matrix || pictures ? 64 : 0);
  grid_->setColumnStretch(0, matrix ? 45 : 0);
  which_->setVisible(matrix || pictures);
  which_->setCurrent(best_ ? 0 : 1);
  const Accuracy accuracy = accuracyOf(samples_);
  if (accuracy.all > 0) {
    summary_->setText(tr("%1 of %2 right: %3 ± %4").arg(formatNumber(qlonglong(accuracy.right)), formatNumber(qlonglong(accuracy.all)),
                                                         percentText(accuracy.share), percentText(accuracy.error)));
    QString note = tr("95 % range %1–%2.").arg(QString::number(100 * accuracy.low, 'f', 1), QString::number(100 * accuracy.high, 'f', 1));
    if (samples_.epoch >= 0) note += QLatin1Char(' ') + tr("After epoch %1, step %2.").arg(formatNumber(samples_.epoch + 1), formatNumber(samples_.step));
    if (samples_.split == QLatin1String("validation_ema")) note += QLatin1Char(' ') + tr("With averaged weights.");
    summary_note_->setText(note);
  } else {
    const bool any = series_ != nullptr && !series_->evals.empty();
    summary_->setText(any ? tr("%n evaluation(s)", nullptr, int(series_->evals.size())) : tr("No evaluation yet"));
    summary_note_->setText(samples_.known() || any ? QString() : tr("The first one comes at the end of an epoch."));
  }
  const int truth = confusion_->chosenTruth(), answer = confusion_->chosenAnswer(), shown = pictures_->samples()->rowCount();
  const QString true_name = samples_.classes.value(truth), answer_name = samples_.classes.value(answer);
  pictures_card_->setTitle(truth < 0 ? tr("Pictures, mistakes first") : truth == answer ? tr("%1, right").arg(true_name) : tr("%1 taken for %2").arg(true_name, answer_name));
  pictures_card_->setAside(formatNumber(shown));
  pictures_->setVisible(shown > 0);
  nothing_->setVisible(shown == 0);
  nothing_->setText(tr("None of these is among the pictures kept: the %n with the largest loss.", nullptr, int(samples_.samples.size())));
}

bool ResultsTab::settled() const { return pictures_->samples()->idle(); }

void ResultsTab::retranslate() {
  confusion_card_->setTitle(tr("What is taken for what"));
  classes_card_->setTitle(tr("Each class"));
  evaluations_card_->setTitle(tr("Evaluations"));
  which_->setTexts({tr("Best"), tr("Latest")});
  evaluations_->retranslate();
  class_table_->classes()->retranslate();
  place();
}

}  // namespace trainyard::ui
