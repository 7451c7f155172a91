#include "core/recipe/check.h"

#include "core/base/units.h"
#include "core/catalogue/catalogue.h"

namespace trainyard::recipe {

namespace {

using catalogue::Descriptor;
using catalogue::ParamSpec;
using catalogue::Section;

// Deeper than anybody means; keeps a hostile file from exhausting the stack.
constexpr int kDeepest = 8;

class Checker {
 public:
  Checker(const std::string& file, const Positions& positions) : file_(file), positions_(positions) {}

  Checked run(const Json& document) {
    Checked checked;
    checked.document = Json::object();
    if (!document.is_object()) {
      report("", {"a recipe is a set of tables such as [data] and [train]", ""});
    } else {
      checkTopLevel(document);
      for (const auto& section : catalogue::sections()) checkSection(document, section, checked.document);
    }
    checked.problems = std::move(problems_);
    return checked;
  }

 private:
  void report(const std::string& key, const Fault& fault) {
    std::string where = key;
    for (const auto& [name, position] : positions_) {
      if (name == key) where = file_ + ":" + std::to_string(position.line) + ":" + std::to_string(position.column) + ": " + key;
    }
    if (where == key && !file_.empty()) where = file_ + (key.empty() ? "" : ": " + key);
    problems_.push_back({key, Error{ErrorCode::Recipe, fault.what, where, fault.hint}});
  }

  void unknown(const std::string& path, const std::string& key, const std::vector<std::string>& known, const std::string& kind) {
    const std::string near = nearestWord(key, known);
    std::string all;
    for (const auto& name : known) all += (all.empty() ? "" : ", ") + name;
    report(path, {"there is no " + kind + " \"" + key + "\" here", near.empty() ? "known here: " + all : "did you mean \"" + near + "\"?"});
  }

  void checkTopLevel(const Json& document) {
    std::vector<std::string> known;
    for (const auto& section : catalogue::sections()) known.push_back(section.key);
    for (const auto& [key, value] : document.items()) {
      if (std::find(known.begin(), known.end(), key) == known.end()) unknown(key, key, known, value.is_object() ? "table" : "key");
    }
  }

  void checkSection(const Json& document, const Section& section, Json& out) {
    const Json given = document.contains(section.key) ? document.at(section.key) : (section.repeated ? Json::array() : Json::object());
    if (!section.repeated) {
      if (!given.is_object()) return report(section.key, {"must be a table: [" + section.key + "]", ""});
      out[section.key] = checkTable(given, section, section.key);
      return;
    }
    if (!given.is_array()) return report(section.key, {"must be a list of tables: [[" + section.key + "]]", ""});
    out[section.key] = checkTables(given, section, section.key);
  }

  Json checkTables(const Json& given, const Section& section, const std::string& path) {
    Json tables = Json::array();
    for (size_t i = 0; i < given.size(); ++i) {
      const std::string item = path + "[" + std::to_string(i) + "]";
      if (given[i].is_object())
        tables.push_back(checkTable(given[i], section, item));
      else
        report(item, {"must be a table, as one [[" + section.key + "]] is", ""});
    }
    return tables;
  }

  // The steps inside a step.
  Json checkNested(const Json& given, const ParamSpec& spec, const std::string& path) {
    if (depth_ == kDeepest) {
      report(path, {"steps are nested more than " + std::to_string(kDeepest) + " deep", "take some of them out"});
      return Json::array();
    }
    ++depth_;
    Json tables = checkTables(given, *catalogue::findSection(spec.section), path);
    --depth_;
    return tables;
  }

  Json checkTable(const Json& given, const Section& section, const std::string& path) {
    Json table = Json::object();
    const size_t problems_before = problems_.size();
    const Descriptor* chosen = section.selector.empty() ? nullptr : choose(given, section, path, table);
    std::vector<const ParamSpec*> specs;
    for (const auto& spec : section.params) specs.push_back(&spec);
    if (chosen != nullptr) {
      for (const auto& spec : chosen->params) specs.push_back(&spec);
    }
    for (const auto* spec : specs) checkKey(given, *spec, path, table);
    if (section.selector.empty() || chosen != nullptr) checkUnknown(given, specs, section, path);
    if (problems_.size() == problems_before) {
      checkConflict(section.check, table, path);
      if (chosen != nullptr) checkConflict(chosen->check, table, path);
    }
    return table;
  }

  const Descriptor* choose(const Json& given, const Section& section, const std::string& path, Json& table) {
    const std::string key = path + "." + section.selector;
    std::vector<catalogue::Option> options;
    for (const auto& entry : section.choices) options.push_back({entry.id, entry.title, entry.help});
    ParamSpec spec;
    spec.kind = catalogue::ParamKind::Choice;
    spec.choices = std::move(options);
    if (!given.contains(section.selector) && section.default_choice.empty()) {
      report(key, {"is missing: it must be " + describe(spec), "add " + section.selector + " to [" + section.key + "]"});
      return nullptr;
    }
    const Json value = given.value(section.selector, Json(section.default_choice));
    table[section.selector] = value;
    if (auto fault = checkValue(value, spec)) {
      report(key, *fault);
      return nullptr;
    }
    return catalogue::find(section.choices, value.get<std::string>());
  }

  void checkKey(const Json& given, const ParamSpec& spec, const std::string& path, Json& table) {
    const std::string key = path + "." + spec.key;
    if (!given.contains(spec.key) || given.at(spec.key).is_null()) {
      if (spec.required)
        report(key, {"is missing: it must be " + describe(spec), "add " + spec.key + " to [" + path + "]"});
      else if (!spec.fallback.is_null())
        table[spec.key] = spec.fallback;
      return;
    }
    table[spec.key] = given.at(spec.key);
    if (auto fault = checkValue(given.at(spec.key), spec))
      report(key, *fault);
    else if (spec.kind == catalogue::ParamKind::Tables)
      table[spec.key] = checkNested(given.at(spec.key), spec, key);
  }

  void checkUnknown(const Json& given, const std::vector<const ParamSpec*>& specs, const Section& section, const std::string& path) {
    std::vector<std::string> known;
    if (!section.selector.empty()) known.push_back(section.selector);
    for (const auto* spec : specs) known.push_back(spec->key);
    for (const auto& [key, value] : given.items()) {
      if (std::find(known.begin(), known.end(), key) == known.end()) unknown(path + "." + key, key, known, "key");
    }
  }

  void checkConflict(catalogue::CrossCheck rule, const Json& table, const std::string& path) {
    if (rule == nullptr) return;
    if (auto conflict = rule(table)) report(path + "." + conflict->key, {conflict->what, conflict->hint});
  }

  const std::string& file_;
  const Positions& positions_;
  std::vector<Problem> problems_;
  int depth_ = 0;  // of the steps inside steps
};

}  // namespace

Checked check(const Json& document, const std::string& file, const Positions& positions) { return Checker(file, positions).run(document); }

}  // namespace trainyard::recipe
