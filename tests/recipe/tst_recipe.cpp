#include <QTemporaryDir>
#include <QTest>

#include "core/catalogue/catalogue.h"
#include "core/recipe/recipe.h"

using namespace trainyard;
using namespace trainyard::recipe;

namespace {

const std::string kGood = R"([run]
name = "flowers"
[data]
path = "pictures"
[model]
arch = "smallcnn"
)";

}  // namespace

class TestRecipe : public QObject {
  Q_OBJECT
  QTemporaryDir dir_;

  fs::path write(const std::string& text) const {
    const fs::path file = fs::path(dir_.path().toStdString()) / "recipe.toml";
    [&] { QVERIFY(replaceFile(file, text)); }();
    return file;
  }

 private Q_SLOTS:
  void defaultsAreWrittenOut() {
    const auto recipe = load(write(kGood));
    QVERIFY2(recipe, recipe ? "" : toText(recipe.error()).c_str());
    QCOMPARE(recipe->run.seed, uint64_t{42});
    QCOMPARE(recipe->optimizer.id, std::string("adamw"));
    QCOMPARE(recipe->optimizer.number("lr"), 0.001);
    QCOMPARE(recipe->train.clip_norm, 0.0);
    QCOMPARE(recipe->data.path, fs::path(dir_.path().toStdString()) / "pictures");
    QVERIFY(recipe->document["train"]["batch_size"] == Json(64));
    QVERIFY(!recipe->document["train"].contains("clip_norm"));
  }

  void writtenRecipesReadBackEqual() {
    auto recipe = load(write(kGood), {"run.name=\"a \\\"b\\\" ñ\\n数据\"", "optimizer.lr=2e-4", "train.clip_norm=1.0", "data.validation=0.25"});
    QVERIFY2(recipe, recipe ? "" : toText(recipe.error()).c_str());
    const auto again = load(write(writeToml(recipe->document)));
    QVERIFY2(again, again ? "" : toText(again.error()).c_str());
    QCOMPARE(compactJson(again->document), compactJson(recipe->document));
    QCOMPARE(again->run.name, std::string("a \"b\" ñ\n数据"));
  }

