#pragma once
// Runs something on every rank of a group, each on a thread of its own.
#include <QString>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "core/comm/communicator.h"

namespace trainyard::comm {

using Communicators = std::vector<std::unique_ptr<Communicator>>;

// What every rank's `body` returned: "" for well, else what was wrong. The main thread checks.
inline std::vector<std::string> onRanks(Communicators& ranks, const std::function<std::string(Communicator&)>& body) {
  std::vector<std::string> results(ranks.size());
  std::vector<std::jthread> threads;
  for (size_t rank = 0; rank < ranks.size(); ++rank) {
    threads.emplace_back([&, rank] {
      try {
        results[rank] = body(*ranks[rank]);
      } catch (const std::exception& error) {
        results[rank] = std::string("threw: ") + error.what();
      }
    });
  }
  threads.clear();
  return results;
}

// The first rank's complaint; "" where all are well.
inline QString firstComplaint(const std::vector<std::string>& results) {
  for (size_t rank = 0; rank < results.size(); ++rank) {
    if (!results[rank].empty()) return QString::fromStdString("rank " + std::to_string(rank) + ": " + results[rank]);
  }
  return {};
}

// Complaints in the order in which they were looked for.
inline std::string joined(std::initializer_list<std::string> complaints) {
  std::string all;
  for (const std::string& complaint : complaints) all += complaint;
  return all;
}

inline std::string waited(const WorkPtr& work) {
  const auto result = work->wait();
  return result ? std::string() : toText(result.error());
}

}  // namespace trainyard::comm
