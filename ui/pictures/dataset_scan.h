#pragma once
// What the recipe's [data] points at: opened on a worker thread whenever the recipe says something else. GUI thread.
#include <QObject>
#include <QTimer>
#include <memory>
#include <optional>
#include <vector>

#include "core/data/split.h"

namespace trainyard::ui {

class RecipeDocument;

class DatasetScan : public QObject {
  Q_OBJECT
 public:
  enum class State { Nothing, Reading, Ready, Failed };

  // What was found. Shared with worker threads, never changed once it is here.
  struct Facts {
    std::shared_ptr<const data::Dataset> dataset;
    data::Split parts;
    std::vector<uint64_t> class_counts;       // all parts together
    int width = 0, height = 0, channels = 0;  // of the first training picture that can be read; 0: none
    uint64_t test_openings = 0;               // how often the recipe's test part was evaluated on
    double seconds = 0;
  };

  explicit DatasetScan(RecipeDocument* recipe, QObject* parent = nullptr);

  State state() const { return state_; }
  bool busy() const { return state_ == State::Reading || later_.isActive(); }
  const std::shared_ptr<const Facts>& facts() const { return facts_; }  // of the last success; null before it
  const std::optional<Error>& error() const { return error_; }
  void scanAgain();

 Q_SIGNALS:
  void changed();

 private:
  void consider();
  void start();

  RecipeDocument* recipe_;
  QTimer later_;
  State state_ = State::Nothing;
  Json asked_;  // the [data] table and seed that the facts belong to
  uint64_t generation_ = 0;
  std::shared_ptr<const Facts> facts_;
  std::optional<Error> error_;
};

}  // namespace trainyard::ui
