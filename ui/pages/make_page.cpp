#include "ui/pages/make_page.h"

#include "ui/pages/computer/computer_page.h"
#include "ui/pages/data/data_page.h"
#include "ui/pages/home/home_page.h"
#include "ui/pages/input/input_page.h"
#include "ui/pages/model/model_page.h"
#include "ui/pages/run/run_page.h"
#include "ui/pages/runs/runs_page.h"
#include "ui/pages/settings/settings_page.h"
#include "ui/pages/train/train_page.h"

namespace trainyard::ui {
namespace {

template <class T>
Page* make(Context& context, QWidget* parent) {
  return new T(context, parent);
}

struct Maker {
  const char* id;
  Page* (*make)(Context&, QWidget*);
};

const Maker kMakers[] = {
    {"home", make<HomePage>},   {"data", make<DataPage>}, {"input", make<InputPage>}, {"model", make<ModelPage>},
    {"train", make<TrainPage>}, {"runs", make<RunsPage>}, {"run", make<RunPage>},     {"computer", make<ComputerPage>},
    {"settings", make<SettingsPage>},
};

}  // namespace

Page* makePage(const QString& id, Context& context, QWidget* parent) {
  for (const auto& maker : kMakers) {
    if (id == QLatin1String(maker.id)) return maker.make(context, parent);
  }
  return nullptr;
}

}  // namespace trainyard::ui
