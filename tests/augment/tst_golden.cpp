#include <functional>
#include <map>

#include "core/augment/colour.h"
#include "core/augment/mix.h"
#include "core/augment/operations.h"
#include "core/augment/resample.h"
#include "core/augment/warp.h"
#include "core/base/files.h"
#include "tests/augment/support.h"

using namespace trainyard;
using namespace trainyard::augment;
using namespace trainyard::augment::test;

// Every kernel against torchvision's function, on the pictures of tests/golden/make_augment.py.
class TestGolden : public QObject {
  Q_OBJECT

  static const Json& golden() {
    static const Json kGolden = [] {
      const auto text = readFile(fs::path(TEST_DATA_DIR) / "../golden/augment.json");
      return text ? Json::parse(*text) : Json();
    }();
    return kGolden;
  }

  static Interpolation modeOf(const Json& a) { return a.at("mode") == "nearest" ? Interpolation::Nearest : Interpolation::Bilinear; }

  static Fill fillOf(const Json& a) {
    const Json& fill = a.at("fill");
    if (fill.is_null()) return {};
    if (fill.is_array()) return fill.get<std::array<float, 3>>();
    const auto level = fill.get<float>();
    return Fill({level, level, level});
  }

  static std::optional<Point> centerOf(const Json& a) { return a.at("center").is_null() ? std::nullopt : std::optional(a.at("center").get<Point>()); }

  static Kind kindOf(const std::string& name) {
    static const std::vector<std::string> kNames = {"Identity", "ShearX",   "ShearY",    "TranslateX", "TranslateY",   "Rotate",   "Brightness", "Color",
                                                    "Contrast", "Sharpness", "Posterize", "Solarize",   "AutoContrast", "Equalize", "Invert"};
    return static_cast<Kind>(std::find(kNames.begin(), kNames.end(), name) - kNames.begin());
  }

  // A recipe's step that always gives the same.
  static cv::Mat chain(const std::string& id, Json params, const cv::Mat& picture) { return pixels(recipeOf({{id, std::move(params)}}), picture, true); }

  static cv::Mat padded(const cv::Mat& picture, const Json& a) {
    const auto sides = a.at("padding").get<std::vector<int>>();
    const Json size = {picture.rows + sides[1] + sides[3], picture.cols + sides[0] + sides[2]};
    return chain("random_crop", {{"size", size}, {"padding", sides}, {"fill", a.at("fill")}, {"padding_mode", a.at("mode")}}, picture);
  }

  static cv::Mat resizedAs(const cv::Mat& picture, const Json& a) {
    Json params = {{"size", a.at("size")}, {"interpolation", a.at("mode")}};
    if (a.contains("max_size")) params["max_size"] = a.at("max_size");
    return chain("resize", params, picture);
  }

  using Step = std::function<cv::Mat(const cv::Mat&, const Json&)>;

  static const std::map<std::string, Step>& steps() {
    static const auto factor = [](cv::Mat (*change)(const cv::Mat&, double)) { return Step([change](const cv::Mat& p, const Json& a) { return change(p, a.at("by")); }); };
    static const auto plain = [](cv::Mat (*change)(const cv::Mat&)) { return Step([change](const cv::Mat& p, const Json&) { return change(p); }); };
    static const std::map<std::string, Step> kSteps = {
        {"hflip", [](const cv::Mat& p, const Json&) { return chain("random_horizontal_flip", {{"p", 1}}, p); }},
        {"vflip", [](const cv::Mat& p, const Json&) { return chain("random_vertical_flip", {{"p", 1}}, p); }},
        {"invert", plain(inverted)},
        {"grey", plain(grey)},
        {"autocontrast", plain(autocontrasted)},
        {"equalize", plain(equalized)},
        {"posterize", [](const cv::Mat& p, const Json& a) { return posterized(p, a.at("by")); }},
        {"solarize", factor(solarized)},
        {"brightness", factor(withBrightness)},
        {"contrast", factor(withContrast)},
        {"saturation", factor(withSaturation)},
        {"hue", factor(withHue)},
        {"sharpness", factor(withSharpness)},
        {"blur", [](const cv::Mat& p, const Json& a) { return blurred(p, {a.at("window")[0], a.at("window")[1]}, a.at("sigma")); }},
        {"pad", padded},
        {"center_crop", [](const cv::Mat& p, const Json& a) { return chain("center_crop", a, p); }},
        {"resize", resizedAs},
        {"affine",
         [](const cv::Mat& p, const Json& a) {
           const Affine move{a.at("angle"), a.at("translate")[0], a.at("translate")[1], a.at("scale"), a.at("shear")[0], a.at("shear")[1]};
           return affine(p, move, modeOf(a), fillOf(a), centerOf(a));
         }},
        {"rotate", [](const cv::Mat& p, const Json& a) { return rotated(p, a.at("angle"), modeOf(a), a.at("expand"), fillOf(a), centerOf(a)); }},
        {"perspective",
         [](const cv::Mat& p, const Json& a) { return perspective(p, perspectiveOf(a.at("from").get<Corners>(), a.at("to").get<Corners>()), modeOf(a), fillOf(a)); }},
        {"operation", [](const cv::Mat& p, const Json& a) { return operate(p, {kindOf(a.at("kind")), a.at("magnitude")}, modeOf(a), fillOf(a)); }},
    };
    return kSteps;
  }

