#include <QSignalSpy>
#include <QTest>

#include "core/catalogue/catalogue.h"
#include "tests/ui/sandbox.h"
#include "ui/recipe_document.h"

using namespace trainyard;
using namespace trainyard::ui;

namespace {

const char* const kRecipe = R"([run]
name = "flowers"
[data]
format = "image-folder"
path = "pictures"
[model]
arch = "mlp"
hidden = [64, 32]
[train]
epochs = 3
[optimizer]
type = "sgd"
lr = 0.1
)";

}  // namespace

class RecipeDocumentTest : public QObject {
  Q_OBJECT
  tests::Sandbox box_;

 private Q_SLOTS:
  void initTestCase() { QVERIFY(box_.valid()); }

  void opensAndFillsDefaults() {
    RecipeDocument document;
    QVERIFY(document.open(box_.write("a/flowers.toml", kRecipe)));
    QCOMPARE(document.name(), QString("flowers"));
    COMPARE_JSON(document.value("train.epochs"), Json(3));
    COMPARE_JSON(document.value("train.batch_size"), document.fallback("train.batch_size"));
    QVERIFY(!document.value("train.batch_size").is_null());
    QVERIFY(document.problems().empty());
    QVERIFY(!document.edited());
    const auto whole = document.whole();
    QVERIFY(whole.has_value());
    QCOMPARE(QString::fromStdString(whole->data.path.string()), box_.path("a/pictures"));
  }

  void unreadableFilesAreErrors() {
    RecipeDocument document;
    QVERIFY(!document.open(box_.path("none.toml")));
    const auto broken = document.open(box_.write("broken.toml", "[run\nname = 1"));
    QVERIFY(!broken);
    QCOMPARE(broken.error().code, ErrorCode::Recipe);
    QVERIFY(document.file().isEmpty());
  }

  void setsResetsAndReports() {
    RecipeDocument document;
    QVERIFY(document.open(box_.write("b/flowers.toml", kRecipe)));
    QSignalSpy changed(&document, &RecipeDocument::changed);
    document.set("train.epochs", 12);
    QCOMPARE(changed.count(), 1);
    QCOMPARE(changed[0][0].toString(), QString("train.epochs"));
    QVERIFY(document.edited());
    QVERIFY(document.isGiven("train.epochs"));
    document.set("train.epochs", 12);
    QCOMPARE(changed.count(), 1);
    document.reset("train.epochs");
    COMPARE_JSON(document.value("train.epochs"), document.fallback("train.epochs"));
    QVERIFY(!document.isGiven("train.epochs"));
    document.set("train.clip_norm", -1);
    QVERIFY(document.problemAt("train.clip_norm") != nullptr);
    QCOMPARE(document.problems().size(), size_t(1));
    QVERIFY(!document.whole());
    document.set("train.clip_norm", "much");
    QVERIFY(document.problemAt("train.clip_norm") != nullptr);
    document.reset("train.clip_norm");
    QVERIFY(document.problems().empty());
  }

  void partsIgnoreWhatIsWrongElsewhere() {
    RecipeDocument document;
    QVERIFY(document.open(box_.write("h/flowers.toml", kRecipe)));
    document.set("train.clip_norm", -1);
    QVERIFY(!document.whole());
    const auto optimizer = document.part({"optimizer"});
    QVERIFY(optimizer.has_value());
    QCOMPARE(optimizer->optimizer.id, std::string("sgd"));
    QCOMPARE(optimizer->optimizer.number("lr"), 0.1);
    QCOMPARE(QString::fromStdString(document.dataPart()->path.string()), box_.path("h/pictures"));
    QVERIFY(!document.part({"train"}));
  }

  void undoSpansTheWholeRecipe() {
    RecipeDocument document;
    QVERIFY(document.open(box_.write("c/flowers.toml", kRecipe)));
    const Json before = document.given();
    // Typing "12" is one step; another key is the next.
    document.set("train.epochs", 1);
    document.set("train.epochs", 12);
    document.set("run.seed", 7);
    document.choose("optimizer", "adamw");
    COMPARE_JSON(document.value("optimizer.type"), Json("adamw"));
    document.undo();
    COMPARE_JSON(document.value("optimizer.lr"), Json(0.1));
    document.undo();
    COMPARE_JSON(document.value("run.seed"), document.fallback("run.seed"));
    document.undo();
    QVERIFY(document.given() == before);
    QVERIFY(!document.canUndo());
    QVERIFY(!document.edited());
    document.redo();
    COMPARE_JSON(document.value("train.epochs"), Json(12));
    document.redo();
    document.redo();
    COMPARE_JSON(document.value("optimizer.type"), Json("adamw"));
    QVERIFY(!document.canRedo());
    document.undo();
    document.set("train.epochs", 5);
    QVERIFY(!document.canRedo());
  }

  void choosingRemembersEachEntry() {
    RecipeDocument document;
    QVERIFY(document.open(box_.write("d/flowers.toml", kRecipe)));
    document.set("model.weights", "w.safetensors");
    document.choose("model", "smallcnn");
    QVERIFY(document.problems().empty());
    QVERIFY(document.value("model.hidden").is_null());
    COMPARE_JSON(document.value("model.weights"), Json("w.safetensors"));
    document.choose("model", "mlp");
    COMPARE_JSON(document.value("model.hidden"), Json({64, 32}));
    document.choose("model", "no such thing");
    COMPARE_JSON(document.value("model.arch"), Json("mlp"));
  }

