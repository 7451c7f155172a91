#include "ui/pages/run/run_texts.h"

#include <QApplication>
#include <QClipboard>
#include <QFontDatabase>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QPainter>
#include <QPushButton>
#include <QScrollBar>
#include <QStyledItemDelegate>

#include "ui/models/run_text.h"
#include "ui/pages/run/event_text.h"
#include "ui/widgets/parts.h"

namespace trainyard::ui {
namespace {

constexpr int kColumns = 7, kLogLines = 5000;

// Cells in line with their headings.
class CellDelegate : public QStyledItemDelegate {
 public:
  using QStyledItemDelegate::QStyledItemDelegate;
  void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override {
    QStyleOptionViewItem cell = option;
    if (option.state & QStyle::State_Selected) painter->fillRect(option.rect, option.palette.highlight());
    cell.rect.adjust(5, 0, -5, 0);
    cell.state &= ~QStyle::State_HasFocus;
    QStyledItemDelegate::paint(painter, cell, index);
  }
};

}  // namespace

ResultsView::ResultsView(QWidget* parent) : QTableWidget(0, kColumns, parent) {
  setFrameShape(QFrame::NoFrame);
  setItemDelegate(new CellDelegate(this));
  setEditTriggers(QAbstractItemView::NoEditTriggers);
  setSelectionBehavior(QAbstractItemView::SelectRows);
  setShowGrid(false);
  verticalHeader()->hide();
  verticalHeader()->setDefaultSectionSize(26);
  horizontalHeader()->setHighlightSections(false);
  horizontalHeader()->setSectionResizeMode(QHeaderView::Stretch);
  horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
}

void ResultsView::retranslate() {
  setHorizontalHeaderLabels(
      {tr("Epoch"), tr("Update"), tr("Part"), tr("Loss"), metricName(metric_), tr("Pictures"), tr("Time")});
  shown_ = 0;
  best_shown_ = -2;
}

void ResultsView::show(const RunSeries& series) {
  if (metric_ != series.shown_metric) {
    metric_ = series.shown_metric;
    retranslate();
  }
  if (shown_ == series.evals.size() && best_shown_ == series.best_step) return;
  shown_ = series.evals.size();
  best_shown_ = series.best_step;
  setRowCount(static_cast<int>(shown_));
  for (size_t i = 0; i < shown_; ++i) {
    const EvalRow& row = series.evals[shown_ - 1 - i];
    const QString cells[kColumns] = {QString::number(row.epoch + 1) + (row.best ? QStringLiteral("  ★") : QString()),
                                     formatNumber(row.step),
                                     row.split == "test" ? tr("test") : row.split == "validation_ema" ? tr("averaged weights") : tr("validation"),
                                     lossText(row.loss),
                                     metricText(metric_, row.metric),
                                     formatNumber(row.samples),
                                     clockSecondsText(row.time)};
    for (int column = 0; column < kColumns; ++column) {
      auto* cell = new QTableWidgetItem(cells[column]);
      if (row.best) {
        QFont bold = font();
        bold.setBold(true);
        cell->setFont(bold);
      }
      setItem(static_cast<int>(i), column, cell);
    }
  }
}

LogView::LogView(QWidget* parent) : QPlainTextEdit(parent) {
  setReadOnly(true);
  setMaximumBlockCount(kLogLines);
  setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
}

void LogView::reset() {
  clear();
  last_.clear();
}

void LogView::add(const std::vector<runs::Event>& events) {
  QStringList lines;
  for (const auto& event : events) {
    const QString text = eventText(event);
    if (!text.isEmpty()) lines << clockSecondsText(event.time) + QStringLiteral("  ") + text;
  }
  if (lines.isEmpty()) return;
  last_ = lines.last();
  auto* bar = verticalScrollBar();
  const bool at_end = bar->value() >= bar->maximum();
  appendPlainText(lines.join(QLatin1Char('\n')));
  if (at_end) bar->setValue(bar->maximum());
}

RecipeView::RecipeView(QWidget* parent) : QWidget(parent) {
  auto* all = new QVBoxLayout(this);
  all->setContentsMargins(0, 0, 0, 0);
  auto* head = new QHBoxLayout;
  copy_ = makeButton(this);
  head->addStretch(1);
  head->addWidget(copy_);
  text_ = new QPlainTextEdit(this);
  text_->setReadOnly(true);
  text_->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
  text_->setLineWrapMode(QPlainTextEdit::NoWrap);
  all->addWidget(text_, 1);
  all->addLayout(head);
  connect(copy_, &QPushButton::clicked, this, [this] { QApplication::clipboard()->setText(text_->toPlainText()); });
}

void RecipeView::setText(const QString& toml) {
  if (text_->toPlainText() != toml) text_->setPlainText(toml);
}

void RecipeView::retranslate() { copy_->setText(tr("Copy")); }

}  // namespace trainyard::ui
