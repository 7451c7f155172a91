#include "ui/engine_link/process_watch.h"

#include <signal.h>

#include <QCoreApplication>
#include <QFile>
#include <cerrno>

namespace trainyard::ui {

bool processAlive(int64_t pid) {
  if (pid <= 0) return false;
  if (::kill(static_cast<pid_t>(pid), 0) != 0 && errno == ESRCH) return false;
  QFile stat(QStringLiteral("/proc/%1/stat").arg(pid));
  if (!stat.open(QIODevice::ReadOnly)) return QFile::exists(QStringLiteral("/proc/self/stat")) ? false : true;
  const QByteArray line = stat.readAll();
  const auto name_end = line.lastIndexOf(')');  // the name may hold anything, parentheses too
  if (name_end < 0 || name_end + 2 >= line.size()) return true;
  const char state = line.at(name_end + 2);
  return state != 'Z' && state != 'X';
}

namespace {

struct StartFailure {
  Q_DECLARE_TR_FUNCTIONS(StartFailure)
};

QByteArray tailOf(const QString& path, qint64 bytes) {
  QFile file(path);
  if (!file.open(QIODevice::ReadOnly)) return {};
  if (file.size() > bytes) file.seek(file.size() - bytes);
  return file.readAll();
}

ErrorCode codeFrom(const std::string& name) {
  for (auto code :
       {ErrorCode::Failed, ErrorCode::Usage, ErrorCode::Recipe, ErrorCode::Data, ErrorCode::OutOfMemory, ErrorCode::Device, ErrorCode::Interrupted}) {
    if (codeName(code) == name) return code;
  }
  return ErrorCode::Failed;
}

std::string textAt(const Json& object, const char* key) {
  return object.contains(key) && object.at(key).is_string() ? object.at(key).get<std::string>() : std::string();
}

}  // namespace

Error errorOf(const QByteArray& out, const QByteArray& err, const QString& source) {
  const Json document = Json::parse(out.toStdString(), nullptr, false);
  if (document.is_object() && document.contains("error") && document.at("error").is_object()) {
    const Json& error = document.at("error");
    return Error{codeFrom(textAt(error, "code")), textAt(error, "what"), textAt(error, "where"), textAt(error, "hint")};
  }
  const QString text = QString::fromUtf8(err).trimmed();
  const QStringList lines = text.split(QLatin1Char('\n'), Qt::SkipEmptyParts);
  const QString last = QStringList(lines.mid(qMax<qsizetype>(0, lines.size() - 3))).join(QLatin1Char('\n'));
  const QString what = last.isEmpty() ? StartFailure::tr("The training program ended without a message.") : last;
  return Error{ErrorCode::Failed, what.toStdString(), source.toStdString(), {}};
}

Error startError(const QString& out_file, const QString& err_file) {
  Error error = errorOf(tailOf(out_file, 1 << 20), tailOf(err_file, 4096), err_file);
  if (error.where == err_file.toStdString()) error.hint = StartFailure::tr("The file named here holds all that it wrote.").toStdString();
  return error;
}

}  // namespace trainyard::ui
