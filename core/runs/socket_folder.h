#pragma once
// Where control sockets live. Internal to this room.
#include <filesystem>
#include <string>

#include "core/base/result.h"

namespace trainyard::runs {

inline constexpr size_t kLongestSocketPath = 107;  // sockaddr_un::sun_path less its final zero

// Error Failed with both lengths when the path is longer than that.
Result<void> checkSocketPath(const std::filesystem::path& socket);

// Creates `folder` with mode 0700, or checks that what is there is a folder of this user, not a link; wider permissions are taken back.
// Error Failed otherwise: somebody else could answer in our name.
Result<void> makePrivateFolder(const std::filesystem::path& folder);

// The run's socket in the first folder that serves: `runtime_dir`/trainyard, when that is an absolute path of a folder of this user and
// short enough; else `fallback`, a folder that makePrivateFolder accepts. Error Failed.
Result<std::filesystem::path> chooseSocketPath(const std::filesystem::path& run_dir, const std::string& runtime_dir, const std::filesystem::path& fallback);

}  // namespace trainyard::runs
