#include <QtTest>

#include "core/hardware/readers.h"
#include "tests/hardware/recorded_tree.h"

using namespace trainyard;
using hardware::Disk;

namespace {

// One line of mountinfo.
std::string mount(const std::string& numbers, const std::string& point, const std::string& type, const std::string& source) {
  return "36 25 " + numbers + " / " + point + " rw,relatime shared:1 - " + type + " " + source + " rw\n";
}

// A disk in /sys with its partitions, found by device numbers and by name.
void addDisk(const RecordedTree& tree, const std::string& name, const std::string& numbers, const std::string& rotational, const std::string& vendor = "ATA") {
  const std::string folder = "sys/devices/pci/" + name;
  tree.file(folder + "/queue/rotational", rotational + "\n");
  tree.file(folder + "/device/vendor", vendor + "     \n");
  tree.link("sys/dev/block/" + numbers, "../../devices/pci/" + name);
  tree.link("sys/class/block/" + name, "../../devices/pci/" + name);
}

void addPartition(const RecordedTree& tree, const std::string& disk, const std::string& name, const std::string& numbers) {
  const std::string folder = disk + "/" + name;
  tree.file("sys/devices/pci/" + folder + "/partition", "1\n");
  tree.link("sys/dev/block/" + numbers, "../../devices/pci/" + folder);
  tree.link("sys/class/block/" + name, "../../devices/pci/" + folder);
}

std::vector<Disk> read(const RecordedTree& tree, const std::string& mountinfo) {
  tree.file("proc/self/mountinfo", mountinfo);
  return hardware::readDisks(tree.root(), [](const std::string& point, bool network) { return hardware::Space{point.size() * 1000, network ? 1u : 2u}; });
}

QString summary(const std::vector<Disk>& disks) {
  QStringList lines;
  for (const Disk& disk : disks) lines << QString::fromStdString(disk.mount + "=" + disk.kind);
  return lines.join(' ');
}

}  // namespace

