// What the page of a run asks of its engine, and what it hands to the clipboard and the desktop.
#include <QApplication>
#include <QClipboard>
#include <QDesktopServices>
#include <QFile>
#include <QInputDialog>
#include <QSysInfo>
#include <QUrl>
#include <cmath>

#include "core/base/files.h"
#include "core/runs/run_directory.h"
#include "ui/engine_link/engine_link.h"
#include "ui/pages/run/curves_view.h"
#include "ui/pages/run/rate_editor.h"
#include "ui/pages/run/run_header.h"
#include "ui/pages/run/run_page.h"
#include "ui/pages/run/run_texts.h"
#include "ui/pages/run/verdict_bar.h"

namespace trainyard::ui {
namespace {

QString quoted(QString path) {
  path.replace(QLatin1Char('\''), QStringLiteral("'\\''"));
  return QLatin1Char('\'') + path + QLatin1Char('\'');
}

}  // namespace

void RunPage::command(const QString& command) {
  if (busy_ || runDir().isEmpty()) return;
  if (command == QLatin1String("restart"))
    restart();
  else if (command == QLatin1String("extend"))
    askToExtend();
  else
    send(Json{{"command", command.toStdString()}});
}

void RunPage::send(const Json& request) {
  setBusy(true);
  context_.engine->control(runDir(), request, this, [this, dir = runDir()](const Result<Json>& answer) {
    if (dir != runDir()) return;
    setBusy(false);
    if (!answer) complain(answer.error());
    follower_.pollNow();
  });
}

void RunPage::restart(const QStringList& changes) {
  setBusy(true);
  const auto asked = context_.engine->resume(runDir(), changes);
  if (!asked) complain(asked.error());
}

void RunPage::askToExtend() {
  const int epochs = static_cast<int>(std::max<int64_t>(1, series_.epochs));
  auto* dialog = new QInputDialog(this);
  dialog->setObjectName(QStringLiteral("extend"));
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setWindowTitle(tr("Train longer"));
  dialog->setInputMode(QInputDialog::IntInput);
  dialog->setIntRange(epochs + 1, 1000000);
  dialog->setIntValue(epochs + std::max(1, epochs / 2));
  dialog->setLabelText(tr("Epochs in all (so far %1). It goes on where it ended: same weights, optimizer state and order.").arg(epochs));
  dialog->setOkButtonText(tr("Continue"));
  connect(dialog, &QInputDialog::intValueSelected, this, [this](int wanted) { restart({QStringLiteral("--epochs"), QString::number(wanted)}); });
  dialog->open();
}

void RunPage::lowerRate() {
  const double rate = series_.rate.last();
  if (std::isfinite(rate)) send(Json{{"command", "set"}, {"values", {{"lr", rate / 10}}}});
}

void RunPage::act(BarAction action) {
  switch (action) {
    case BarAction::Resume:
      return command(follower_.live() ? QStringLiteral("resume") : QStringLiteral("restart"));
    case BarAction::ResumeLowerRate:
      if (!busy_) restart({QStringLiteral("--lr-factor"), QStringLiteral("0.1")});
      return;
    case BarAction::Extend:
      return command(QStringLiteral("extend"));
    case BarAction::LowerRate:
      return lowerRate();
    case BarAction::Release:
      return command(QStringLiteral("release"));
    case BarAction::Stop:
      return command(QStringLiteral("stop"));
    case BarAction::ShowSpeed:
      showTab(CurvesTab);
      return curves_->showDetail(CurvesView::SpeedTab);
    case BarAction::ShowRate:
      showTab(CurvesTab);
      return curves_->showDetail(CurvesView::RateTab);
    case BarAction::ShowLog:
      return showTab(LogTab);
    case BarAction::OwnPictures:
      Q_EMIT navigate(QStringLiteral("data"), {});
      return;
    case BarAction::None:
      return;
  }
}

void RunPage::setBusy(bool busy) {
  busy_ = busy;
  header_->setBusy(busy);
  verdict_->setBusy(busy);
  curves_->rateEditor()->setBusy(busy);
  if (busy) complaint_.reset();
}

void RunPage::complain(const Error& error) {
  setBusy(false);
  complaint_ = error;
  judgeNow();
}

void RunPage::copyCommand() {
  const QString recipe = QFile::decodeName(runs::Layout{fs::path(QFile::encodeName(runDir()).toStdString())}.recipe().c_str());
  QApplication::clipboard()->setText(QStringLiteral("trainyard train ") + quoted(recipe));
}

void RunPage::copyReport() { QApplication::clipboard()->setText(problemReport()); }

void RunPage::openFolder() { QDesktopServices::openUrl(QUrl::fromLocalFile(runDir())); }

QString RunPage::problemReport() const {
  // English whatever the window's language: it is read by those who help.
  QStringList lines;
  lines << QStringLiteral("run: ") + facts_.id << QStringLiteral("state: ") + QString::fromUtf8(runs::stateName(follower_.seen().state.state).data());
  if (follower_.seen().unexpected_end) lines << QStringLiteral("the engine ended unexpectedly");
  lines << QStringLiteral("step %1 of %2, checkpoint %3").arg(series_.step).arg(series_.steps_total).arg(checkpoint_step_);
  lines << QStringLiteral("system: %1, %2, Qt %3").arg(QSysInfo::prettyProductName(), QSysInfo::currentCpuArchitecture(), QString::fromLatin1(qVersion()));
  if (failure_) lines << QStringLiteral("failure: ") + QString::fromStdString(toText(*failure_));
  lines << QString() << QStringLiteral("--- recipe.toml") << facts_.recipe_text << QStringLiteral("--- last events");
  const auto& history = follower_.history();
  for (size_t i = history.size() > 30 ? history.size() - 30 : 0; i < history.size(); ++i) lines << QString::fromStdString(runs::toLine(history[i]));
  QFile log(QFile::decodeName(runs::Layout{fs::path(QFile::encodeName(runDir()).toStdString())}.log().c_str()));
  if (log.open(QIODevice::ReadOnly)) {
    if (log.size() > 4096) log.seek(log.size() - 4096);
    lines << QStringLiteral("--- log.txt") << QString::fromUtf8(log.readAll());
  }
  return lines.join(QLatin1Char('\n'));
}

}  // namespace trainyard::ui
