#pragma once
// Colours and levels, as torchvision's functions give them for 8-bit tensors, to within one level. All take 8-bit pictures of 1 or 3 channels
// (red, green, blue) and give a new one, or the same pixels where nothing changes. Deterministic; any thread.
#include <opencv2/core/mat.hpp>

namespace trainyard::augment {

// Factors: 1 changes nothing, 0 takes it all away; ≥ 0.
cv::Mat withBrightness(const cv::Mat& picture, double factor);
cv::Mat withContrast(const cv::Mat& picture, double factor);    // towards the mean grey
cv::Mat withSaturation(const cv::Mat& picture, double factor);  // towards its own grey; a grey picture stays
cv::Mat withHue(const cv::Mat& picture, double turn);           // share of the circle, -0.5 … 0.5; a grey picture stays
cv::Mat grey(const cv::Mat& picture);                           // of as many channels

cv::Mat inverted(const cv::Mat& picture);
cv::Mat posterized(const cv::Mat& picture, int bits);         // 0 … 8 bits stay
cv::Mat solarized(const cv::Mat& picture, double threshold);  // levels from it on are inverted
cv::Mat autocontrasted(const cv::Mat& picture);               // each channel from 0 to 255
cv::Mat equalized(const cv::Mat& picture);                    // each channel's histogram, as Pillow does it

cv::Mat withSharpness(const cv::Mat& picture, double factor);  // 0 soft, 1 as it is, 2 sharp; the outermost pixels stay
// The window's edges are odd; `sigma` > 0, in pixels.
cv::Mat blurred(const cv::Mat& picture, cv::Size window, double sigma);

}  // namespace trainyard::augment
