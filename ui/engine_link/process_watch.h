#pragma once
// Detached processes: not children of ours, so they are watched through the system's process table.
#include <QByteArray>
#include <QString>
#include <cstdint>

#include "core/base/result.h"

namespace trainyard::ui {

// Whether the process lives; a zombie that nobody has collected yet does not.
bool processAlive(int64_t pid);

// Why an engine that is gone never came up: the {"error": …} it printed on `out_file`, else the last lines of `err_file`.
Error startError(const QString& out_file, const QString& err_file);

// The same from what it wrote. `source`: where people find more.
Error errorOf(const QByteArray& out, const QByteArray& err, const QString& source);

}  // namespace trainyard::ui
