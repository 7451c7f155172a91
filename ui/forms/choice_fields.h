#pragma once
// Fields that choose: one of several options, one of several kinds of value.
#include <QButtonGroup>
#include <QComboBox>
#include <QToolButton>
#include <QVBoxLayout>
#include <vector>

#include "ui/forms/field.h"

namespace trainyard::ui {

// A row of joined buttons, one of which is down.
class Segments : public QWidget {
  Q_OBJECT
 public:
  explicit Segments(QWidget* parent = nullptr, bool exclusive = true);
  void setTexts(const QStringList& texts, const QStringList& tips = {});
  void setCurrent(int index);  // -1: none
  int current() const { return group_->checkedId(); }
  QToolButton* button(int index) const { return qobject_cast<QToolButton*>(group_->button(index)); }
  void setExclusive(bool exclusive) { group_->setExclusive(exclusive); }
  QList<int> checked() const;

 Q_SIGNALS:
  void chosen(int index);

 private:
  QButtonGroup* group_;
};

// Up to four short options side by side, else a list that opens.
class ChoiceField : public Field {
  Q_OBJECT
 public:
  ChoiceField(std::vector<catalogue::Option> options, QWidget* parent);
  void setValue(const Json& value) override;
  void setInvalid(bool invalid) override;
  void retranslate() override;

 private:
  std::vector<catalogue::Option> options_;
  Segments* segments_ = nullptr;
  QComboBox* combo_ = nullptr;
};

// Any of several alternatives: their names side by side, and the field of the chosen one below.
class UnionField : public Field {
  Q_OBJECT
 public:
  UnionField(const catalogue::ParamSpec& spec, QWidget* parent);
  void setValue(const Json& value) override;
  void setInvalid(bool invalid) override;
  void retranslate() override;

 private:
  int alternativeOf(const Json& value) const;
  void show(int index);

  const catalogue::ParamSpec& spec_;
  Segments* segments_;
  std::vector<Field*> fields_;  // nullptr for an alternative that is a single word, such as "auto"
  std::vector<Json> last_;      // what each alternative had
  int shown_ = -1;
};

}  // namespace trainyard::ui
