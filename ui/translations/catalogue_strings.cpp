// Prints every string that the catalogue shows to people as QT_TRANSLATE_NOOP lines, which lupdate can read.
#include <cstdio>
#include <set>

#include "core/catalogue/catalogue.h"
#include "core/catalogue/layers.h"

namespace {

using namespace trainyard::catalogue;

std::set<std::string> strings;

void add(const ParamSpec& spec) {
  strings.insert({spec.title, spec.help, spec.unit});
  for (const auto& option : spec.choices) strings.insert({option.title, option.help});
  for (const auto& item : spec.items) add(item);
}

void add(const Section& section) {
  strings.insert(section.title);
  for (const auto& spec : section.params) add(spec);
  for (const auto& entry : section.choices) {
    strings.insert({entry.title, entry.help});
    for (const auto& spec : entry.params) add(spec);
  }
}

}  // namespace

int main() {
  for (const auto& section : sections()) add(section);
  add(layerSection());
  strings.erase("");
  std::puts("const char* const kStrings[] = {");
  for (const auto& text : strings) std::printf("  QT_TRANSLATE_NOOP(\"catalogue\", %s),\n", trainyard::Json(text).dump().c_str());
  std::puts("};");
}
