#include "ui/pictures/thumbnail.h"

#include <QPainter>
#include <algorithm>

namespace trainyard::ui {
namespace {

constexpr int kTiny = 40;  // pixels

// A view of the pixels, which must outlive it.
QImage viewOf(const cv::Mat& picture) {
  if (picture.empty() || picture.depth() != CV_8U || (picture.channels() != 1 && picture.channels() != 3)) return {};
  const auto format = picture.channels() == 1 ? QImage::Format_Grayscale8 : QImage::Format_RGB888;
  return {picture.data, picture.cols, picture.rows, qsizetype(picture.step[0]), format};
}

}  // namespace

QImage makePicture(const cv::Mat& picture, const QSize& size, qreal scale) {
  const QImage pixels = viewOf(picture);
  const QSize target = size * scale;
  if (pixels.isNull() || target.isEmpty()) return {};
  const QSize fits = pixels.size().scaled(target, Qt::KeepAspectRatio);
  QImage result;
  if (fits.width() > pixels.width()) {
    // Whole multiples keep pixels square.
    const int factor = std::max(1, fits.width() / pixels.width());
    result = pixels.scaled(pixels.size() * factor, Qt::IgnoreAspectRatio, Qt::FastTransformation);
  } else {
    result = pixels.scaled(fits, Qt::IgnoreAspectRatio, Qt::SmoothTransformation);
  }
  if (result.constBits() == pixels.constBits()) result = result.copy();
  result.setDevicePixelRatio(scale);
  return result;
}

QImage makeThumbnail(const cv::Mat& picture, const QSize& size, qreal scale) {
  const QImage pixels = viewOf(picture);
  if (pixels.isNull()) return {};
  const QSize target = size * scale;
  QImage result;
  if (std::max(picture.cols, picture.rows) <= kTiny) {
    const int factor = std::max(1, std::min(target.width() / picture.cols, target.height() / picture.rows));
    const QImage enlarged = pixels.scaled(picture.cols * factor, picture.rows * factor, Qt::IgnoreAspectRatio, Qt::FastTransformation);
    result = QImage(target, QImage::Format_RGB32);
    // The ground continues the picture's own corner.
    result.fill(pixels.pixelColor(0, 0));
    QPainter painter(&result);
    painter.drawImage((target.width() - enlarged.width()) / 2, (target.height() - enlarged.height()) / 2, enlarged);
  } else {
    const QImage cover = pixels.scaled(target, Qt::KeepAspectRatioByExpanding, Qt::SmoothTransformation);
    result = cover.copy((cover.width() - target.width()) / 2, (cover.height() - target.height()) / 2, target.width(), target.height());
  }
  result.setDevicePixelRatio(scale);
  return result;
}

}  // namespace trainyard::ui