class TestDisks : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void workstation() {
    const RecordedTree tree;
    addDisk(tree, "nvme0n1", "259:0", "0");
    addPartition(tree, "nvme0n1", "nvme0n1p2", "259:2");
    addDisk(tree, "sda", "8:0", "1");
    addPartition(tree, "sda", "sda1", "8:1");
    addDisk(tree, "sdb", "8:16", "0");
    const auto disks =
        read(tree, mount("0:22", "/proc", "proc", "proc") + mount("259:2", "/", "ext4", "/dev/nvme0n1p2") + mount("0:30", "/tmp", "tmpfs", "tmpfs") +
                       mount("259:1", "/boot/efi", "vfat", "/dev/nvme0n1p1") + mount("8:1", "/srv/photos\\040and\\040films", "ext4", "/dev/sda1") +
                       mount("8:16", "/fast", "xfs", "/dev/sdb") + mount("7:1", "/snap/core/1", "squashfs", "/dev/loop1") +
                       mount("0:55", "/net/lab", "nfs4", "server:/export") + mount("0:56", "/run/user/1000/doc", "fuse.portal", "portal"));
    QCOMPARE(summary(disks), QString("/=NVMe /fast=SSD /net/lab=network /srv/photos and films=hard disk"));
    QCOMPARE(disks[1].total_bytes, uint64_t{5000});
    QCOMPARE(disks[1].free_bytes, uint64_t{2});
    QCOMPARE(disks[2].free_bytes, uint64_t{1});  // asked as a network disk
    QCOMPARE(disks[0].device, std::string("/dev/nvme0n1p2"));
  }

  void mappedAndMirrored() {
    const RecordedTree tree;
    addDisk(tree, "sda", "8:0", "1");
    addDisk(tree, "nvme0n1", "259:0", "0");
    addDisk(tree, "dm-0", "254:0", "0");
    tree.link("sys/devices/pci/dm-0/slaves/nvme0n1", "../../nvme0n1");
    addDisk(tree, "md0", "9:0", "1");
    tree.link("sys/devices/pci/md0/slaves/sda", "../../sda");
    tree.link("sys/devices/pci/md0/slaves/nvme0n1", "../../nvme0n1");
    tree.file("dev/dm-0", "");
    tree.link("dev/mapper/luks-root", "../dm-0");
    // btrfs: device numbers of its own, several subvolumes of one disk.
    const auto disks = read(tree, mount("0:31", "/", "btrfs", "/dev/mapper/luks-root") + mount("0:31", "/home", "btrfs", "/dev/mapper/luks-root") +
                                      mount("9:0", "/mirror", "ext4", "/dev/md0"));
    QCOMPARE(summary(disks), QString("/=NVMe /mirror=hard disk"));
  }

  void container() {
    const RecordedTree tree;
    addDisk(tree, "nvme0n1", "259:0", "0");
    const auto disks = read(tree, mount("0:99", "/", "overlay", "overlay") + mount("259:0", "/etc/hosts", "ext4", "/dev/nvme0n1") +
                                      mount("259:0", "/data", "ext4", "/dev/nvme0n1") + mount("259:0", "/models", "ext4", "/dev/nvme0n1") +
                                      mount("0:5", "/dev/shm", "tmpfs", "shm"));
    QCOMPARE(summary(disks), QString("/=unknown /data=NVMe /models=NVMe"));
  }

  void virtualDisksAreUnknown_data() {
    QTest::addColumn<QString>("name");
    QTest::addColumn<QString>("rotational");
    QTest::addColumn<QString>("vendor");
    QTest::addColumn<QString>("kind");
    QTest::newRow("virtio") << "vda"
                            << "1"
                            << ""
                            << "unknown";
    QTest::newRow("virtio, told to be an SSD") << "vda"
                                               << "0"
                                               << ""
                                               << "SSD";
    QTest::newRow("Xen") << "xvda"
                         << "1"
                         << ""
                         << "unknown";
    QTest::newRow("VMware") << "sda"
                            << "1"
                            << "VMware"
                            << "unknown";
    QTest::newRow("QEMU") << "sda"
                          << "1"
                          << "QEMU"
                          << "unknown";
    QTest::newRow("real hard disk") << "sda"
                                    << "1"
                                    << "ATA"
                                    << "hard disk";
    QTest::newRow("nothing said") << "sda"
                                  << ""
                                  << "ATA"
                                  << "unknown";
    QTest::newRow("network block device") << "nbd0"
                                          << "0"
                                          << ""
                                          << "network";
  }

  void virtualDisksAreUnknown() {
    QFETCH(QString, name);
    QFETCH(QString, rotational);
    QFETCH(QString, vendor);
    const RecordedTree tree;
    addDisk(tree, name.toStdString(), "254:0", rotational.toStdString(), vendor.toStdString());
    const auto disks = read(tree, mount("254:0", "/", "ext4", "/dev/" + name.toStdString()));
    QCOMPARE(disks.size(), size_t{1});
    QTEST(QString::fromStdString(disks[0].kind), "kind");
  }

  void laterMountHidesTheEarlier() {
    const RecordedTree tree;
    addDisk(tree, "sda", "8:0", "1");
    addDisk(tree, "sdb", "8:16", "0");
    const auto disks = read(tree, mount("8:0", "/data", "ext4", "/dev/sda") + mount("8:16", "/data", "ext4", "/dev/sdb"));
    QCOMPARE(summary(disks), QString("/data=SSD"));
  }

  void brokenLinesAreSkipped() {
    const RecordedTree tree;
    QCOMPARE(read(tree, "\n12 3\n36 25 8:0 / /x rw - ext4\n").size(), size_t{0});
    QCOMPARE(read(tree, "").size(), size_t{0});
  }

  void spaceOfARealFolder() {
    const auto space = hardware::spaceOf("/", false);
    QVERIFY(space.total_bytes > 0 && space.free_bytes <= space.total_bytes);
    QCOMPARE(hardware::spaceOf("/", true).total_bytes, space.total_bytes);
    QCOMPARE(hardware::spaceOf("/does/not/exist", false).total_bytes, uint64_t{0});
  }
};

QTEST_APPLESS_MAIN(TestDisks)
#include "tst_disks.moc"
