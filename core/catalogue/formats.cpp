#include "core/catalogue/catalogue.h"

namespace trainyard::catalogue {

std::span<const Descriptor> formats() {
  static const std::vector<Descriptor> kTable = {
      {"image-folder", "Pictures in class folders", "One folder per class with JPEG, PNG, BMP, WebP or TIFF pictures in it; train and val folders above them if there.", {}},
      {"idx", "IDX files (MNIST)", "MNIST's binary files of pictures and labels, plain or gzipped.", {}},
      {"cifar10", "CIFAR-10", "The binary version: data_batch_1.bin to data_batch_5.bin and test_batch.bin.", {}},
      {"cifar100", "CIFAR-100", "The binary version: train.bin and test.bin, with the hundred fine labels.", {}},
  };
  return kTable;
}

}  // namespace trainyard::catalogue
