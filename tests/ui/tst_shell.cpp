#include <QAction>
#include <QDropEvent>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QMimeData>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>
#include <QToolButton>

#include "core/runs/run_directory.h"
#include "tests/ui/sandbox.h"
#include "ui/engine_link/engine_link.h"
#include "ui/launch.h"
#include "ui/main_window.h"
#include "ui/pages/data/data_page.h"
#include "ui/pages/data/picture_grid.h"
#include "ui/pages/settings/settings_page.h"
#include "ui/pictures/dataset_scan.h"
#include "ui/recipe_document.h"
#include "ui/settings.h"
#include "ui/shell/rail.h"
#include "ui/shell/top_bar.h"
#include "ui/theme/theme.h"
#include "ui/widgets/parts.h"
#include "ui/workbench.h"

using namespace trainyard;
using namespace trainyard::ui;

namespace {

// The text of a button of the top bar that matches; empty when none does.
QString chipText(MainWindow& window, const QString& piece) {
  for (auto* button : window.findChild<TopBar*>()->findChildren<QPushButton*>()) {
    if (!button->isHidden() && button->text().contains(piece)) return button->text();
  }
  return {};
}

Launch quiet() {
  Launch launch;
  launch.language = "en";
  launch.theme = "light";
  return launch;
}

}  // namespace

class ShellTest : public QObject {
  Q_OBJECT
  tests::Sandbox box_;
  QString pictures_;
  std::unique_ptr<Workbench> bench_;

  MainWindow& window() { return bench_->window(); }
  RecipeDocument& recipe() { return *bench_->context().recipe; }
  DatasetScan& dataset() { return *bench_->context().dataset; }

 private Q_SLOTS:
  void initTestCase() {
    QVERIFY(box_.valid());
    pictures_ = box_.makePictures("flowers", {"daisies", "roses", "tulips"}, 12);
    box_.write("config/window.ini", "[General]\n");
  }

  void init() {
    if (QByteArray(QTest::currentTestFunction()) == "arguments") return;
    bench_ = std::make_unique<Workbench>(quiet(), box_.settingsFile());
    bench_->show();
    window().take(pictures_);
    QTRY_COMPARE(dataset().state(), DatasetScan::State::Ready);
  }
  void cleanup() { bench_.reset(); }

  void arguments_data() {
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<int>("exit_code");
    QTest::newRow("none") << QStringList() << -1;
    QTest::newRow("page") << QStringList{"--page", "train"} << -1;
    QTest::newRow("all") << QStringList{"--grab", "x.png", "--size", "1280x800", "--scale", "2", "--theme", "dark", "--lang", "zh_CN"} << -1;
    QTest::newRow("help") << QStringList{"--help"} << 0;
    QTest::newRow("version") << QStringList{"--version"} << 0;
    QTest::newRow("no such page") << QStringList{"--page", "kitchen"} << 2;
    QTest::newRow("no such option") << QStringList{"--pages"} << 2;
    QTest::newRow("size") << QStringList{"--size", "big"} << 2;
    QTest::newRow("scale") << QStringList{"--scale", "0"} << 2;
    QTest::newRow("theme") << QStringList{"--theme", "pink"} << 2;
    QTest::newRow("language") << QStringList{"--lang", "fr"} << 2;
    QTest::newRow("stray") << QStringList{"recipe.toml"} << 2;
  }
  void arguments() {
    QFETCH(QStringList, arguments);
    QFETCH(int, exit_code);
    const Launch launch = parseLaunch(QStringList{"trainyard-gui"} + arguments);
    QCOMPARE(launch.exit_code, exit_code);
    QCOMPARE(launch.message.isEmpty(), exit_code == -1);
  }

  void everyPageOpensByItsKey() {
    for (int i = 0; i < Rail::pages().size(); ++i) {
      auto* button = window().findChild<Rail*>()->findChildren<QToolButton*>()[i];
      QCOMPARE(button->shortcut(), QKeySequence(Qt::CTRL | Qt::Key(Qt::Key_1 + i)));
      button->click();
      QCOMPARE(window().currentId(), Rail::pages()[i]);
      QTRY_VERIFY_WITH_TIMEOUT(window().current()->settled(), 10000);
      QVERIFY(!window().grab().isNull());
    }
    QVERIFY(!window().open("kitchen"));
  }

