#include <algorithm>

#include "core/base/pattern.h"
#include "core/base/units.h"
#include "core/optim/optimizer.h"

namespace trainyard::optim {

namespace {

Result<void> checkFits(const std::string& pattern, std::span<const models::NamedTensor> parameters, const std::string& key) {
  std::vector<std::string> names;
  for (const auto& parameter : parameters) names.push_back(parameter.name);
  if (std::any_of(names.begin(), names.end(), [&pattern](const std::string& name) { return matchesPattern(pattern, name); })) return {};
  const std::string near = nearestWord(pattern, names);
  const std::string known = near.empty() ? "they run from \"" + names.front() + "\" to \"" + names.back() + "\"" : "one of them is \"" + near + "\"";
  return fail(ErrorCode::Recipe, "\"" + pattern + "\" matches none of the network's " + std::to_string(names.size()) + " parameters", key,
              known + "; * stands for any characters");
}

// The last rule that matches; nullptr where none does.
const recipe::ParameterRule* ruleFor(const std::string& name, std::span<const recipe::ParameterRule> rules) {
  const recipe::ParameterRule* found = nullptr;
  for (const auto& rule : rules) {
    if (matchesPattern(rule.match, name)) found = &rule;
  }
  return found;
}

Group groupFor(const recipe::Choice& optimizer, const recipe::ParameterRule* rule, int64_t dimensions) {
  Group group;
  const bool spared = dimensions < 2 && optimizer.params.value("weight_decay_on", "all") == "weights";
  if (!spared) group.weight_decay = optimizer.number("weight_decay");
  if (rule == nullptr) return group;
  group.lr_factor = rule->lr_factor;
  if (rule->weight_decay) group.weight_decay = *rule->weight_decay;
  return group;
}

int indexOf(const Group& group, std::vector<Group>& groups) {
  const auto known = std::find(groups.begin(), groups.end(), group);
  const auto index = static_cast<int>(known - groups.begin());
  if (known == groups.end()) groups.push_back(group);
  return index;
}

}  // namespace

Result<Grouping> groupsOf(const recipe::Choice& optimizer, std::span<const recipe::ParameterRule> rules, std::span<const std::string> freeze,
                          std::span<const models::NamedTensor> parameters) {
  for (size_t i = 0; i < rules.size(); ++i) TRAINYARD_CHECK(checkFits(rules[i].match, parameters, "parameters[" + std::to_string(i) + "].match"));
  for (const auto& pattern : freeze) TRAINYARD_CHECK(checkFits(pattern, parameters, "model.freeze"));
  Grouping grouping;
  for (const auto& [name, tensor] : parameters) {
    const recipe::ParameterRule* rule = ruleFor(name, rules);
    const bool frozen = std::any_of(freeze.begin(), freeze.end(), [&name = name](const std::string& pattern) { return matchesPattern(pattern, name); });
    if (frozen || (rule != nullptr && rule->frozen)) {
      tensor.set_requires_grad(false);
      continue;
    }
    ParamSlot slot;
    slot.name = name;
    slot.param = tensor;
    slot.group = indexOf(groupFor(optimizer, rule, tensor.dim()), grouping.groups);
    slot.full_sizes = tensor.sizes().vec();
    grouping.slots.push_back(std::move(slot));
  }
  if (grouping.slots.empty())
    return fail(ErrorCode::Recipe, "every parameter of the network is frozen", "model.freeze", "leave something to train, as the last layer");
  return grouping;
}

}  // namespace trainyard::optim
