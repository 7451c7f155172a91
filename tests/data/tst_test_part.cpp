#include <unistd.h>

#include <QTemporaryDir>
#include <algorithm>
#include <set>

#include "core/data/test_part.h"
#include "core/data/training_data.h"
#include "tests/data/support.h"

using namespace trainyard;
using namespace trainyard::data;
using namespace trainyard::data::test;

class TestTestPart : public QObject {
  Q_OBJECT

  QTemporaryDir temporary_;
  fs::path pictures_;

  recipe::Recipe recipeWith(uint64_t seed, Json test, const std::string& name = "flowers") const {
    recipe::Recipe recipe;
    recipe.run = {name, seed};
    recipe.data = dataOf("image-folder", pictures_, 0.1);
    recipe.data.test = std::move(test);
    recipe.train.batch_size = 4;
    return recipe;
  }

  // As a run that starts: opens, and settles what it drew.
  static Result<Opened> started(const recipe::Recipe& recipe) {
    TRAINYARD_TRY(Opened opened, openWithTestPart(recipe));
    TRAINYARD_CHECK(settleTestPart(recipe, *opened.dataset, opened.parts.test));
    return opened;
  }

  static std::set<std::string> namesOf(const Opened& opened, const std::vector<uint64_t>& part) {
    std::set<std::string> names;
    for (const uint64_t index : part) names.insert(opened.dataset->name(index));
    return names;
  }

 private Q_SLOTS:
  void init() {
    static int count = 0;
    const fs::path root = pathOf(temporary_.path()) / std::to_string(count++);
    qputenv("XDG_DATA_HOME", QByteArray::fromStdString((root / "home").string()));
    pictures_ = root / "pictures";
    for (int i = 0; i < 40; ++i) write(pictures_ / (i % 2 ? "a" : "b") / (std::to_string(i) + ".png"), png(1, 1, {1, 2, 3}));
  }

  void staysTheSame() {
    QVERIFY(testPartOf(recipeWith(1, 0.2))->made == 0);
    const auto first = started(recipeWith(1, 0.2));
    TRAINYARD_VERIFY(first);
    const auto names = namesOf(*first, first->parts.test);
    QCOMPARE(names.size(), size_t{8});
    QCOMPARE(classCounts(*first->dataset, first->parts.validation), (std::vector<uint64_t>{2, 2}));
    QCOMPARE(first->parts.train.size(), size_t{28});
    // Another seed draws other validation samples, the test part stays.
    const auto second = started(recipeWith(2, 0.2));
    TRAINYARD_VERIFY(second);
    QVERIFY(namesOf(*second, second->parts.test) == names);
    QVERIFY(namesOf(*second, second->parts.validation) != namesOf(*first, first->parts.validation));
    for (const auto& name : namesOf(*second, second->parts.validation)) QVERIFY(!names.contains(name));
    // So it does with another share, and for who only looks.
    const auto looked = openWithTestPart(recipeWith(3, 0.5));
    TRAINYARD_VERIFY(looked);
    QVERIFY(namesOf(*looked, looked->parts.test) == names);
    const auto record = testPartOf(recipeWith(9, 0.2));
    TRAINYARD_VERIFY(record);
    QCOMPARE((std::set<std::string>(record->names.begin(), record->names.end())), names);
    QVERIFY(record->made > 1.5e9 && record->openings.empty());
  }

  void filesComeAndGo() {
    const auto first = started(recipeWith(1, 0.2));
    TRAINYARD_VERIFY(first);
    auto names = namesOf(*first, first->parts.test);
    const std::string gone = *names.begin();
    fs::remove(pictures_ / gone);
    names.erase(gone);
    for (int i = 100; i < 140; ++i) write(pictures_ / "a" / (std::to_string(i) + ".png"), png(1, 1, {1, 2, 3}));
    const auto later = started(recipeWith(1, 0.2));
    TRAINYARD_VERIFY(later);
    QVERIFY(namesOf(*later, later->parts.test) == names);
  }

  // A new picture of a group that is set aside is of no part: it would give the test away.
  void groupsOfTheTestPart() {
    recipe::Recipe recipe = recipeWith(1, 0.25);
    for (int i = 0; i < 40; ++i) {
      fs::remove(pictures_ / (i % 2 ? "a" : "b") / (std::to_string(i) + ".png"));
      write(pictures_ / (i % 2 ? "a" : "b") / ("p" + std::to_string(i / 4) + "_" + std::to_string(i) + ".png"), png(1, 1, {1, 2, 3}));
    }
    recipe.data.group = "name";
    recipe.data.group_pattern = "^(p[0-9]+)_";
    const auto first = started(recipe);
    TRAINYARD_VERIFY(first);
    QVERIFY(!first->parts.test.empty());
    const fs::path tested = first->dataset->name(first->parts.test[0]);
    const std::string file = tested.filename().string();
    const fs::path sibling = tested.parent_path() / (file.substr(0, file.find('_')) + "_new.png");
    write(pictures_ / sibling, png(1, 1, {1, 2, 3}));
    const auto later = started(recipe);
    TRAINYARD_VERIFY(later);
    QCOMPARE(later->dataset->size(), first->dataset->size() + 1);
    QVERIFY(namesOf(*later, later->parts.test) == namesOf(*first, first->parts.test));
    for (const auto* part : {&later->parts.train, &later->parts.validation, &later->parts.test}) QVERIFY(!namesOf(*later, *part).contains(sibling.string()));
  }