  void pagesAreBuiltOnTheirFirstVisit() {
    QVERIFY(window().findChild<SettingsPage*>() == nullptr);
    window().open("settings");
    auto* page = window().findChild<SettingsPage*>();
    QVERIFY(page != nullptr);
    window().open("home");
    window().open("settings");
    QCOMPARE(window().findChildren<SettingsPage*>().size(), 1);
  }

  void aDroppedFolderBecomesARecipe() {
    QCOMPARE(window().currentId(), QString("data"));
    COMPARE_JSON(recipe().value("data.path"), Json(pictures_.toStdString()));
    COMPARE_JSON(recipe().value("data.format"), Json("image-folder"));
    QVERIFY(recipe().problems().empty());
    const auto& facts = *dataset().facts();
    QCOMPARE(facts.dataset->size(), uint64_t(36));
    QCOMPARE(facts.class_counts, (std::vector<uint64_t>{12, 12, 12}));
    QCOMPARE(facts.parts.train.size() + facts.parts.validation.size(), size_t(36));
    recipe().flush();
    QVERIFY(QFileInfo::exists(recipe().file()));
    QCOMPARE(bench_->context().settings->lastRecipe(), recipe().file());
    const QString file = recipe().file();
    window().take(box_.path("no such folder"));
    QCOMPARE(recipe().file(), file);
    QVERIFY(window().notice()->text().contains("no such folder"));
  }

