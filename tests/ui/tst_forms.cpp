#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QSignalSpy>
#include <QTest>

#include "core/catalogue/catalogue.h"
#include "tests/ui/sandbox.h"
#include "ui/forms/choice_fields.h"
#include "ui/forms/messages.h"
#include "ui/forms/number_text.h"
#include "ui/forms/param_form.h"
#include "ui/forms/simple_fields.h"
#include "ui/recipe_document.h"
#include "ui/theme/theme.h"

using namespace trainyard;
using namespace trainyard::ui;

namespace {

QLineEdit* editOf(ParamRow* row) { return row->field()->findChild<QLineEdit*>(); }

void type(QLineEdit* edit, const QString& text) {
  edit->selectAll();
  if (text.isEmpty()) QTest::keyClick(edit, Qt::Key_Delete);
  QTest::keyClicks(edit, text);
}

}  // namespace

class FormsTest : public QObject {
  Q_OBJECT
  tests::Sandbox box_;
  std::unique_ptr<Theme> theme_;

 private Q_SLOTS:
  void initTestCase() {
    QVERIFY(box_.valid());
    theme_ = std::make_unique<Theme>();
  }

  void numbersAreWrittenShort_data() {
    QTest::addColumn<double>("value");
    QTest::addColumn<QString>("text");
    QTest::newRow("rate") << 2e-4 << "2e-4";
    QTest::newRow("tenth") << 0.1 << "0.1";
    QTest::newRow("thousandth") << 0.001 << "0.001";
    QTest::newRow("below") << 0.0005 << "5e-4";
    QTest::newRow("tiny") << 1e-8 << "1e-8";
    QTest::newRow("zero") << 0.0 << "0";
    QTest::newRow("whole") << 1000000.0 << "1000000";
    QTest::newRow("negative") << -0.25 << "-0.25";
    QTest::newRow("long") << 0.30000000000000004 << "0.30000000000000004";
    QTest::newRow("large") << 2.5e12 << "2.5e12";
  }
  void numbersAreWrittenShort() {
    QFETCH(double, value);
    QFETCH(QString, text);
    QCOMPARE(numberText(value), text);
    QCOMPARE(numberFromText(text).value(), value);
  }

