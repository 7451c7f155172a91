#include "ui/launch.h"

#include <QCommandLineParser>
#include <QRegularExpression>

namespace trainyard::ui {
namespace {

constexpr int kUsage = 2;
constexpr double kSmallestScale = 0.5;
constexpr double kLargestScale = 4;

void wrong(Launch& launch, const QString& what) {
  launch.message = what + "\nSee trainyard-gui --help.\n";
  launch.exit_code = kUsage;
}

void readSize(Launch& launch, const QString& text) {
  static const QRegularExpression kSize("^(\\d{3,5})x(\\d{3,5})$");
  const auto match = kSize.match(text);
  if (!match.hasMatch()) return wrong(launch, QString("--size %1: must be like 1280x800.").arg(text));
  launch.size = QSize(match.captured(1).toInt(), match.captured(2).toInt());
}

void readScale(Launch& launch, const QString& text) {
  bool ok = false;
  launch.scale = text.toDouble(&ok);
  if (!ok || launch.scale < kSmallestScale || launch.scale > kLargestScale) wrong(launch, QString("--scale %1: must be from 0.5 to 4.").arg(text));
}

void readOneOf(Launch& launch, const QString& option, const QString& value, const QStringList& allowed) {
  if (!value.isEmpty() && !allowed.contains(value)) wrong(launch, QString("--%1 %2: must be one of: %3.").arg(option, value, allowed.join(", ")));
}

}  // namespace

Launch parseLaunch(const QStringList& arguments) {
  static const QStringList kPages = {"home", "data", "input", "model", "train", "runs", "run", "computer", "settings"};
  QCommandLineParser parser;
  parser.setApplicationDescription("The window of Trainyard, a workbench for training neural networks.");
  parser.addOptions({
      {"page", "Page to show: " + kPages.join(", ") + ".", "id"},
      {"run", "Show a run: its folder or id.", "run"},
      {"start", "Load a recipe (a .toml file, or \"digits\") and start its training.", "recipe"},
      {"grab", "Draw the window into a PNG file once it has settled, then end.", "file"},
      {"size", "Size of the window, such as 1280x800.", "WxH"},
      {"scale", "Enlarge everything, such as 2.", "factor"},
      {"theme", "light or dark, for this time.", "theme"},
      {"lang", "en or zh_CN, for this time.", "language"},
      {QStringList{"h", "help"}, "Show this help."},
      {QStringList{"v", "version"}, "Show the version."},
  });
  Launch launch;
  if (!parser.parse(arguments)) {
    wrong(launch, parser.errorText());
    return launch;
  }
  if (parser.isSet("help") || parser.isSet("version")) {
    launch.message = parser.isSet("help") ? "Usage: trainyard-gui [options]\n\n" : "trainyard-gui " TRAINYARD_VERSION "\n";
    if (parser.isSet("help")) {
      for (const QString& line : QStringList{"--page id", "--run run", "--start recipe", "--grab file.png", "--size WxH", "--scale factor",
                                             "--theme light|dark", "--lang en|zh_CN", "--version"})
        launch.message += "  " + line + "\n";
      launch.message += "\nPages: " + kPages.join(", ") + ".\n";
    }
    launch.exit_code = 0;
    return launch;
  }
  launch.page = parser.value("page");
  launch.run = parser.value("run");
  launch.start = parser.value("start");
  launch.grab = parser.value("grab");
  launch.theme = parser.value("theme");
  launch.language = parser.value("lang");
  if (parser.isSet("size")) readSize(launch, parser.value("size"));
  if (parser.isSet("scale")) readScale(launch, parser.value("scale"));
  readOneOf(launch, "page", launch.page, kPages);
  readOneOf(launch, "theme", launch.theme, {"light", "dark"});
  readOneOf(launch, "lang", launch.language, {"en", "zh_CN"});
  if (!parser.positionalArguments().isEmpty()) wrong(launch, QString("%1: is not an option.").arg(parser.positionalArguments().constFirst()));
  return launch;
}

}  // namespace trainyard::ui