  void stepsInsideStepsGetDefaultsAndReadBackEqual() {
    const std::string text = kGood + R"([[augment]]
op = "random_apply"
p = 0.25
transforms = [
  { op = "color_jitter", brightness = 0.4, hue = [-0.1, 0.1] },
  { op = "random_choice", transforms = [{ op = "random_invert", enabled = false }, { op = "random_posterize", bits = 4 }] },
]
)";
    const auto recipe = load(write(text));
    QVERIFY2(recipe, recipe ? "" : toText(recipe.error()).c_str());
    const Json& inner = recipe->augment.at(0).params.at("transforms").at(1).at("transforms");
    QVERIFY(inner.at(0).at("enabled") == Json(false) && inner.at(0).at("p") == Json(0.5));
    QVERIFY(inner.at(1).at("enabled") == Json(true) && inner.at(1).at("bits") == Json(4));
    const std::string written = writeToml(recipe->document);
    QVERIFY2(written.find("transforms = [\n  { op = \"color_jitter\"") != std::string::npos, written.c_str());
    const auto again = load(write(written));
    QVERIFY2(again, again ? "" : toText(again.error()).c_str());
    QVERIFY(again->document == recipe->document);
  }

  void tooDeepStepsAreRefused() {
    Json step = {{"op", "random_invert"}};
    for (int depth = 0; depth < 20; ++depth) step = {{"op", "random_apply"}, {"transforms", Json::array({step})}};
    auto parsed = parseToml(kGood, "r");
    QVERIFY(parsed);
    parsed->document["augment"] = Json::array({step});
    const Checked checked = check(parsed->document);
    QCOMPARE(checked.problems.size(), size_t{1});
    QVERIFY(QString::fromStdString(checked.problems[0].error.what).contains("8 deep"));
  }

  void everyCatalogueEntryIsAcceptedWithItsDefaults() {
    for (const auto& section : catalogue::sections()) {
      if (section.selector.empty() || section.repeated) continue;
      for (const auto& entry : section.choices) {
        auto parsed = parseToml(kGood, "r");
        QVERIFY(parsed);
        parsed->document[section.key][section.selector] = entry.id;
        const Checked checked = check(parsed->document);
        QVERIFY2(checked.problems.empty(), (entry.id + ": " + (checked.problems.empty() ? "" : toText(checked.problems[0].error))).c_str());
      }
    }
  }

  void bad_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("where");
    QTest::addColumn<QString>("what");
    QTest::addColumn<QString>("hint");
    const auto row = [](const char* name, const std::string& text, const char* where, const char* what, const char* hint) {
      QTest::newRow(name) << QString::fromStdString(text) << where << what << hint;
    };
    row("unknown key names the nearest", kGood + "[train]\nbatchsize = 3\n", ":8:1: train.batchsize", "no key \"batchsize\"", "\"batch_size\"");
    row("unknown table names the nearest", kGood + "[optimiser]\nlr = 3\n", ":7:2: optimiser", "no table \"optimiser\"", "\"optimizer\"");
    row("wrong type", kGood + "[train]\nepochs = \"many\"\n", ":8:1: train.epochs", "\"many\" is not allowed here: it must be a whole number from 1 to 1000000", "");
    row("a fraction is no count", kGood + "[train]\nepochs = 1.5\n", ":8:1: train.epochs", "1.5 is not allowed", "");
    row("out of range", kGood + "[optimizer]\nlr = 0\n", ":8:1: optimizer.lr", "0 is not allowed here: it must be a number above 0", "");
    row("not a number", kGood + "[optimizer]\nlr = nan\n", ":8:1: optimizer.lr", "it must be a number", "");
    row("unknown choice", kGood + "[schedule]\ntype = \"stp\"\n", ":8:1: schedule.type", "\"stp\"", "did you mean \"step\"");
    row("union", kGood.substr(0, kGood.find("[model]")) + "validation = 1.5\n[model]\narch = \"mlp\"\n", ":5:1: data.validation", "1.5 is not allowed", "");
    row("duplicate key", kGood + "[train]\nepochs = 1\nepochs = 2\n", ":9:", "not readable as TOML", "correct this line");
    row("not TOML", kGood + "[train\n", ":7:", "not readable as TOML", "correct this line");
    row("missing", "[run]\nname = \"x\"\n[model]\narch = \"mlp\"\n", "data.path", "is missing", "");
    row("cross-field rule", kGood + "[optimizer]\ntype = \"sgd\"\nmomentum = 0.0\nnesterov = true\n", ":10:1: optimizer.nesterov", "needs a momentum above 0", "momentum = 0.9");
    row("key of another entry", kGood + "[optimizer]\ntype = \"adam\"\nmomentum = 0.5\n", ":9:1: optimizer.momentum", "no key \"momentum\"", "");
    const std::string nested = kGood + "[[augment]]\nop = \"random_choice\"\ntransforms = [\n";
    row("inside a step", nested + "  { op = \"resize\", size = 8 },\n  { op = \"resize\", size = 0 },\n]\n", ":11:20: augment[0].transforms[1].size", "0 is not allowed", "");
    row("inside a step of a step", nested + "  { op = \"random_apply\", transforms = [{ op = \"random_invert\", P = 1 }] },\n]\n", ":10:64: augment[0].transforms[0].transforms[0].P",
        "no key \"P\"", "known here: op, enabled, p");
    row("unknown step inside a step", nested + "  { op = \"resiz\" },\n]\n", ":10:5: augment[0].transforms[0].op", "\"resiz\"", "did you mean \"resize\"");
    row("missing inside a step", nested + "  { op = \"resize\" },\n]\n", "augment[0].transforms[0].size", "is missing", "");
    row("no table inside a step", nested + "  3,\n]\n", ":10:3: augment[0].transforms[0]", "must be a table", "");
    row("a step of no steps", nested + "]\n", ":9:1: augment[0].transforms", "at least 1", "");
    row("a last step inside a step", nested + "  { op = \"mixup\" },\n]\n", ":10:5: augment[0].transforms[0].op", "mixup cannot stand inside another step", "[[augment]]");
    row("weights of other steps", nested + "  { op = \"random_invert\" },\n]\np = [1, 2]\n", ":12:1: augment[0].p", "2 numbers, but there are 1 steps", "");
    row("tables below a table", kGood + "[[augment]]\nop = \"random_apply\"\n[[augment.transforms]]\nop = \"resize\"\nsize = 0\n", ":11:1: augment[0].transforms[0].size", "0 is not allowed", "");
    row("even blur", kGood + "[[augment]]\nop = \"gaussian_blur\"\nkernel_size = [3, 4]\n", ":9:1: augment[0].kernel_size", "4 is even", "5");
    row("strength above its grades", kGood + "[[augment]]\nop = \"rand_augment\"\nmagnitude = 31\n", ":9:1: augment[0].magnitude", "31 is not below", "30");
    row("longer side", kGood + "[[augment]]\nop = \"resize\"\nsize = 8\nmax_size = 8\n", ":10:1: augment[0].max_size", "8 is not larger", "");
    row("range downwards", kGood + "[[augment]]\nop = \"color_jitter\"\nbrightness = [1.5, 0.5]\n", ":9:1: augment[0].brightness", "goes from 1.5 down to 0.5", "smaller number first");
    row("in a list of tables", kGood + "[[augment]]\nop = \"random_crop\"\nsize = 0\n", ":9:1: augment[0].size", "0 is not allowed", "");
  }
  void bad() {
    QFETCH(QString, text);
    QFETCH(QString, where);
    QFETCH(QString, what);
    QFETCH(QString, hint);
    const auto recipe = load(write(text.toStdString()));
    QVERIFY(!recipe);
    QCOMPARE(recipe.error().code, ErrorCode::Recipe);
    const QString shown = QString::fromStdString(toText(recipe.error()));
    QVERIFY2(QString::fromStdString(recipe.error().where).contains(where), qPrintable(shown));
    QVERIFY2(QString::fromStdString(recipe.error().what).contains(what), qPrintable(shown));
    QVERIFY2(QString::fromStdString(recipe.error().hint).contains(hint), qPrintable(shown));
  }

  void allProblemsAreFound() {
    auto parsed = parseToml(kGood + "[train]\nepochs = 0\nbatch_size = 0\n", "r");
    QVERIFY(parsed);
    const Checked checked = check(parsed->document);
    QCOMPARE(checked.problems.size(), size_t{2});
    QCOMPARE(checked.problems[0].key, std::string("train.epochs"));
    QCOMPARE(checked.problems[1].key, std::string("train.batch_size"));
  }

  void overrides() {
    Json document = Json::object();
    QVERIFY(applyOverride(document, "train.epochs=3"));
    QVERIFY(applyOverride(document, "model.arch=mlp"));
    QVERIFY(applyOverride(document, "parallel.devices=[\"cpu\"]"));
    QCOMPARE(compactJson(document), std::string(R"({"train":{"epochs":3},"model":{"arch":"mlp"},"parallel":{"devices":["cpu"]}})"));
    QVERIFY(applyOverride(document, "schedule={type = 'step', gamma = 0.5}"));
    QVERIFY(document["schedule"]["type"] == Json("step") && document["schedule"]["gamma"] == Json(0.5));
    document.erase("schedule");
    for (const char* wrong : {"epochs=3", "train.epochs", ".x=1", "=", "", "={}"}) {
      const auto result = applyOverride(document, wrong);
      QVERIFY2(!result, wrong);
      QCOMPARE(result.error().code, ErrorCode::Usage);
    }
    document["augment"] = Json::array();
    QVERIFY(!applyOverride(document, "augment.op=resize"));
  }

  void draftsAreValid() {
    for (const auto& format : catalogue::formats()) {
      const Checked checked = check(draftFor("/data/flowers/", format.id));
      QVERIFY2(checked.problems.empty(), format.id.c_str());
      QVERIFY(checked.document["run"]["name"] == Json("flowers"));
    }
  }
};

QTEST_APPLESS_MAIN(TestRecipe)
#include "tst_recipe.moc"
