#include "ui/pages/model/start_card.h"

#include <QHBoxLayout>

#include "ui/engine_link/recipe_file.h"
#include "ui/forms/choice_fields.h"
#include "ui/models/run_text.h"
#include "ui/pages/model/known_networks.h"
#include "ui/recipe_document.h"

namespace trainyard::ui {

StartCard::StartCard(Context& context, QWidget* parent) : Card(parent), context_(context) {
  ways_ = new Segments(this);
  ways_->setObjectName("startFrom");
  note_ = makeLabel("secondary", this, true);
  problem_ = makeLabel("error", this, true);
  fetch_ = makeButton(this);
  fetch_->setObjectName("fetchWeights");
  progress_ = new QProgressBar(this);
  progress_->setTextVisible(false);
  form_ = new ParamForm(context_.recipe, this, true);
  form_->addKey("model.weights");
  form_->addKey("model.freeze");
  form_->addKey("model.classes");
  classes_ = makeLabel("secondary", this, true);
  auto* row = new QHBoxLayout;
  row->addWidget(fetch_);
  row->addWidget(progress_, 1);
  row->addStretch(1);
  body()->addWidget(ways_);
  body()->addWidget(note_);
  body()->addLayout(row);
  body()->addWidget(problem_);
  body()->addWidget(form_);
  body()->addWidget(classes_);
  form_->build();
  connect(ways_, &Segments::chosen, this, &StartCard::choose);
  connect(fetch_, &QPushButton::clicked, this, &StartCard::fetch);
  connect(context_.recipe, &RecipeDocument::changed, this, &StartCard::refresh);
  connect(context_.recipe, &RecipeDocument::loaded, this, [this] { own_file_ = false; });
  connect(&list_call_, &EngineCall::finished, this, [this](const Json& list) {
    list_ = list;
    refresh();
  });
  connect(&get_call_, &EngineCall::progressed, this, [this](double share) {
    progress_->setRange(0, 1000);
    progress_->setValue(int(1000 * share));
  });
  connect(&get_call_, &EngineCall::finished, this, [this] {
    list_call_.start({QStringLiteral("weights"), QStringLiteral("list")});
    refresh();
  });
  connect(&get_call_, &EngineCall::failed, this, [this](const Error& error) {
    trouble_ = QString::fromStdString(error.what + (error.hint.empty() ? "" : " – " + error.hint));
    refresh();
  });
}

void StartCard::shown() {
  if (list_.is_null() && !list_call_.running()) list_call_.start({QStringLiteral("weights"), QStringLiteral("list")});
}

QString StartCard::name() const {
  const Json arch = context_.recipe->value("model.arch");
  return arch.is_string() ? QString::fromStdString(knownNetwork(arch.get<std::string>()).weights) : QString();
}

StartCard::Way StartCard::way() const {
  const Json weights = context_.recipe->value("model.weights");
  const QString text = weights.is_string() ? QString::fromStdString(weights.get<std::string>()) : QString();
  if (text.isEmpty()) return own_file_ ? File : Scratch;
  return isWeightsName(text) ? Published : File;
}

void StartCard::choose(int way) {
  trouble_.clear();
  own_file_ = way == File;
  if (way == Published && !name().isEmpty())
    context_.recipe->set("model.weights", name().toStdString());
  else if (way == Scratch || this->way() == Published)
    context_.recipe->set("model.weights", nullptr);
  refresh();
  if (own_file_) form_->reveal("model.weights");
}

void StartCard::fetch() {
  trouble_.clear();
  if (get_call_.running()) {
    get_call_.cancel();
  } else {
    progress_->setRange(0, 0);
    get_call_.start({QStringLiteral("weights"), QStringLiteral("get"), name(), QStringLiteral("--yes")});
  }
  refresh();
}

void StartCard::refresh() {
  const Way now = way();
  ways_->setCurrent(now);
  const QString published = name();
  ways_->button(Published)->setEnabled(!published.isEmpty());
  ways_->button(Published)->setToolTip(published.isEmpty() ? tr("For this network no weights are published.") : published);
  form_->setHidden("model.weights", now != File);
  bool here = true;
  quint64 bytes = 0;
  if (list_.is_array()) {
    for (const Json& one : list_) {
      if (!one.is_object() || one.value("name", std::string()) != published.toStdString()) continue;
      here = one.value("cached", false);
      bytes = quint64(std::max(0.0, numberFrom(one.value("bytes", Json(0)), 0)));
    }
  }
  const Json arch = context_.recipe->value("model.arch");
  const KnownNetwork known = knownNetwork(arch.is_string() ? arch.get<std::string>() : std::string());
  QString note;
  if (now == Published) {
    note = tr("Learned on ImageNet's 1.3 million photos of 1,000 kinds: %1 right at the first answer. The last layer is made anew for your classes.").arg(percentText(known.accuracy));
    if (here && bytes > 0) note += QLatin1Char(' ') + tr("Already on this computer.");
  } else if (now == Scratch) {
    note = published.isEmpty() ? tr("Learns from nothing but your pictures.") : tr("Learns from nothing but your pictures. With fewer than some ten thousand, published weights do better.");
  } else {
    note = tr("A file with the parameters of this network: safetensors, or PyTorch's .pt or .pth.");
  }
  note_->setText(note);
  fetch_->setVisible(now == Published && (get_call_.running() || !here));
  fetch_->setText(get_call_.running() ? tr("Cancel") : tr("Download %1").arg(formatSize(bytes)));
  fetch_->setToolTip(tr("From download.pytorch.org, under the BSD 3-clause licence; checked and kept for later runs."));
  progress_->setVisible(get_call_.running());
  problem_->setText(trouble_);
  problem_->setVisible(!trouble_.isEmpty());
}

void StartCard::setClasses(const QString& text) {
  classes_->setText(text);
  classes_->setVisible(!text.isEmpty());
}

void StartCard::retranslate() {
  setTitle(tr("Starting point"));
  ways_->setTexts({tr("Published weights"), tr("From scratch"), tr("Own file")});
  form_->retranslate();
  refresh();
}

}  // namespace trainyard::ui
