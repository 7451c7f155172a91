#pragma once
// What a chain makes of one picture in a few epochs: the same code and seed as training, on a worker thread; a newer request overtakes an
// older one. A step that fails is left out, named, and the rest shown all the same. GUI thread.
#include <QImage>
#include <QObject>
#include <QStringList>
#include <atomic>
#include <memory>
#include <vector>

#include "core/loader/preview.h"
#include "ui/pictures/dataset_scan.h"

namespace trainyard::ui {

class RecipeDocument;

class ChainPreview : public QObject {
  Q_OBJECT
 public:
  struct Wanted {
    bool training = true;  // false: the evaluation chain
    uint64_t sample = 0;   // index into the dataset
    uint64_t epoch = 0;    // the first of them
    int count = 8;         // samples, one an epoch
  };
  struct Fault {
    QString step;  // "augment[1]"; "data.size": its last size is not that of the recipe; "" anything else
    QString text;
  };
  struct Mixed {
    double share = 1;  // of the picture itself; the rest is the partner's
    QString with;      // class of the picture before it in its update, or that picture's name
  };
  struct Shown {
    Wanted wanted;
    QImage original;              // at most kOriginal pixels
    int width = 0, height = 0;    // of the original as stored
    std::vector<QImage> samples;  // 8-bit, as the network gets them before they are normalised
    std::vector<Mixed> mixed;     // of each of them, where the recipe mixes
    std::vector<Fault> faults;
    QString problem;  // the picture itself cannot be read
    uint64_t seed = 0;
  };
  static constexpr int kOriginal = 900;

  explicit ChainPreview(RecipeDocument* recipe, QObject* parent = nullptr);
  ~ChainPreview() override;

  void request(const std::shared_ptr<const DatasetScan::Facts>& facts, const Wanted& wanted);
  bool busy() const { return busy_; }
  const Shown& shown() const { return shown_; }

 Q_SIGNALS:
  void changed();

 private:
  RecipeDocument* recipe_;
  std::shared_ptr<std::atomic<uint64_t>> newest_ = std::make_shared<std::atomic<uint64_t>>(0);
  bool busy_ = false;
  Shown shown_;
};

}  // namespace trainyard::ui