  void lookingSettlesNothing() {
    const auto looked = openWithTestPart(recipeWith(1, 0.2));
    TRAINYARD_VERIFY(looked);
    QCOMPARE(looked->parts.test.size(), size_t{8});
    QVERIFY(testPartOf(recipeWith(1, 0.2))->made == 0);
    QVERIFY(!fs::exists(dataHome()));
    // What it showed is what is then set aside.
    const auto settled = started(recipeWith(1, 0.2));
    TRAINYARD_VERIFY(settled);
    QVERIFY(namesOf(*settled, settled->parts.test) == namesOf(*looked, looked->parts.test));
  }

  void otherRecipesHaveTheirOwn() {
    TRAINYARD_VERIFY(started(recipeWith(1, 0.2)));
    QVERIFY(testPartOf(recipeWith(1, 0.2, "trees"))->made == 0);
    recipe::Recipe elsewhere = recipeWith(1, 0.2);
    elsewhere.data.path = pictures_ / "a";
    QVERIFY(testPartOf(elsewhere)->made == 0);
    recipe::Recipe other_way = recipeWith(1, 0.2);
    other_way.data.path = pictures_ / ".." / "pictures";
    QVERIFY(testPartOf(other_way)->made > 0);
  }

  void openingsAreRecorded() {
    const recipe::Recipe recipe = recipeWith(1, 0.2);
    TRAINYARD_VERIFY(started(recipe));
    QVERIFY(recordOpening(recipe, "20261130-flowers", 8).has_value());
    QVERIFY(recordOpening(recipe, "20261201-flowers", 7).has_value());
    const auto record = testPartOf(recipe);
    TRAINYARD_VERIFY(record);
    QCOMPARE(record->openings.size(), size_t{2});
    QCOMPARE(record->openings[1].run, std::string("20261201-flowers"));
    QCOMPARE(record->openings[1].samples, uint64_t{7});
    QVERIFY(record->openings[0].time > 1.5e9);
    QCOMPARE(record->names.size(), size_t{8});
  }

  // A test folder of its own needs no drawing, but its openings count as well.
  void pathsAreNotDrawn() {
    for (int i = 0; i < 3; ++i) write(pictures_.parent_path() / "test" / (i % 2 ? "a" : "b") / (std::to_string(i) + ".png"), png(1, 1, {1, 2, 3}));
    const recipe::Recipe recipe = recipeWith(1, displayPath(pictures_.parent_path() / "test"));
    const auto opened = started(recipe);
    TRAINYARD_VERIFY(opened);
    QCOMPARE(opened->parts.test, (std::vector<uint64_t>{40, 41, 42}));
    QVERIFY(opened->dataset->part(41) == Part::Test);
    QVERIFY(testPartOf(recipe)->made == 0);
    QVERIFY(recordOpening(recipe, "run", 3).has_value());
    QCOMPARE(testPartOf(recipe)->openings.size(), size_t{1});
  }

  void damagedAndUnwritable() {
    TRAINYARD_VERIFY(started(recipeWith(1, 0.2)));
    for (const auto& entry : fs::directory_iterator(dataHome() / "test-parts")) write(entry.path(), "{\"names\": 3");
    compareError(started(recipeWith(1, 0.2)).error(), ErrorCode::Data, {"test-parts", "damaged"});
    fs::remove_all(dataHome());
    write(dataHome(), "a file in the way");
    compareError(started(recipeWith(1, 0.2)).error(), ErrorCode::Failed, {"test-parts", "XDG_DATA_HOME"});
    compareError(recordOpening(recipeWith(1, 0.2), "run", 3).error(), ErrorCode::Failed, {"test-parts", "XDG_DATA_HOME"});
    TRAINYARD_VERIFY(openWithTestPart(recipeWith(1, 0.2)));
  }

  // Two runs that start at once and drew differently: the second is told.
  void settledByAnotherMeanwhile() {
    const auto first = openWithTestPart(recipeWith(1, 0.2)), second = openWithTestPart(recipeWith(2, 0.2));
    TRAINYARD_VERIFY(first);
    TRAINYARD_VERIFY(second);
    QVERIFY(first->parts.test != second->parts.test);
    TRAINYARD_VERIFY(settleTestPart(recipeWith(1, 0.2), *first->dataset, first->parts.test));
    compareError(settleTestPart(recipeWith(2, 0.2), *second->dataset, second->parts.test).error(), ErrorCode::Failed, {"another run", "start this run again"});
    const auto record = testPartOf(recipeWith(2, 0.2));
    QCOMPARE((std::set<std::string>(record->names.begin(), record->names.end())), namesOf(*first, first->parts.test));
  }

  // Opening for training settles nothing; once settled, a run that goes on gets the same whatever its seed.
  void forTraining() {
    const auto data = openForTraining(recipeWith(1, 0.2));
    TRAINYARD_VERIFY(data);
    QCOMPARE(data->parts.test.size(), size_t{8});
    QVERIFY(testPartOf(recipeWith(1, 0.2))->made == 0);
    TRAINYARD_VERIFY(settleTestPart(recipeWith(1, 0.2), *data->dataset, data->parts.test));
    const auto resumed = openForTraining(recipeWith(5, 0.2), recordOf(*data));
    TRAINYARD_VERIFY(resumed);
    QCOMPARE(resumed->parts.test, data->parts.test);
  }
};

QTEST_APPLESS_MAIN(TestTestPart)
#include "tst_test_part.moc"
