// The preview shows what training gets: the same sample, epoch and seed, normalisation undone.
#include "core/loader/preview.h"
#include "tests/loader/support.h"

using namespace trainyard;
using namespace trainyard::loader;
using namespace trainyard::loader::test;

namespace {

// Coloured ramps of 20×24, told apart by their index. The first can be made unreadable.
class Ramps : public data::Dataset {
 public:
  uint64_t size() const override { return 12; }
  int label(uint64_t index) const override { return static_cast<int>(index % 2); }
  data::Part part(uint64_t) const override { return data::Part::Unassigned; }
  std::string name(uint64_t index) const override { return "ramp " + std::to_string(index); }
  Result<cv::Mat> picture(uint64_t index) const override {
    if (index == 0 && first_broken) return fail(ErrorCode::Data, "is cut short", name(index), "copy it again");
    cv::Mat picture(20, 24, CV_8UC3);
    for (int y = 0; y < picture.rows; ++y) {
      for (int x = 0; x < picture.cols; ++x)
        picture.at<cv::Vec3b>(y, x) = {static_cast<uchar>(x * 10), static_cast<uchar>(y * 12), static_cast<uchar>(index * 20)};
    }
    return picture;
  }
  const std::vector<std::string>& classes() const override { return classes_; }
  bool inMemory() const override { return true; }

  bool first_broken = false;

 private:
  std::vector<std::string> classes_ = {"a", "b"};
};

recipe::Recipe recipeWith(const std::vector<recipe::Choice>& steps) {
  recipe::Recipe recipe;
  recipe.run.seed = 5;
  recipe.augment = steps;
  return recipe;
}

const recipe::Choice kCrop{"random_crop", {{"size", 16}, {"padding", 2}}};
const recipe::Choice kFlip{"random_horizontal_flip", {{"p", 0.5}}};
const recipe::Choice kNormalize{"normalize", {{"mean", {0.485, 0.456, 0.406}}, {"std", {0.229, 0.224, 0.225}}}};

}  // namespace

class TestPreview : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  // Case by case against the numbers of the loader itself.
  void equalsWhatTrainingGets() {
    const auto dataset = std::make_shared<const Ramps>();
    const recipe::Recipe recipe = recipeWith({kCrop, kFlip, kNormalize});
    const augment::Shape stored{3, 20, 24};
    const auto chain = std::make_shared<const augment::Chain>(*augment::Chain::make(recipe, stored, true));
    Options options;
    options.batch_size = 4;
    options.seed = recipe.run.seed;
    const auto loader = make(dataset, upTo(12), pictures(chain), options);
    const auto preview = Preview::make(recipe, stored, true);
    QVERIFY(preview);
    const float mean[] = {0.485F, 0.456F, 0.406F}, std[] = {0.229F, 0.224F, 0.225F};
    for (uint64_t epoch = 0; epoch < 2; ++epoch) {
      for (const Copy& batch : epochOf(*loader)) {
        for (size_t i = 0; i < batch.samples.size(); ++i) {
          const auto seen = preview->picture(*dataset, batch.samples[i], epoch);
          QVERIFY(seen);
          QCOMPARE(seen->rows, 16);
          for (int y = 0; y < 16; ++y) {
            for (int x = 0; x < 16; ++x) {
              for (size_t c = 0; c < 3; ++c) {
                const float number = batch.inputs[((i * 16 + static_cast<size_t>(y)) * 16 + static_cast<size_t>(x)) * 3 + c];
                const float level = (number * std[c] + mean[c]) * 255;
                QVERIFY(std::abs(level - seen->at<cv::Vec3b>(y, x)[static_cast<int>(c)]) <= 1);
              }
            }
          }
        }
      }
    }
  }

  void evaluationHasNothingRandom() {
    const Ramps dataset;
    const auto preview = Preview::make(recipeWith({kCrop, kFlip, kNormalize}), {3, 20, 24}, false);
    QVERIFY(preview);
    const auto first = preview->picture(dataset, 3, 0), later = preview->picture(dataset, 3, 9);
    QVERIFY(first && later);
    const cv::Mat middle = (*dataset.picture(3))(cv::Rect(4, 2, 16, 16));
    for (int y = 0; y < 16; ++y) {
      for (int x = 0; x < 16; ++x)
        QVERIFY(first->at<cv::Vec3b>(y, x) == middle.at<cv::Vec3b>(y, x) && later->at<cv::Vec3b>(y, x) == middle.at<cv::Vec3b>(y, x));
    }
  }

  void withoutNormalisation() {
    const Ramps dataset;
    recipe::Recipe recipe = recipeWith({});
    recipe.data.channels = 1;
    const auto preview = Preview::make(recipe, {3, 20, 24}, true);
    QVERIFY(preview);
    const auto seen = preview->picture(dataset, 3, 0);
    QVERIFY(seen);
    QCOMPARE(seen->channels(), 1);
    QCOMPARE(seen->cols, 24);
  }

  void storedShapeIsOfTheFirstReadable() {
    Ramps dataset;
    dataset.first_broken = true;
    const auto shape = storedShape(dataset, upTo(12));
    QVERIFY(shape && shape->channels == 3 && shape->height == 20 && shape->width == 24);
    const auto none = storedShape(dataset, upTo(1));
    QVERIFY(!none && none.error().code == ErrorCode::Data && none.error().where == "ramp 0");
    QVERIFY(!storedShape(dataset, upTo(0)));
  }

  void errorsNameTheirPlace() {
    Ramps dataset;
    dataset.first_broken = true;
    const auto preview = Preview::make(recipeWith({kFlip}), {3, 20, 24}, true);
    QVERIFY(preview);
    const auto broken = preview->picture(dataset, 0, 0);
    QVERIFY(!broken && broken.error().where == "ramp 0");
    const auto impossible = Preview::make(recipeWith({{"center_crop", {{"size", 16}}}, {"nosuchstep", {}}}), {3, 20, 24}, true);
    QVERIFY(!impossible && impossible.error().code == ErrorCode::Recipe && impossible.error().where.find("augment[1]") != std::string::npos);
  }
};

QTEST_APPLESS_MAIN(TestPreview)
#include "tst_preview.moc"
