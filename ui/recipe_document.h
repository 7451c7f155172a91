#pragma once
// The recipe being edited: the window's document. Edits are checked at once, can be undone over the whole recipe, and are saved by
// themselves. GUI thread; writing happens on a thread of its own.
//
// Keys are paths: "train.epochs", "optimizer.lr", "augment[1].size". Values are Json; a null value is one that is not there.
#include <QObject>
#include <QThreadPool>
#include <QTimer>
#include <map>
#include <vector>

#include "core/recipe/recipe.h"
#include "ui/recipe_keys.h"

namespace trainyard::ui {

class RecipeDocument : public QObject {
  Q_OBJECT
 public:
  explicit RecipeDocument(QObject* parent = nullptr);
  ~RecipeDocument() override;  // saves what is not saved yet

  // Reading and making documents. None of them can be undone past.
  Result<void> open(const QString& file);          // a TOML file; later edits are saved to it
  Result<void> openPractice(const QString& file);  // a TOML file that is not ours to write: edits are saved as a draft
  void startDraft(const Json& given);              // a new draft in draftsFolder(); saved at once, under a name that is free

  static QString draftsFolder();
  static QStringList drafts();  // TOML files there, newest first

  QString file() const { return file_; }
  QString name() const;
  const Json& given() const { return given_; }                // what is written in the recipe
  const Json& document() const { return checked_.document; }  // with every default filled in
  bool edited() const;                                        // since it was opened, or markStarted()
  void markStarted();

  Json value(const QString& key) const;             // from document()
  bool isGiven(const QString& key) const;           // written, and not the default
  Json fallback(const QString& key) const;          // the catalogue's default; null: none
  void set(const QString& key, const Json& value);  // null removes. Edits of one key that follow each other closely are one step of undo.
  void reset(const QString& key) { set(key, nullptr); }
  // Another entry of a section's catalogue: optimizer "sgd" → "adamw". The keys of each entry are remembered while the window is open.
  void choose(const QString& section, const QString& id);
  void replaceAll(const Json& given);  // one step of undo

  const std::vector<recipe::Problem>& problems() const { return checked_.problems; }
  const recipe::Problem* problemAt(const QString& key) const;  // nullptr: fine
  Result<recipe::Recipe> whole() const;                        // as structs, paths absolute; the first problem is the error

  // Some of its tables alone, whatever is wrong elsewhere; the rest is filled with what passes.
  Result<recipe::Recipe> part(const std::vector<std::string>& sections) const;
  Result<recipe::Recipe> partOf(const Json& given, const std::vector<std::string>& sections) const;  // of another document
  Result<recipe::Data> dataPart() const;
  QString base() const;  // the folder from which relative paths count

  bool canUndo() const { return !undo_.empty(); }
  bool canRedo() const { return !redo_.empty(); }
  void undo();
  void redo();
  void flush();  // saves now and waits until it is on disk

 Q_SIGNALS:
  void changed(const QString& key);  // a value; "" when more than one may have changed
  void loaded();                     // another document
  void saveFailed(const trainyard::Error& error);

 private:
  void install(Json given, const QString& file);
  void edit(Json given, const QString& key);
  void check(const QString& key);
  void save();

  struct Step {
    Json given;
    QString key;  // of the edit that left this behind
  };
  Json given_ = Json::object(), baseline_ = Json::object();
  recipe::Checked checked_;
  QString file_;
  std::vector<Step> undo_, redo_;
  double last_edit_ = 0;
  std::map<std::string, Json> remembered_;  // "optimizer/sgd" → its keys
  QTimer save_timer_;
  QThreadPool writer_;
};

}  // namespace trainyard::ui