  void numbersAreReadLeniently_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<bool>("ok");
    QTest::addColumn<double>("value");
    QTest::newRow("spaces") << " 1 000 " << true << 1000.0;
    QTest::newRow("exponent") << "1E-3" << true << 0.001;
    QTest::newRow("minus sign") << QString(QChar(0x2212)) + "5" << true << -5.0;
    QTest::newRow("word") << "ten" << false << 0.0;
    QTest::newRow("comma") << "1,5" << false << 0.0;
    QTest::newRow("infinite") << "inf" << false << 0.0;
    QTest::newRow("empty") << "" << false << 0.0;
  }
  void numbersAreReadLeniently() {
    QFETCH(QString, text);
    QFETCH(bool, ok);
    QFETCH(double, value);
    const auto read = numberFromText(text);
    QCOMPARE(read.has_value(), ok);
    if (ok) QCOMPARE(*read, value);
  }

  void stepsOneTwoFive() {
    QList<double> up, down;
    double value = 1e-4;
    for (int i = 0; i < 7; ++i) up << (value = stepOneTwoFive(value, true));
    QCOMPARE(up, (QList<double>{2e-4, 5e-4, 1e-3, 2e-3, 5e-3, 1e-2, 2e-2}));
    for (int i = 0; i < 7; ++i) down << (value = stepOneTwoFive(value, false));
    QCOMPARE(down, (QList<double>{1e-2, 5e-3, 2e-3, 1e-3, 5e-4, 2e-4, 1e-4}));
    QCOMPARE(stepOneTwoFive(0.03, true), 0.05);
    QCOMPARE(stepOneTwoFive(0.03, false), 0.02);
    QCOMPARE(stepOneTwoFive(0, true), 1e-5);
    QCOMPARE(stepOneTwoFive(1e-5, false), 0.0);
    QCOMPARE(stepOneTwoFive(-0.1, true), -0.05);
  }

  void everyEntryMakesAForm() {
    RecipeDocument document;
    document.startDraft(recipe::draftFor("/pictures"));
    int rows = 0;
    for (const auto& section : catalogue::sections()) {
      if (section.repeated) continue;
      const QString key = QString::fromStdString(section.key);
      const size_t choices = section.choices.empty() ? 1 : section.choices.size();
      for (size_t i = 0; i < choices; ++i) {
        if (!section.choices.empty()) document.choose(key, QString::fromStdString(section.choices[i].id));
        ParamForm form(&document);
        if (!section.choices.empty()) form.addChoice(key);
        for (const auto& spec : section.params) form.addKey(key + "." + QString::fromStdString(spec.key));
        form.build();
        std::vector<catalogue::ParamSpec> expected = section.params;
        if (!section.choices.empty()) expected.insert(expected.end(), section.choices[i].params.begin(), section.choices[i].params.end());
        for (const auto& spec : expected) {
          ParamRow* row = form.row(key + "." + QString::fromStdString(spec.key));
          QVERIFY2(row != nullptr, spec.key.c_str());
          QVERIFY(!row->findChildren<QLabel*>().isEmpty());
          ++rows;
        }
        if (!section.choices.empty()) QVERIFY(form.row(key + "." + QString::fromStdString(section.selector)) != nullptr);
      }
    }
    QVERIFY(rows > 30);
  }

  void typingGoesIntoTheRecipe() {
    RecipeDocument document;
    document.startDraft(recipe::draftFor("/pictures"));
    ParamForm form(&document);
    for (const auto* key : {"train.epochs", "train.clip_norm", "optimizer.lr"}) form.addKey(key);
    form.build();
    ParamRow* epochs = form.row("train.epochs");
    type(editOf(epochs), "33");
    COMPARE_JSON(document.value("train.epochs"), Json(33));
    QVERIFY(epochs->marked());
    type(editOf(epochs), "");
    COMPARE_JSON(document.value("train.epochs"), document.fallback("train.epochs"));
    QVERIFY(!epochs->marked());
    type(editOf(epochs), "1.5");
    QVERIFY(document.problemAt("train.epochs") != nullptr);
    QCOMPARE(epochs->noteText(), QString("Must be a whole number."));
    type(editOf(epochs), "ten");
    QCOMPARE(epochs->noteText(), QString("Must be a whole number."));
    QVERIFY(editOf(epochs)->property("invalid").toBool());
    type(editOf(epochs), "0");
    QVERIFY2(epochs->noteText().contains("1"), qPrintable(epochs->noteText()));
    ParamRow* clip = form.row("train.clip_norm");
    type(editOf(clip), "-1");
    QCOMPARE(clip->noteText(), QString("Must be greater than 0. Leave empty for none."));
    type(editOf(clip), "");
    QVERIFY(document.value("train.clip_norm").is_null());
    ParamRow* rate = form.row("optimizer.lr");
    type(editOf(rate), "1e-4");
    QTest::keyClick(editOf(rate), Qt::Key_Up);
    COMPARE_JSON(document.value("optimizer.lr"), Json(2e-4));
    QCOMPARE(editOf(rate)->text(), QString("2e-4"));
  }

  void undoReachesTheFields() {
    RecipeDocument document;
    document.startDraft(recipe::draftFor("/pictures"));
    ParamForm form(&document);
    form.addKey("run.seed");
    form.build();
    const QString before = editOf(form.row("run.seed"))->text();
    type(editOf(form.row("run.seed")), "7");
    document.undo();
    QCOMPARE(editOf(form.row("run.seed"))->text(), before);
  }

  void choosingRebuilds() {
    RecipeDocument document;
    document.startDraft(recipe::draftFor("/pictures"));
    ParamForm form(&document);
    form.addChoice("optimizer");
    form.build();
    QVERIFY(form.row("optimizer.momentum") == nullptr);
    QSignalSpy built(&form, &ParamForm::built);
    auto* choices = form.row("optimizer.type")->findChild<QComboBox*>();
    QVERIFY(choices != nullptr);
    choices->setCurrentIndex(0);
    Q_EMIT choices->activated(0);
    COMPARE_JSON(document.value("optimizer.type"), Json(catalogue::optimizers()[0].id));
    QTRY_COMPARE(built.count(), 1);
    for (const auto& spec : catalogue::optimizers()[0].params) QVERIFY(form.row("optimizer." + QString::fromStdString(spec.key)) != nullptr);
  }

  void unionsSwitchKinds() {
    RecipeDocument document;
    document.startDraft(recipe::draftFor("/pictures"));
    ParamForm form(&document, nullptr, true);
    form.addKey("data.validation");
    form.build();
    auto* segments = form.row("data.validation")->findChild<Segments*>();
    QCOMPARE(segments->current(), 0);
    QTest::mouseClick(segments->button(1), Qt::LeftButton);
    COMPARE_JSON(document.value("data.validation"), Json(0.1));
    const auto edits = form.row("data.validation")->findChildren<QLineEdit*>();
    QVERIFY(edits.size() >= 2);
    type(edits[0], "0.95");
    QVERIFY2(form.row("data.validation")->noteText().contains("0.9"), qPrintable(form.row("data.validation")->noteText()));
    QTest::mouseClick(segments->button(0), Qt::LeftButton);
    COMPARE_JSON(document.value("data.validation"), Json("auto"));
  }

  void advancedUnfoldsForProblems() {
    RecipeDocument document;
    document.startDraft(recipe::draftFor("/pictures"));
    ParamForm form(&document);
    form.addKey("train.epochs");
    form.addKey("train.log_every");
    form.build();
    form.show();
    QVERIFY(!form.row("train.log_every")->isVisible());
    document.set("train.log_every", 0);
    QVERIFY(form.row("train.log_every")->isVisible());
    QVERIFY(form.reveal("train.log_every"));
    QVERIFY(!form.reveal("train.no_such_key"));
  }

  void firstSentences() {
    QCOMPARE(firstSentence("One. Two."), QString("One"));
    QCOMPARE(firstSentence("At 0.5 or so."), QString("At 0.5 or so"));
    QCOMPARE(firstSentence(QString::fromUtf8("一句。两句。")), QString::fromUtf8("一句"));
  }
};

QTEST_MAIN(FormsTest)
#include "tst_forms.moc"