 private Q_SLOTS:
  void pictures_data() {
    QTest::addColumn<int>("index");
    QVERIFY(golden().is_object());
    const Json& cases = golden().at("pictures");
    QVERIFY(cases.size() > 80);
    for (size_t i = 0; i < cases.size(); ++i) {
      const Json& one = cases[i];
      QTest::addRow("%d %s %s, %d channels", static_cast<int>(i), one.at("step").get<std::string>().c_str(), one.at("arguments").dump().c_str(), one.at("channels").get<int>())
          << static_cast<int>(i);
    }
  }

  void pictures() {
    QFETCH(int, index);
    const Json& one = golden().at("pictures")[static_cast<size_t>(index)];
    const cv::Mat picture = formula(one.at("height"), one.at("width"), one.at("channels"));
    const cv::Mat before = picture.clone();
    const cv::Mat result = steps().at(one.at("step"))(picture, one.at("arguments"));
    QVERIFY2(same(picture, before), "the picture itself was changed");
    QByteArray bytes = QByteArray::fromBase64(QByteArray::fromStdString(one.at("pixels").get<std::string>()));
    const cv::Mat expected(one.at("to_height"), one.at("to_width"), picture.type(), bytes.data());
    QCOMPARE(QSize(result.cols, result.rows), QSize(expected.cols, expected.rows));
    cv::Mat difference;
    cv::absdiff(result, expected, difference);
    double most = 0;
    cv::minMaxLoc(difference.reshape(1), nullptr, &most);
    QVERIFY2(most <= one.at("near").get<double>(), qPrintable(QString("%1 levels apart in places, %2 values differ").arg(most).arg(cv::countNonZero(difference.reshape(1)))));
  }

  // A window into a larger picture is read with its own stride.
  void windows() {
    const cv::Mat whole = formula(40, 50, 3);
    const cv::Mat window = whole(cv::Rect(7, 5, 13, 11));
    for (const auto& one : golden().at("pictures")) {
      if (one.at("channels") != 3 || one.at("height") != 11) continue;
      const Step& step = steps().at(one.at("step"));
      QVERIFY2(same(step(window, one.at("arguments")), step(window.clone(), one.at("arguments"))), one.at("step").get<std::string>().c_str());
    }
  }

  void magnitudes() {
    for (const auto& one : golden().at("magnitudes")) {
      const Kind kind = kindOf(one.at("kind"));
      const Space space = one.at("space") == "wide" ? Space::Wide : Space::Usual;
      QCOMPARE(isSigned(kind), one.at("signed").get<bool>());
      if (one.at("values").is_null()) continue;
      const int grades = one.at("grades");
      for (int i = 0; i < grades; ++i) {
        const double expected = one.at("values")[static_cast<size_t>(i)], found = magnitudeOf(kind, space, i, grades, cv::Size(80, 48));
        QVERIFY2(std::abs(found - expected) <= 1e-6 * std::abs(expected), qPrintable(QString("%1 of %2: %3, expected %4").arg(i).arg(one.dump().c_str()).arg(found).arg(expected)));
      }
    }
  }

  // Four samples of a step, as one micro-batch and as four: partners are the samples before them, the first one's the last.
  void mixes() {
    const Json& mixes = golden().at("mixes");
    const auto batch = mixes.at("batch").get<std::vector<float>>();
    const Shape shape{2, 3, 5};
    const size_t one = batch.size() / 4;
    const std::pair<const char*, Mix> kMixes[] = {{"mixup", {Mix::Kind::Mixup, 0.3F, {}}}, {"cutmix", {Mix::Kind::Cutmix, 0.6F, cv::Rect(1, 0, 3, 2)}}};
    for (const auto& [name, mix] : kMixes) {
      const auto expected = mixes.at(name).get<std::vector<float>>();
      std::vector<float> mixed = batch;
      for (size_t i = 0; i < 4; ++i) augment::apply(mix, shape, std::span(mixed).subspan(i * one, one), std::span(batch).subspan((i + 3) % 4 * one, one));
      for (size_t i = 0; i < mixed.size(); ++i) QVERIFY2(std::abs(mixed[i] - expected[i]) < 1e-5F, name);
    }
  }
};

QTEST_APPLESS_MAIN(TestGolden)
#include "tst_golden.moc"
