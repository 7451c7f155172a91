#include <algorithm>
#include <cmath>
#include <opencv2/core.hpp>

#include "core/augment/ops.h"

namespace trainyard::augment {

namespace {

struct Border {
  int left = 0, top = 0, right = 0, bottom = 0;
};

// The window that starts at (x, y), which may lie partly outside: there it is `fill`.
cv::Mat window(const cv::Mat& picture, int x, int y, Size size, const cv::Scalar& fill) {
  const cv::Rect inside = cv::Rect(x, y, size.width, size.height) & cv::Rect(0, 0, picture.cols, picture.rows);
  if (inside.width == size.width && inside.height == size.height) return picture(inside);
  cv::Mat result(size.height, size.width, picture.type(), fill);
  if (!inside.empty()) picture(inside).copyTo(result(cv::Rect(inside.x - x, inside.y - y, inside.width, inside.height)));
  return result;
}

// The same of a picture that is not decoded yet: no more of it than the window holds.
Result<cv::Mat> window(Source& source, int x, int y, Size size, const cv::Scalar& fill) {
  const cv::Rect inside = cv::Rect(x, y, size.width, size.height) & cv::Rect(0, 0, source.width(), source.height());
  if (inside.empty()) {
    TRAINYARD_TRY(const cv::Mat picture, source.all());
    return window(picture, x, y, size, fill);
  }
  TRAINYARD_TRY(const Cut cut, source.part(inside, inside.size()));
  return window(cut.pixels(cv::Rect(cut.box)), x - inside.x, y - inside.y, size, fill);
}

// torchvision rounds half to even, as Python does.
int centered(int whole, int part) { return static_cast<int>(std::nearbyint((whole - part) / 2.0)); }

class CenterCrop : public Op {
 public:
  explicit CenterCrop(Size size) : size_(size) {}
  Result<cv::Mat> apply(const cv::Mat& picture, Random&) const override {
    const cv::Point start = startIn(picture.rows, picture.cols);
    return window(picture, start.x, start.y, size_, cv::Scalar());
  }
  Result<cv::Mat> begin(Source& source, Random&) const override {
    const cv::Point start = startIn(source.height(), source.width());
    return window(source, start.x, start.y, size_, cv::Scalar());
  }

 private:
  cv::Point startIn(int height, int width) const {
    // A smaller picture gets a border first: half of what is missing, cut down, on the left and top.
    const int left = std::max(0, size_.width - width) / 2, top = std::max(0, size_.height - height) / 2;
    return {size_.width > width ? -left : centered(width, size_.width), size_.height > height ? -top : centered(height, size_.height)};
  }

  Size size_;
};

Error tooSmall(int height, int width, Size size) {
  return {ErrorCode::Recipe,
          "the picture, " + sizeText(height, width) + " with its padding, is smaller than the crop of " + sizeText(size.height, size.width),
          {},
          "use a smaller crop, resize before it, or set pad_if_needed = true"};
}

class RandomCrop : public Op {
 public:
  RandomCrop(Size size, Border border, bool pad_if_needed, int mode, const cv::Scalar& fill)
      : size_(size), border_(border), pad_if_needed_(pad_if_needed), mode_(mode), fill_(fill) {}

  Result<cv::Mat> apply(const cv::Mat& picture, Random& random) const override {
    const Border border = borderOf(picture.rows, picture.cols);
    TRAINYARD_TRY(const cv::Point start, startIn(picture.rows, picture.cols, border, random));
    if (mode_ == cv::BORDER_CONSTANT) return window(picture, start.x - border.left, start.y - border.top, size_, fill_);
    cv::Mat padded;
    cv::copyMakeBorder(picture, padded, border.top, border.bottom, border.left, border.right, mode_ | cv::BORDER_ISOLATED);
    return padded(cv::Rect(start.x, start.y, size_.width, size_.height));
  }

  Result<cv::Mat> begin(Source& source, Random& random) const override {
    if (mode_ != cv::BORDER_CONSTANT) return Op::begin(source, random);  // mirrored borders need what lies outside the window
    const Border border = borderOf(source.height(), source.width());
    TRAINYARD_TRY(const cv::Point start, startIn(source.height(), source.width(), border, random));
    return window(source, start.x - border.left, start.y - border.top, size_, fill_);
  }

 private:
  // A picture that is still too small gets what is missing on both sides, as torchvision does.
  Border borderOf(int height, int width) const {
    Border border = border_;
    if (!pad_if_needed_) return border;
    const int rows = std::max(size_.height - (height + border.top + border.bottom), 0),
              columns = std::max(size_.width - (width + border.left + border.right), 0);
    return {border.left + columns, border.top + rows, border.right + columns, border.bottom + rows};
  }

  // In the padded picture.
  Result<cv::Point> startIn(int picture_height, int picture_width, const Border& border, Random& random) const {
    const int height = picture_height + border.top + border.bottom, width = picture_width + border.left + border.right;
    if (height < size_.height || width < size_.width) return tl::unexpected(tooSmall(height, width, size_));
    const auto y = static_cast<int>(random.below(static_cast<uint64_t>(height - size_.height) + 1));
    const auto x = static_cast<int>(random.below(static_cast<uint64_t>(width - size_.width) + 1));
    return cv::Point(x, y);
  }

  Size size_;
  Border border_;
  bool pad_if_needed_;
  int mode_;  // cv::BorderTypes
  cv::Scalar fill_;
};

int borderMode(const std::string& name) {
  return name == "edge" ? cv::BORDER_REPLICATE : name == "reflect" ? cv::BORDER_REFLECT_101 : name == "symmetric" ? cv::BORDER_REFLECT : cv::BORDER_CONSTANT;
}

// A number; [left and right, top and bottom]; or [left, top, right, bottom].
Border borderFrom(const Json& value) {
  if (!value.is_array()) {
    const int all = value.is_number() ? value.get<int>() : 0;
    return {all, all, all, all};
  }
  const auto sides = value.get<std::vector<int>>();
  if (sides.size() == 2) return {sides[0], sides[1], sides[0], sides[1]};
  return sides.size() == 4 ? Border{sides[0], sides[1], sides[2], sides[3]} : Border{};
}

}  // namespace

std::shared_ptr<const Op> centerCrop(Size size) { return std::make_shared<CenterCrop>(size); }

Steps squareSteps(int edge, Building& building) {
  give(building, {edge, edge});
  return {resizeShorter(edge), centerCrop({edge, edge})};
}

Result<Steps> makeCenterCrop(const Json& params, Building& building) {
  const Size size = sizeFrom(params.at("size"));
  give(building, size);
  return Steps{centerCrop(size)};
}

Result<Steps> makeRandomCrop(const Json& params, Building& building) {
  const Size size = sizeFrom(params.at("size"));
  const Border border = borderFrom(params.value("padding", Json(0)));
  const int height = building.shape.height + border.top + border.bottom, width = building.shape.width + border.left + border.right;
  const bool pad_if_needed = params.value("pad_if_needed", false);
  if (!pad_if_needed && (height < size.height || width < size.width)) {
    Error error = tooSmall(height, width, size);
    return fail(ErrorCode::Recipe, std::move(error.what), building.where, std::move(error.hint));
  }
  TRAINYARD_TRY(const Fill fill, fillFrom(params, 0, building));
  give(building, size);
  if (!building.training) return Steps{centerCrop(size)};
  const int mode = borderMode(params.value("padding_mode", std::string("constant")));
  return Steps{std::make_shared<RandomCrop>(size, border, pad_if_needed, mode, cv::Scalar((*fill)[0], (*fill)[1], (*fill)[2]))};
}

}  // namespace trainyard::augment