  void aDroppedTextBecomesARecipe() {
    const QString text = box_.write("faust.txt", QByteArray("Habe nun, ach! ").repeated(400));
    QMimeData mime;
    mime.setUrls({QUrl::fromLocalFile(text)});
    QDragEnterEvent enter(QPoint(50, 50), Qt::CopyAction, &mime, Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(&window(), &enter);
    QVERIFY(enter.isAccepted());
    QDropEvent drop(QPointF(50, 50), Qt::CopyAction, &mime, Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(&window(), &drop);
    COMPARE_JSON(recipe().value("data.path"), text.toStdString());
    COMPARE_JSON(recipe().value("data.format"), "text");
  }

  void picturesAreShownAndFiltered() {
    auto* grid = window().findChild<PictureGrid*>();
    QTRY_COMPARE(grid->model()->rowCount(), 36);
    const QModelIndex first = grid->model()->index(0);
    QTRY_VERIFY_WITH_TIMEOUT(!first.data(Qt::DecorationRole).value<QPixmap>().isNull(), 10000);
    QTRY_VERIFY_WITH_TIMEOUT(grid->settled(), 10000);
    grid->showClass(1);
    QTRY_COMPARE(grid->model()->rowCount(), 12);
    for (int row = 0; row < 12; ++row) QCOMPARE(grid->model()->index(row).data().toString(), QString("roses"));
    grid->model()->setFilter({-1, data::Part::Validation, {}});
    QTRY_COMPARE(grid->model()->rowCount(), int(dataset().facts()->parts.validation.size()));
    QCOMPARE(data::Part(grid->model()->index(0).data(PictureModel::PartRole).toInt()), data::Part::Validation);
    grid->model()->setFilter({-1, data::Part::Unassigned, "ROSES/3"});
    QTRY_COMPARE(grid->model()->rowCount(), 1);
  }

  void aBrokenPictureIsMarkedNotFatal() {
    const QString folder = box_.makePictures("broken", {"a", "b"}, 3);
    QVERIFY(!box_.write("broken/a/0.png", "this is no picture").isEmpty());
    window().take(folder);
    QTRY_VERIFY(dataset().state() == DatasetScan::State::Ready && dataset().facts()->dataset->size() == 6);
    auto* grid = window().findChild<PictureGrid*>();
    QTRY_COMPARE(grid->model()->rowCount(), 6);
    int broken = 0;
    for (int row = 0; row < 6; ++row) (void)grid->model()->index(row).data(Qt::DecorationRole);
    QTRY_VERIFY_WITH_TIMEOUT(grid->settled(), 10000);
    for (int row = 0; row < 6; ++row) broken += grid->model()->index(row).data(PictureModel::BrokenRole).toBool() ? 1 : 0;
    QCOMPARE(broken, 1);
  }

  void aMissingFolderIsExplained() {
    recipe().set("data.path", box_.path("gone").toStdString());
    QTRY_COMPARE(dataset().state(), DatasetScan::State::Failed);
    QVERIFY(!chipText(window(), "cannot be read").isEmpty());
    window().start();
    QCOMPARE(window().currentId(), QString("data"));
    QVERIFY2(window().notice()->text().contains("gone"), qPrintable(window().notice()->text()));
  }

  void startExplainsWhatIsWrong() {
    window().open("home");
    QVERIFY(!chipText(window(), "Ready").isEmpty());
    recipe().set("train.clip_norm", -1);
    QCOMPARE(chipText(window(), "to fix"), QString("1 value to fix: Limit sudden jumps"));
    recipe().set("run.seed", -4);
    QVERIFY(chipText(window(), "to fix").startsWith("2 values to fix"));
    recipe().reset("run.seed");
    auto* start = qobject_cast<QPushButton*>(window().findChild<TopBar*>()->findChildren<QPushButton*>().constLast());
    QVERIFY(start != nullptr && start->isEnabled());
    start->click();
    QCOMPARE(window().currentId(), QString("train"));
    QVERIFY2(window().notice()->text().contains("Limit sudden jumps"), qPrintable(window().notice()->text()));
    QVERIFY(window().notice()->isVisible());
    QVERIFY(bench_->context().engine->startingRuns().isEmpty());
  }

  void anEngineThatCannotBeRunIsTold() {
    qputenv("TRAINYARD_ENGINE", box_.path("no-engine").toUtf8());
    window().start();
    QTRY_VERIFY_WITH_TIMEOUT(window().notice()->text().contains("no-engine"), 10000);
    qunsetenv("TRAINYARD_ENGINE");
  }

  void aLiveRunWithOtherSettingsIsSaid() {
    const auto whole = recipe().whole();
    QVERIFY(whole.has_value());
    const fs::path dir = box_.path("runs/20300101-000000-flowers").toStdString();
    const auto run = runs::createRun(dir);
    QVERIFY(run.has_value());
    Json theirs = whole->document;
    theirs["train"]["epochs"] = 77;
    theirs["optimizer"]["lr"] = 0.5;
    QVERIFY(replaceFile(run->recipe(), recipe::writeToml(theirs)).has_value());
    auto lock = runs::RunLock::take(dir);
    QVERIFY(lock.has_value());
    runs::RunState state;
    state.state = runs::State::Running;
    state.pid = QCoreApplication::applicationPid();
    QVERIFY(runs::writeState(*run, state).has_value());
    QTRY_VERIFY_WITH_TIMEOUT(chipText(window(), "is training with other settings").contains("2 differences"), 10000);
    auto* difference = window().findChild<LiveDifference*>();
    QCOMPARE(difference->keys(), QStringList({"train.epochs", "optimizer.lr"}));
    QVERIFY(difference->line("train.epochs").contains("77"));
    difference->useItsSettings();
    COMPARE_JSON(recipe().value("train.epochs"), Json(77));
    QTRY_VERIFY(chipText(window(), "is training with other settings").isEmpty());
    recipe().undo();
    QVERIFY(recipe().value("train.epochs") != Json(77));
    // Closing asks once, and never stops the run by itself.
    QVERIFY(!window().close());
    QVERIFY(window().isVisible());
    QVERIFY(runs::isLocked(dir));
    state.state = runs::State::Stopped;
    QVERIFY(runs::writeState(*run, state).has_value());
  }

  void languageAndThemeSwitchWithoutRestart() {
    bench_.reset();
    Launch launch = quiet();
    launch.language.clear();
    launch.theme.clear();
    bench_ = std::make_unique<Workbench>(launch, box_.settingsFile());
    bench_->show();
    window().open("settings");
    auto* page = window().findChild<SettingsPage*>();
    page->languages()->button(2)->click();
    auto* home = window().findChild<Rail*>()->findChildren<QToolButton*>()[0];
    QTRY_COMPARE(home->text(), QString::fromUtf8("主页"));
    QCOMPARE(home->shortcut(), QKeySequence("Ctrl+1"));
    page->themes()->button(2)->click();
    QVERIFY(bench_->context().theme->tokens().dark);
    page->themes()->button(1)->click();
    QVERIFY(!bench_->context().theme->tokens().dark);
    page->languages()->button(1)->click();
    QTRY_COMPARE(home->text(), QString("Home"));
    QCOMPARE(Settings(box_.settingsFile()).language(), QString("en"));
    QCOMPARE(Settings(box_.settingsFile()).theme(), ThemeChoice::Light);
  }

  void textIsNotClippedInEitherLanguage_data() {
    QTest::addColumn<QString>("language");
    QTest::newRow("English") << "en";
    QTest::newRow("Chinese") << "zh_CN";
  }
  void textIsNotClippedInEitherLanguage() {
    QFETCH(QString, language);
    bench_.reset();
    Launch launch = quiet();
    launch.language = language;
    bench_ = std::make_unique<Workbench>(launch, box_.settingsFile());
    bench_->show();
    window().resize(1280, 800);
    for (const QString& id : Rail::pages()) {
      window().open(id);
      QTRY_VERIFY_WITH_TIMEOUT(window().current()->settled() && !dataset().busy(), 10000);
      QTest::qWait(0);
      for (auto* label : window().findChildren<QLabel*>()) {
        if (!label->isVisible() || label->text().isEmpty() || qobject_cast<PathLabel*>(label) != nullptr) continue;
        const int needed = label->wordWrap() ? label->heightForWidth(label->width()) : label->sizeHint().height();
        const bool cut = label->height() + 1 < needed || (!label->wordWrap() && label->width() + 1 < label->sizeHint().width());
        QVERIFY2(!cut, qPrintable(id + ": " + label->text()));
      }
      for (auto* button : window().findChildren<QAbstractButton*>()) {
        if (!button->isVisible() || button->text().isEmpty() || button->inherits("trainyard::ui::ChoiceCard")) continue;
        const int needed = button->fontMetrics().horizontalAdvance(button->text());
        QVERIFY2(button->width() >= needed + 4, qPrintable(id + ": " + button->text()));
      }
    }
  }

  void undoKeysWorkAnywhere() {
    window().open("train");
    const Json before = recipe().value("train.epochs");
    recipe().set("train.epochs", 3);
    QTest::keyClick(&window(), Qt::Key_Z, Qt::ControlModifier);
    COMPARE_JSON(recipe().value("train.epochs"), before);
    QTest::keyClick(&window(), Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier);
    COMPARE_JSON(recipe().value("train.epochs"), Json(3));
  }

  void anUnknownKeyCanBeRemoved() {
    recipe().set("train.epoch", 3);
    QVERIFY(!recipe().problems().empty());
    window().start();
    QVERIFY2(window().notice()->text().contains("epochs"), qPrintable(window().notice()->text()));
    for (auto* button : window().notice()->findChildren<QPushButton*>()) button->click();
    QVERIFY(recipe().problems().empty());
  }

  void theTitleNamesTheRecipe() {
    QVERIFY(window().windowTitle().contains(recipe().name()));
    QVERIFY(window().windowTitle().endsWith("Trainyard"));
  }

  void grabsAPictureOfAPage() {
    bench_.reset();
    Launch launch = quiet();
    launch.page = "model";
    launch.size = QSize(1100, 700);
    launch.grab = box_.path("model.png");
    bench_ = std::make_unique<Workbench>(launch, box_.settingsFile());
    bench_->show();
    QCOMPARE(QCoreApplication::exec(), 0);
    const QImage picture(launch.grab);
    QCOMPARE(picture.size(), QSize(1100, 700));
    QCOMPARE(picture.pixelColor(500, 690), lightTokens().base);
  }

  void theFirstStartPractises() {
    bench_.reset();
    QVERIFY(QDir(box_.path("runs")).removeRecursively());
    QVERIFY(QDir().mkpath(box_.path("runs")));
    qputenv("TRAINYARD_ENGINE", "/bin/false");
    const QString fresh = box_.path("config/fresh.ini");
    bench_ = std::make_unique<Workbench>(quiet(), fresh);
    bench_->show();
    QTRY_COMPARE(recipe().name(), QString("digits"));
    QTRY_VERIFY(QFileInfo::exists(fresh) || !bench_->context().engine->startingRuns().isEmpty());
    qunsetenv("TRAINYARD_ENGINE");
    bench_.reset();
    QVERIFY(!Settings(fresh).fresh());
  }
};

QTEST_MAIN(ShellTest)
#include "tst_shell.moc"