  void everyEntryOfEveryCatalogueCanBeChosen() {
    RecipeDocument document;
    QVERIFY(document.open(box_.write("e/flowers.toml", kRecipe)));
    int chosen = 0;
    for (const auto& section : catalogue::sections()) {
      if (section.selector.empty() || section.repeated) continue;
      for (const auto& entry : section.choices) {
        document.choose(QString::fromStdString(section.key), QString::fromStdString(entry.id));
        QVERIFY2(document.problems().empty(), entry.id.c_str());
        COMPARE_JSON(document.value(QString::fromStdString(section.key + "." + section.selector)), Json(entry.id));
        ++chosen;
      }
    }
    QVERIFY(chosen >= 15);
  }

  void savesByItself() {
    const QString file = box_.write("f/flowers.toml", kRecipe);
    RecipeDocument document;
    QVERIFY(document.open(file));
    document.set("train.epochs", 21);
    const auto saved = [&] {
      const auto text = readFile(file.toStdString());
      const auto parsed = text ? recipe::parseToml(*text, "") : Result<recipe::Parsed>(tl::unexpected(text.error()));
      return parsed ? valueAt(parsed->document, "train.epochs") : Json();
    };
    QTRY_VERIFY_WITH_TIMEOUT(saved() == Json(21), 5000);
    document.set("train.epochs", 22);
    document.flush();
    COMPARE_JSON(saved(), Json(22));
    {
      RecipeDocument other;
      QVERIFY(other.open(file));
      other.set("train.epochs", 23);
    }
    COMPARE_JSON(saved(), Json(23));
  }

  void failedSavingIsTold() {
    const QString file = box_.write("g/flowers.toml", kRecipe);
    RecipeDocument document;
    QVERIFY(document.open(file));
    // A folder in the place of the recipe's own.
    QVERIFY(QFile::remove(file));
    QVERIFY(QDir().mkpath(file + "/x"));
    QSignalSpy failed(&document, &RecipeDocument::saveFailed);
    document.set("train.epochs", 9);
    document.flush();
    QTRY_COMPARE_WITH_TIMEOUT(failed.count(), 1, 5000);
  }

  void draftsGetFreeNames() {
    RecipeDocument document;
    const Json draft = recipe::draftFor("/somewhere/wild flowers");
    document.startDraft(draft);
    document.flush();
    const QString first = document.file();
    document.startDraft(draft);
    document.flush();
    QVERIFY(document.file() != first);
    QVERIFY(QFileInfo::exists(first));
    QVERIFY(QFileInfo::exists(document.file()));
    QCOMPARE(document.name(), QFileInfo(document.file()).completeBaseName());
    QVERIFY(RecipeDocument::drafts().contains(first));
    QVERIFY(document.problems().empty());
  }

  void practiceIsCopiedNotChanged() {
    const QString file = box_.write("shipped/practice.toml", kRecipe);
    RecipeDocument document;
    QVERIFY(document.openPractice(file));
    COMPARE_JSON(document.value("data.path"), Json(box_.path("shipped/pictures").toStdString()));
    document.set("train.epochs", 2);
    document.flush();
    QCOMPARE(document.file(), RecipeDocument::draftsFolder() + "/practice.toml");
    QVERIFY(QFileInfo::exists(document.file()));
    const auto shipped = readFile(file.toStdString());
    QVERIFY(shipped && *shipped == kRecipe);
  }

  void differencesOfDocuments() {
    const Json a = {{"train", {{"epochs", 3}, {"batch_size", 8}}}, {"parallel", {{"devices", {"cpu"}}}}};
    Json b = a;
    QVERIFY(differences(a, b).isEmpty());
    b["train"]["epochs"] = 4;
    b["parallel"]["devices"] = {"cuda:0"};
    b["optimizer"]["lr"] = 0.1;
    QCOMPARE(differences(a, b), QStringList({"train.epochs", "parallel.devices", "optimizer.lr"}));
    // The order of keys is not a difference.
    const Json c = {{"parallel", {{"devices", {"cpu"}}}}, {"train", {{"batch_size", 8}, {"epochs", 3}}}};
    QVERIFY(differences(a, c).isEmpty());
  }

  void keyPaths() {
    Json document = {{"augment", {{{"op", "resize"}, {"size", 8}}}}};
    COMPARE_JSON(valueAt(document, "augment[0].size"), Json(8));
    QVERIFY(valueAt(document, "augment[1].size").is_null());
    putAt(document, "augment[0].size", 16);
    COMPARE_JSON(valueAt(document, "augment[0].size"), Json(16));
    putAt(document, "augment[3].size", 1);
    putAt(document, "train.epochs", 5);
    QCOMPARE(document.at("augment").size(), size_t(1));
    COMPARE_JSON(valueAt(document, "train.epochs"), Json(5));
    putAt(document, "train.epochs", nullptr);
    QVERIFY(valueAt(document, "train.epochs").is_null());
    QCOMPARE(pageOf("data.path"), QString("data"));
    QCOMPARE(pageOf("model.arch"), QString("model"));
    QCOMPARE(pageOf("optimizer.lr"), QString("train"));
  }
};

QTEST_MAIN(RecipeDocumentTest)
#include "tst_recipe_document.moc"
