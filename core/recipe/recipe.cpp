#include "core/recipe/recipe.h"

#include "core/catalogue/catalogue.h"

namespace trainyard::recipe {

namespace {

Choice choiceFrom(const Json& table, const char* selector) {
  Choice choice;
  choice.id = table.at(selector).get<std::string>();
  choice.params = table;
  choice.params.erase(selector);
  return choice;
}

int countOrAuto(const Json& value) { return value.is_number() ? value.get<int>() : 0; }

Data dataFrom(const Json& table) {
  Data data;
  data.format = choiceFrom(table, "format");
  data.path = expandUser(table.at("path").get<std::string>());
  data.validation = table.at("validation");
  data.test = table.value("test", Json());
  data.group = table.at("group").get<std::string>();
  data.group_pattern = table.at("group_pattern").get<std::string>();
  data.exclude = table.at("exclude").get<std::vector<std::string>>();
  data.exclude_classes = table.at("exclude_classes").get<std::vector<std::string>>();
  data.background = table.at("background").get<std::array<int, 3>>();
  data.max_megapixels = table.at("max_megapixels").get<double>();
  data.reduced_decode = table.at("reduced_decode").get<bool>();
  data.cache = table.at("cache").get<std::string>();
  data.size = table.at("size").get<int>();
  const auto channels = table.at("channels").get<std::string>();
  data.channels = channels == "grey" ? 1 : channels == "rgb" ? 3 : 0;
  data.workers = countOrAuto(table.at("workers"));
  return data;
}

Train trainFrom(const Json& table) {
  Train train;
  train.epochs = table.at("epochs").get<uint64_t>();
  train.batch_size = table.at("batch_size").get<uint64_t>();
  train.accumulate = table.at("accumulate").get<uint64_t>();
  train.clip_norm = table.value("clip_norm", 0.0);
  train.label_smoothing = table.at("label_smoothing").get<double>();
  train.log_every = table.at("log_every").get<uint64_t>();
  train.threads = countOrAuto(table.at("threads"));
  train.clip_value = table.value("clip_value", 0.0);
  train.balanced_sampling = table.at("sampling") == "balanced";
  train.ema_decay = table.value("ema_decay", 0.0);
  train.early_stop = table.value("early_stop", uint64_t{0});
  train.early_stop_min_delta = table.at("early_stop_min_delta").get<double>();
  train.nonfinite_patience = table.at("nonfinite_patience").get<uint64_t>();
  train.activation_checkpointing = table.at("activation_checkpointing").get<bool>();
  train.deterministic = table.at("deterministic").get<bool>();
  return train;
}

ParameterRule ruleFrom(const Json& table) {
  ParameterRule rule{table.at("match").get<std::string>(), table.at("lr_factor").get<double>(), {}, table.at("frozen").get<bool>()};
  if (table.contains("weight_decay")) rule.weight_decay = table.at("weight_decay").get<double>();
  return rule;
}

}  // namespace

Recipe toRecipe(const Json& document) {
  Recipe recipe;
  recipe.document = document;
  recipe.run.name = document.at("run").at("name").get<std::string>();
  recipe.run.seed = document.at("run").at("seed").get<uint64_t>();
  recipe.data = dataFrom(document.at("data"));
  for (const auto& table : document.at("augment")) recipe.augment.push_back(choiceFrom(table, "op"));
  for (const auto& table : document.at("eval_augment")) recipe.eval_augment.push_back(choiceFrom(table, "op"));
  const Json& model = document.at("model");
  recipe.model.arch = choiceFrom(model, "arch");
  recipe.model.weights = expandUser(model.value("weights", std::string()));
  recipe.model.freeze = model.at("freeze").get<std::vector<std::string>>();
  recipe.model.classes = model.value("classes", 0);
  recipe.train = trainFrom(document.at("train"));
  recipe.loss = choiceFrom(document.at("loss"), "type");
  recipe.optimizer = choiceFrom(document.at("optimizer"), "type");
  for (const auto& table : document.at("parameters")) recipe.parameters.push_back(ruleFrom(table));
  recipe.schedule.choice = choiceFrom(document.at("schedule"), "type");
  recipe.schedule.per_epoch = document.at("schedule").at("unit") == "epoch";
  recipe.schedule.warmup = document.at("schedule").at("warmup").get<uint64_t>();
  recipe.precision = choiceFrom(document.at("precision"), "type");
  recipe.parallel.devices = document.at("parallel").at("devices").get<std::vector<std::string>>();
  recipe.parallel.strategy = choiceFrom(document.at("parallel"), "strategy");
  recipe.parallel.timeout_s = document.at("parallel").at("timeout").get<double>();
  const Json& checkpoint = document.at("checkpoint");
  recipe.checkpoint = {checkpoint.at("every_epochs").get<uint64_t>(), checkpoint.at("keep").get<uint64_t>(), checkpoint.at("metric").get<std::string>()};
  return recipe;
}

}  // namespace trainyard::recipe
