#include "ui/pages/run/run_facts.h"

#include <QFile>
#include <QFileInfo>
#include <algorithm>

#include "core/catalogue/catalogue.h"
#include "core/runs/run_directory.h"
#include "core/schedule/schedule.h"
#include "ui/models/run_text.h"
#include "ui/widgets/parts.h"

namespace trainyard::ui {
namespace {

bool inside(const fs::path& path, const fs::path& folder) {
  std::error_code none;
  const fs::path relative = fs::weakly_canonical(path, none).lexically_relative(fs::weakly_canonical(folder, none));
  return !relative.empty() && *relative.begin() != "..";
}

double classShare(const runs::Layout& layout) {
  const auto text = readFile(layout.plan());
  if (!text) return 0;
  const Json plan = Json::parse(*text, nullptr, false);
  if (!plan.is_object() || !plan.contains("validation_per_class") || !plan.at("validation_per_class").is_array()) return 0;
  double largest = 0, all = 0;
  for (const Json& samples : plan.at("validation_per_class")) {
    const double count = numberFrom(samples, 0);
    largest = std::max(largest, count);
    all += count;
  }
  return all > 0 ? largest / all : 0;
}

}  // namespace

RunFacts readFacts(const QString& run_dir) {
  RunFacts facts;
  facts.id = facts.name = QFileInfo(run_dir).fileName();
  const runs::Layout layout{fs::path(QFile::encodeName(run_dir).toStdString())};
  const auto text = readFile(layout.recipe());
  if (!text) {
    facts.problem = QString::fromStdString(toText(text.error()));
    return facts;
  }
  facts.recipe_text = QString::fromStdString(*text);
  auto loaded = recipe::load(layout.recipe());
  if (!loaded) {
    facts.problem = QString::fromStdString(toText(loaded.error()));
    return facts;
  }
  if (!loaded->run.name.empty()) facts.name = QString::fromStdString(loaded->run.name);
  if (!loaded->checkpoint.metric.empty()) facts.metric = loaded->checkpoint.metric;
  facts.practice = inside(loaded->data.path, resourcesFolder());
  facts.largest_class_share = classShare(layout);
  facts.recipe = std::move(*loaded);
  return facts;
}

QString chipText(const RunFacts& facts, const std::vector<std::string>& named) {
  if (!facts.recipe) return {};
  const auto& recipe = *facts.recipe;
  const auto* arch = catalogue::find(catalogue::architectures(), recipe.model.arch.id);
  QStringList parts{arch ? catalogueText(arch->title) : QString::fromStdString(recipe.model.arch.id)};
  const auto& devices = named.empty() ? recipe.parallel.devices : named;
  const auto gpus = std::count_if(devices.begin(), devices.end(), [](const std::string& device) { return device.rfind("cuda", 0) == 0; });
  if (gpus > 1)
    parts << QStringLiteral("%1 × GPU").arg(gpus);
  else if (devices.size() > 1)
    parts << QStringLiteral("%1 × %2").arg(devices.size()).arg(deviceName(devices.front()));
  else if (!devices.empty())
    parts << deviceName(devices.front());
  parts << QString::fromStdString(recipe.precision.id);
  return parts.join(QStringLiteral(" · "));
}

PlannedRate plannedRate(const recipe::Recipe& recipe, int64_t steps_total, int64_t epochs) {
  PlannedRate plan;
  if (steps_total <= 0 || epochs <= 0) return plan;
  const auto schedule = schedule::make(recipe, static_cast<uint64_t>(std::max<int64_t>(1, steps_total / epochs)), static_cast<uint64_t>(steps_total));
  if (!schedule) return plan;
  const schedule::ScheduleState state;
  const auto add = [&](int64_t step) {
    plan.step.push_back(static_cast<double>(step));
    plan.rate.push_back((*schedule)->at(static_cast<uint64_t>(step), state).lr);
  };
  const int64_t stride = std::max<int64_t>(1, steps_total / 400);
  for (int64_t step = 0; step < steps_total; step += stride) {
    // A jump between two samples is drawn where it is, not as a slope.
    if (step > 0 && stride > 1) {
      int64_t low = step - stride, high = step;
      const double before = plan.rate.last(), after = (*schedule)->at(static_cast<uint64_t>(step), state).lr;
      if (before > 0 && (after < 0.8 * before || after > 1.25 * before)) {
        while (high - low > 1) {
          const int64_t middle = (low + high) / 2;
          ((*schedule)->at(static_cast<uint64_t>(middle), state).lr == before ? low : high) = middle;
        }
        if (low > step - stride) add(low);
        if (high < step) add(high);
      }
    }
    add(step);
  }
  if (plan.step.last() < static_cast<double>(steps_total - 1)) add(steps_total - 1);
  return plan;
}

bool dropAhead(const PlannedRate& plan, int64_t step) {
  if (plan.step.isEmpty()) return false;
  const auto now = std::lower_bound(plan.step.begin(), plan.step.end(), static_cast<double>(step)) - plan.step.begin();
  if (now >= plan.rate.size()) return false;
  return *std::min_element(plan.rate.begin() + now, plan.rate.end()) < 0.99 * plan.rate[now];
}

}  // namespace trainyard::ui
