#include <sys/statvfs.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <future>
#include <thread>

#include "core/hardware/readers.h"

namespace trainyard::hardware {

namespace {

struct Mount {
  std::string numbers, point, type, source;  // numbers: "259:2"
};

// Spaces and the like stand as "\040" in mountinfo.
std::string unescape(const std::string& text) {
  std::string plain;
  for (size_t i = 0; i < text.size(); ++i) {
    const bool octal = text[i] == '\\' && i + 3 < text.size() && std::all_of(&text[i + 1], &text[i + 4], [](char c) { return c >= '0' && c <= '7'; });
    if (octal) {
      plain += static_cast<char>((text[i + 1] - '0') * 64 + (text[i + 2] - '0') * 8 + (text[i + 3] - '0'));
      i += 3;
    } else {
      plain += text[i];
    }
  }
  return plain;
}

std::vector<Mount> parseMounts(const std::string& mountinfo) {
  std::vector<Mount> mounts;
  for (const std::string& line : splitLines(mountinfo)) {
    const auto words = splitWords(line);
    const auto dash = std::find(words.begin(), words.end(), "-");
    if (words.size() < 5 || words.end() - dash < 3) continue;
    mounts.push_back({words[2], unescape(words[4]), dash[1], unescape(dash[2])});
  }
  return mounts;
}

bool isNetwork(const std::string& type) {
  static constexpr std::array kTypes = {"nfs",    "nfs4",   "cifs", "smb3", "smbfs", "ceph",        "fuse.ceph",    "fuse.sshfs", "fuse.glusterfs",
                                        "lustre", "beegfs", "gpfs", "afs",  "9p",    "fuse.rclone", "fuse.juicefs", "fuse.s3fs"};
  return std::find(kTypes.begin(), kTypes.end(), type) != kTypes.end();
}

bool isUnder(const std::string& path, const std::string& folder) {
  return folder == "/" || path == folder || (path.starts_with(folder) && path.size() > folder.size() && path[folder.size()] == '/');
}

// Disks on which somebody might keep data or runs: not boot partitions, application images or a container's single files.
bool isInteresting(const Mount& mount) {
  if (mount.type == "squashfs" || mount.type == "erofs" || mount.type == "iso9660") return false;
  if (mount.point == "/") return true;
  for (const char* folder : {"/boot", "/efi", "/snap", "/var/snap", "/var/lib/docker", "/var/lib/containers", "/etc", "/proc", "/sys", "/dev"}) {
    if (isUnder(mount.point, folder)) return false;
  }
  if (isUnder(mount.point, "/run") && !isUnder(mount.point, "/run/media")) return false;
  return mount.source.starts_with("/dev/") || isNetwork(mount.type) || mount.type == "zfs" || mount.type == "virtiofs";
}

std::string kindOfBlock(const fs::path& folder, int depth = 0);

std::string kindOfSlaves(const fs::path& folder, int depth) {
  std::error_code ignored;
  std::string kind;
  for (const auto& entry : fs::directory_iterator(folder / "slaves", ignored)) {
    const std::string part = kindOfBlock(entry.path(), depth + 1);
    if (kind.empty() || kind == part) {
      kind = part;
    } else if (kind == "hard disk" || part == "hard disk") {
      kind = "hard disk";  // the slowest part sets the pace
    } else {
      kind = kind == "unknown" || part == "unknown" ? "unknown" : "SSD";
    }
  }
  return kind.empty() ? "unknown" : kind;
}

// `folder`: a block device or a partition of one in /sys.
std::string kindOfBlock(const fs::path& folder, int depth) {
  std::error_code missing;
  fs::path device = fs::canonical(folder, missing);
  if (missing || depth > 8) return "unknown";
  if (fs::exists(device / "partition", missing)) device = device.parent_path();
  const std::string name = device.filename();
  if (name.starts_with("nvme")) return "NVMe";
  if (name.starts_with("nbd") || name.starts_with("rbd")) return "network";
  if (name.starts_with("dm-") || name.starts_with("md")) return kindOfSlaves(device, depth);
  if (name.starts_with("mmcblk") && slurp(device / "device/type") == "SD") return "unknown";
  const std::string rotational = slurp(device / "queue/rotational"), vendor = slurp(device / "device/vendor");
  if (rotational == "0") return "SSD";
  // Virtual disks call themselves rotational, whatever stands behind them.
  const bool is_virtual = name.starts_with("vd") || name.starts_with("xvd") || vendor == "QEMU" || vendor == "VMware" || vendor == "Msft" || vendor == "VBOX";
  return rotational == "1" && !is_virtual ? "hard disk" : "unknown";
}

std::string kindOf(const fs::path& root, const Mount& mount) {
  if (isNetwork(mount.type)) return "network";
  std::error_code missing;
  const fs::path by_numbers = root / "sys/dev/block" / mount.numbers;
  if (fs::exists(by_numbers, missing)) return kindOfBlock(by_numbers);
  if (!mount.source.starts_with("/dev/")) return "unknown";
  // btrfs has device numbers of its own; what it is mounted from tells the disk, perhaps by a link from /dev/mapper.
  const fs::path device = fs::weakly_canonical(root / fs::path(mount.source).relative_path(), missing);
  return kindOfBlock(root / "sys/class/block" / device.filename());
}

const Mount* holderOf(const std::vector<Mount>& mounts, const std::string& path) {
  const Mount* best = nullptr;
  for (const Mount& mount : mounts) {
    if (isUnder(path, mount.point) && (!best || mount.point.size() >= best->point.size())) best = &mount;
  }
  return best;
}

std::string identity(const Mount& mount) { return mount.type == "zfs" ? mount.source.substr(0, mount.source.find('/')) : mount.source; }

// The last mount on a point hides earlier ones; a mount of the disk that its parent folder is on anyway adds nothing.
std::vector<Mount> distinct(std::vector<Mount> mounts) {
  std::reverse(mounts.begin(), mounts.end());
  std::stable_sort(mounts.begin(), mounts.end(), [](const Mount& a, const Mount& b) { return a.point < b.point; });
  mounts.erase(std::unique(mounts.begin(), mounts.end(), [](const Mount& a, const Mount& b) { return a.point == b.point; }), mounts.end());
  std::vector<Mount> kept;
  for (Mount& mount : mounts) {
    const Mount* parent = holderOf(kept, mount.point);
    if (!parent || identity(*parent) != identity(mount)) kept.push_back(std::move(mount));
  }
  return kept;
}

Space ask(const std::string& mount) {
  struct statvfs info {};
  if (::statvfs(mount.c_str(), &info) != 0) return {};
  return {static_cast<uint64_t>(info.f_blocks) * info.f_frsize, static_cast<uint64_t>(info.f_bavail) * info.f_frsize};
}

}  // namespace

Space spaceOf(const std::string& mount, bool network) {
  if (!network) return ask(mount);
  // A file server that is gone blocks the call for good: the thread that asks is left behind then.
  std::packaged_task<Space()> task([mount] { return ask(mount); });
  std::future<Space> answer = task.get_future();
  std::thread(std::move(task)).detach();
  if (answer.wait_for(std::chrono::milliseconds(500)) != std::future_status::ready) return {};
  return answer.get();
}

std::vector<Disk> readDisks(const fs::path& root, const SpaceOf& space) {
  auto mounts = parseMounts(slurp(root / "proc/self/mountinfo"));
  std::erase_if(mounts, [](const Mount& mount) { return !isInteresting(mount); });
  std::vector<Disk> disks;
  for (const Mount& mount : distinct(std::move(mounts))) {
    const Space room = space(mount.point, isNetwork(mount.type));
    disks.push_back({mount.point, mount.source, kindOf(root, mount), room.total_bytes, room.free_bytes});
  }
  return disks;
}

}  // namespace trainyard::hardware
