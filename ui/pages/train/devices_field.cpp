#include "ui/pages/train/devices_field.h"

#include <QCoreApplication>
#include <QHBoxLayout>
#include <QPointer>
#include <QThreadPool>
#include <algorithm>

#include "core/hardware/hardware.h"

namespace trainyard::ui {

DevicesField::DevicesField(RecipeDocument* recipe, QWidget* parent) : Field(parent), recipe_(recipe) {
  auto* row = new QHBoxLayout(this);
  row->setContentsMargins(0, 0, 0, 0);
  segments_ = new Segments(this, false);
  row->addWidget(segments_);
  connect(segments_, &Segments::chosen, this, &DevicesField::choose);
  DevicesField::retranslate();
  setFocusProxy(segments_->button(0));
  lookForGpus();
}

// The driver's library may take its time.
void DevicesField::lookForGpus() {
  QThreadPool::globalInstance()->start([self = QPointer(this)] {
    QStringList found;
    for (const auto& gpu : hardware::readGpus()) found << QString("cuda:%1").arg(gpu.index);
    QMetaObject::invokeMethod(
        qApp,
        [self, found] {
          if (self.isNull() || found.isEmpty()) return;
          self->devices_ = QStringList{"auto", "cpu"} + found;
          self->retranslate();
          self->setValue(self->value_);
        },
        Qt::QueuedConnection);
  });
}

void DevicesField::retranslate() {
  QStringList titles;
  for (const QString& id : devices_) {
    titles << (id == "auto" ? tr("Automatic") : id == "cpu" ? tr("CPU") : id.startsWith("cuda:") ? tr("GPU %1").arg(id.mid(5)) : id);
  }
  segments_->setTexts(titles, devices_);
}

void DevicesField::setValue(const Json& value) {
  value_ = value;
  // A device that is not here (a recipe from another machine) is shown all the same.
  if (value.is_array()) {
    for (const auto& item : value) {
      const QString id = item.is_string() ? QString::fromStdString(item.get<std::string>()) : QString();
      if (!id.isEmpty() && !devices_.contains(id)) devices_ << id;
    }
    retranslate();
  }
  for (int i = 0; i < devices_.size(); ++i) {
    const bool on = value.is_array() && std::find(value.begin(), value.end(), Json(devices_[i].toStdString())) != value.end();
    segments_->button(i)->setChecked(on);
  }
}

void DevicesField::choose(int index) {
  const QString id = devices_[index];
  const bool several = id.startsWith("cuda:") && recipe_->value("parallel.strategy") != Json("single");
  Json chosen = Json::array();
  if (several) {
    for (const int i : segments_->checked()) {
      if (devices_[i].startsWith("cuda:")) chosen.push_back(devices_[i].toStdString());
    }
  }
  if (chosen.empty()) chosen.push_back(id.toStdString());
  setValue(chosen);
  Q_EMIT edited(chosen);
}

}  // namespace trainyard::ui
