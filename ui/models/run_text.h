#pragma once
// Numbers and names of runs in the window's language.
#include <QString>
#include <string>

namespace trainyard::ui {

QString durationText(double seconds);                         // "42 s", "3 min 05 s", "1 h 14 min", "2 d 3 h"; "–" when unknown
QString clockText(double unix_seconds);                       // "16:40", with the day when it is not today
QString clockSecondsText(double unix_seconds);                // "17:12:04"
QString percentText(double share, int digits = 1);            // "91.2 %"
QString metricName(const std::string& metric);                // "Accuracy", "Loss"
bool isShare(const std::string& metric);                      // written in per cent
QString metricText(const std::string& metric, double value);  // "91.2 %" or "0.412"
QString lossText(double value);                               // three or four telling digits; "not finite"
QString rateText(double rate);                                // a learning rate: "0.1", "2e-4"
QString deviceName(const std::string& device);                // "cuda:0" → "GPU 0", "cpu" → "CPU"

}  // namespace trainyard::ui
