#include <algorithm>
#include <charconv>
#include <cmath>

#include "core/base/files.h"
#include "core/hardware/readers.h"

namespace trainyard::hardware {

std::string slurp(const fs::path& file) {
  std::string text = readFile(file).value_or(std::string());
  while (!text.empty() && (text.back() == '\n' || text.back() == ' ')) text.pop_back();
  return text;
}

std::vector<std::string> splitLines(std::string_view text) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    lines.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

std::vector<std::string> splitWords(std::string_view text) {
  std::vector<std::string> words;
  while (true) {
    const size_t start = text.find_first_not_of(" \t");
    if (start == std::string_view::npos) return words;
    text.remove_prefix(start);
    const size_t end = std::min(text.find_first_of(" \t"), text.size());
    words.emplace_back(text.substr(0, end));
    text.remove_prefix(end);
  }
}

namespace {

// The path of this process in a hierarchy: "0::/user.slice" (version 2), "5:cpu,cpuacct:/docker/abc" (version 1).
std::string cgroupPath(const std::vector<std::string>& lines, std::string_view controller) {
  for (const std::string& line : lines) {
    const size_t first = line.find(':'), second = line.find(':', first + 1);
    if (first == std::string::npos || second == std::string::npos) continue;
    const std::string names = "," + line.substr(first + 1, second - first - 1) + ",";
    const bool wanted = controller.empty() ? names == ",," : names.find("," + std::string(controller) + ",") != std::string::npos;
    if (wanted) return line.substr(second + 1);
  }
  return {};
}

void addChain(std::vector<fs::path>& folders, const fs::path& base, const std::string& path) {
  // Inside a container the path may name folders of the host: then only the top is there.
  fs::path relative = fs::path(path).relative_path().lexically_normal();
  std::error_code ignored;
  for (; !relative.empty() && relative != "."; relative = relative.parent_path()) {
    if (fs::is_directory(base / relative, ignored)) folders.push_back(base / relative);
  }
  if (fs::is_directory(base, ignored)) folders.push_back(base);
}

bool readNumber(const std::string& text, double& number) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size();
}

double quotaOf(const fs::path& folder, bool unified) {
  double quota = 0, period = 0;
  if (unified) {
    const auto words = splitWords(slurp(folder / "cpu.max"));
    if (words.size() != 2 || !readNumber(words[0], quota) || !readNumber(words[1], period)) return INFINITY;
  } else if (!readNumber(slurp(folder / "cpu.cfs_quota_us"), quota) || !readNumber(slurp(folder / "cpu.cfs_period_us"), period)) {
    return INFINITY;
  }
  return quota > 0 && period > 0 ? quota / period : INFINITY;
}

}  // namespace

CgroupChain cgroupChain(const fs::path& root, std::string_view controller) {
  const auto lines = splitLines(slurp(root / "proc/self/cgroup"));
  const fs::path base = root / "sys/fs/cgroup";
  CgroupChain chain;
  std::error_code ignored;
  chain.unified = fs::exists(base / "cgroup.controllers", ignored);
  if (chain.unified) {
    addChain(chain.folders, base, cgroupPath(lines, ""));
  } else {
    addChain(chain.folders, base / controller, cgroupPath(lines, controller));
  }
  return chain;
}

int usableThreads(const fs::path& root, int affinity) {
  const CgroupChain chain = cgroupChain(root, "cpu");
  double threads = affinity;
  for (const fs::path& folder : chain.folders) threads = std::min(threads, std::ceil(quotaOf(folder, chain.unified)));
  return std::max(1, static_cast<int>(threads));
}

std::string readSystem(const fs::path& root, std::string_view kernel_release) {
  std::string name = "Linux";
  for (const std::string& line : splitLines(slurp(root / "etc/os-release"))) {
    if (line.rfind("PRETTY_NAME=", 0) != 0) continue;
    name = line.substr(12);
    std::erase(name, '"');
    if (const size_t codename = name.find(" ("); codename != std::string::npos) name.resize(codename);
  }
  const size_t minor = kernel_release.find('.');
  const size_t end = minor == std::string_view::npos ? kernel_release.size() : kernel_release.find_first_not_of("0123456789", minor + 1);
  return name + ", Linux " + std::string(kernel_release.substr(0, end));
}

std::string programOf(const fs::path& root, int64_t pid) {
  const fs::path process = root / "proc" / std::to_string(pid);
  std::vector<std::string> words;
  const std::string command_line = slurp(process / "cmdline");
  for (size_t start = 0; start < command_line.size();) {
    const size_t end = std::min(command_line.find('\0', start), command_line.size());
    words.push_back(command_line.substr(start, end - start));
    start = end + 1;
  }
  if (words.empty() || words[0].empty()) return slurp(process / "comm");
  std::string program = fs::path(words[0]).filename();
  const bool script = program.rfind("python", 0) == 0 && words.size() > 1 && !words[1].empty() && words[1][0] != '-';
  if (script) program += " " + fs::path(words[1]).filename().string();
  return program;
}

}  // namespace trainyard::hardware
