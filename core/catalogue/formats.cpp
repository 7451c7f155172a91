#include "core/catalogue/catalogue.h"
#include "core/catalogue/param_builders.h"

namespace trainyard::catalogue {

std::span<const Descriptor> formats() {
  static const std::vector<Descriptor> kTable = {
      {"image-folder", "Pictures in class folders", "One folder per class with JPEG, PNG, BMP, WebP or TIFF pictures in it; train and val folders above them if there.", {}},
      {"idx", "IDX files (MNIST)", "MNIST's binary files of pictures and labels, plain or gzipped.", {}},
      {"cifar10", "CIFAR-10", "The binary version: data_batch_1.bin to data_batch_5.bin and test_batch.bin.", {}},
      {"cifar100", "CIFAR-100", "The binary version: train.bin and test.bin, with the hundred fine labels.", {}},
      {"tar", "Tar archive of class folders", "A .tar file with one folder per class in it, read in place; a .tar.gz, .tar.xz, … is unpacked into memory.", {}},
      {"zip", "Zip archive of class folders", "A .zip file with one folder per class in it, read in place.", {}},
      {"webdataset",
       "WebDataset shards",
       "A .tar file, or a folder of them, with 1.jpg and its label in 1.cls or 1.json side by side.",
       {advanced(param(ParamKind::Text, "label_key", "Label's key", "In the .json files; empty: \"label\" or \"cls\".", ""))}},
      {"tfrecord",
       "TFRecord files",
       "TensorFlow's files of tf.Example records: an encoded picture and a class number each.",
       {advanced(param(ParamKind::Text, "image_key", "Picture's key", "Holds the JPEG or PNG.", "image/encoded")),
        advanced(param(ParamKind::Text, "label_key", "Label's key", "Holds the number of the class.", "image/class/label")),
        advanced(param(ParamKind::Text, "text_key", "Class name's key", "Holds the name of the class, where there is one.", "image/class/text"))}},
  };
  return kTable;
}

}  // namespace trainyard::catalogue
