#pragma once
// Pixels of a dataset as pictures of the window. Any thread.
#include <QImage>
#include <opencv2/core/mat.hpp>

namespace trainyard::ui {

// Fills `size` (logical pixels) at `scale`; wider pictures are cut at the sides. Tiny ones are enlarged without blur, whole, on the colour of their corner.
QImage makeThumbnail(const cv::Mat& picture, const QSize& size, qreal scale);

// The whole picture within `size` (logical pixels) at `scale`; tiny ones enlarged without blur. A null image for what is no picture.
QImage makePicture(const cv::Mat& picture, const QSize& size, qreal scale);

}  // namespace trainyard::ui
