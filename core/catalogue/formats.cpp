#include "core/catalogue/catalogue.h"
#include "core/catalogue/param_builders.h"

namespace trainyard::catalogue {

namespace {

ParamSpec delimiter() {
  return advanced(choice("delimiter", "Between values", "What stands between two values of a row; automatic looks at the first rows.", "auto",
                         {{"auto", "Automatic", ""}, {"comma", "Comma", ""}, {"semicolon", "Semicolon", ""}, {"tab", "Tab", ""}}));
}

ParamSpec header() {
  return advanced(choice("header", "First row names the columns",
                         "Automatic: unless it holds a number or a picture's name. Columns without names are called \"column 1\", \"column 2\", ….", "auto",
                         {{"auto", "Automatic", ""}, {"yes", "Yes", ""}, {"no", "No", ""}}));
}

ParamSpec numberedClasses() {
  return advanced(integer("classes", "Number of classes",
                          "The labels are whole numbers from 0 to one less than this, and any other is an error. Empty: the labels that are there.", nullptr, 1,
                          1000000));
}

ParamSpec columns(std::string key, std::string title, std::string help) {
  return list(std::move(key), std::move(title), std::move(help), Json::array(), param(ParamKind::Text, "", "Column", ""), 0);
}

std::vector<ParamSpec> imageCsvParams() {
  return {param(ParamKind::Text, "path_column", "Picture column", "The column with the pictures' file names. Empty: the first.", ""),
          columns("label_columns", "Label columns",
                  "What is learned: one column of classes or numbers, or several of numbers or of 0 and 1. Empty: \"label\", else the second."),
          choice("task", "Learn", "Automatic: texts and whole numbers are classes, other numbers are numbers; with a separator, labels.", "auto",
                 {{"auto", "Automatic", ""},
                  {"classes", "One class", "Each picture is of one class."},
                  {"labels", "Any number of labels", "A picture may have several labels, or none."},
                  {"numbers", "Numbers", "Predict one number, or several."}}),
          shownWhen(param(ParamKind::Text, "separator", "Between labels",
                          "What stands between several labels in one cell, such as a blank or |. Empty: a cell holds one label.", ""),
                    "task", {"auto", "labels"}),
          advanced(param(ParamKind::Path, "root", "Pictures' folder", "What file names in the table start from. Empty: the table's own folder.", "")),
          numberedClasses(),
          delimiter(),
          header()};
}

std::vector<ParamSpec> tableParams() {
  return {param(ParamKind::Text, "target", "Predict column", "The column that is learned from the others. Empty: the last.", ""),
          choice("task", "Learn", "Automatic: texts are classes, and so are whole numbers of at most 20 different values; others are numbers.", "auto",
                 {{"auto", "Automatic", ""}, {"classes", "One class", "Each row is of one class."}, {"numbers", "A number", "Predict a number."}}),
          columns("ignore", "Ignore columns", "Columns that are not learned from, such as numbers of customers."),
          advanced(columns("categorical", "Categories", "Columns of numbers that are names, such as post codes.")),
          numberedClasses(),
          delimiter(),
          header()};
}

}  // namespace

std::span<const Descriptor> formats() {
  static const std::vector<Descriptor> kTable = {
      {"image-folder",
       "Pictures in class folders",
       "One folder per class with JPEG, PNG, BMP, WebP or TIFF pictures in it; train and val folders above them if there.",
       {}},
      {"image-csv", "Pictures listed in a table", "A CSV file with a column of picture files and one or more of labels or numbers.", imageCsvParams()},
      {"table", "Table", "A CSV file: one row a sample, columns of numbers and categories, one of them to be predicted.", tableParams()},
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
      {"text",
       "Text",
       "A text file, or a folder of .txt files, in UTF-8: a language model learns to continue it. Held out for checking is the end.",
       {inUnit(integer("context", "Window", "How many bytes the network sees at a time; each is a token.", 256, 1, 65536), "tokens")}},
  };
  return kTable;
}

}  // namespace trainyard::catalogue
