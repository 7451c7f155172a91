#include "core/train/team_remote.h"

#include <map>

#include "core/base/units.h"
#include "core/comm/join_store.h"
#include "core/train/start_stream.h"

namespace trainyard::train {

namespace {

constexpr double kLinger = 3;  // seconds that rank 0 waits for the others' goodbye

std::string key(const std::string& what, uint64_t number) { return what + "/" + std::to_string(number); }

std::string endpoint(const comm::World& world) { return world.host + ":" + std::to_string(world.port); }

std::chrono::duration<double> seconds(double count) { return std::chrono::duration<double>(count); }

std::string secondsText(double count) {
  char text[32];
  std::snprintf(text, sizeof text, "%.3g s", count);
  return text;
}

Json toJson(const Instruction& told) {
  return {{"do", static_cast<int>(told.what)}, {"step", told.step}, {"lr", told.lr}, {"momentum", told.momentum}, {"on", told.on}};
}

Instruction instructionFrom(const Json& json) {
  Instruction told;
  told.what = static_cast<Instruction::Do>(json["do"].get<int>());
  told.step = json["step"];
  told.lr = json["lr"];
  told.momentum = json["momentum"];
  told.on = json["on"];
  return told;
}

Error errorFrom(const Json& json) {
  Error error{ErrorCode::Failed, json.value("what", ""), json.value("where", ""), json.value("hint", "")};
  for (const auto code : {ErrorCode::Usage, ErrorCode::Recipe, ErrorCode::Data, ErrorCode::OutOfMemory, ErrorCode::Device, ErrorCode::Interrupted}) {
    if (codeName(code) == json.value("code", "")) error.code = code;
  }
  return error;
}

// What c10d throws through its own layers names files of its source; it is the connection, whose cause is to be found.
Error explained(Error error) {
  if (error.code != ErrorCode::Failed || error.what.find("gloo/transport") == std::string::npos) return error;
  const bool late = error.what.find("imed out") != std::string::npos;
  return {ErrorCode::Device,
          late ? "a collective did not end in time: a rank is missing, stuck or too slow"
               : "the connection to another rank was lost: its process ended or the network is cut",
          error.where, "go on from the newest checkpoint with `trainyard resume`"};
}

}  // namespace

// What the threads at the store share with the team. A call into the store may hang for ever where the network is cut: they are then left behind.
struct RemoteTeam::Link {
  comm::World world;
  double timeout_s = 0, interval_s = 1;
  std::vector<std::string> who;  // by rank: computer and process

  std::mutex mutex;
  std::condition_variable changed;
  RemoteTeam* team = nullptr;  // null: it has gone
  std::optional<Error> own_error;
  bool stop_wanted = false, parting = false;
  int threads = 0;
  std::atomic<double> answered = 0;  // when the store last did

  std::string name(int rank) const { return "rank " + std::to_string(rank) + " (" + who[static_cast<size_t>(rank)] + ")"; }
  Error lost(int rank, const std::string& sign) const {
    return {ErrorCode::Device, "is lost: " + sign, name(rank), "go on from the newest checkpoint with `trainyard resume`, on any number of ranks"};
  }
  std::string silence() const { return "no sign of life for " + secondsText(timeout_s) + "; its process ended or the network is cut"; }
  void failTeam(const Error& error) {
    const std::lock_guard lock(mutex);
    if (team != nullptr) team->failNow(error);
  }
  // At the end of a thread.
  void leave() {
    const std::lock_guard lock(mutex);
    --threads;
    changed.notify_all();
  }
  bool isParting() {
    const std::lock_guard lock(mutex);
    return parting;
  }

  // One round at the store. `seen`: each watched rank's last sign of life, and when it changed.
  void exchange(c10d::Store& store, std::map<int, std::pair<std::string, double>>& seen) {
    std::optional<Error> error;
    bool stop = false;
    {
      const std::lock_guard lock(mutex);
      error = own_error;
      stop = stop_wanted;
    }
    if (error) store.compareSet("failed", "", trainyard::toJson(*error).dump());
    if (stop) store.set("stop", "1");
    if (store.check({"failed"})) return failTeam(errorFrom(Json::parse(store.get_to_str("failed"))));
    if (world.rank == 0 && store.check({"stop"})) {
      const std::lock_guard lock(mutex);
      if (team != nullptr) team->stops_ = 1;
    }
    for (auto& [rank, sign] : seen) {
      const std::string pulse = store.check({key("pulse", static_cast<uint64_t>(rank))}) ? store.get_to_str(key("pulse", static_cast<uint64_t>(rank))) : "";
      if (pulse != sign.first) sign = {pulse, steadySeconds()};
      if (const double silent = steadySeconds() - sign.second; silent > timeout_s && !store.check({key("ended", static_cast<uint64_t>(rank))})) {
        const Error gone = lost(rank, silence());
        store.compareSet("failed", "", trainyard::toJson(gone).dump());
        failTeam(gone);
      }
    }
    answered = steadySeconds();
  }

  // Rank 0 may hold the store itself: it stays while the others read.
  void sayGoodbye(c10d::Store& store, const std::map<int, std::pair<std::string, double>>& seen) {
    store.set(key("ended", static_cast<uint64_t>(world.rank)), "1");
    if (world.rank > 0) return;
    const double end = steadySeconds() + kLinger;
    for (const auto& [rank, sign] : seen) {
      while (steadySeconds() < std::min(end, sign.second + timeout_s) && !store.check({key("ended", static_cast<uint64_t>(rank))}))
        std::this_thread::sleep_for(seconds(0.02));
    }
  }
};

RemoteTeam::RemoteTeam(const comm::World& world, c10::intrusive_ptr<c10d::Store> store, double timeout_s, const std::atomic<int>* asked_to_stop)
    : Team(1), world_(world), store_(std::move(store)), timeout_s_(timeout_s), asked_to_stop_(asked_to_stop), link_(std::make_shared<Link>()) {
  link_->world = world;
  link_->timeout_s = timeout_s;
  link_->interval_s = std::min(1.0, timeout_s / 4);
  for (int rank = 0; rank < world.size; ++rank) link_->who.push_back(Json::parse(store_->get_to_str(key("rank", static_cast<uint64_t>(rank))))["who"]);
  link_->team = this;
  link_->answered = steadySeconds();
  link_->threads = leads() ? 1 : 2;
  std::thread(&RemoteTeam::pulse, link_, store_->clone()).detach();
  if (!leads()) std::thread(&RemoteTeam::read, link_, store_->clone()).detach();
  judge_ = std::jthread([this](const std::stop_token& stop) { judge(stop); });
}

RemoteTeam::~RemoteTeam() {
  judge_.request_stop();
  judge_.join();
  std::unique_lock lock(link_->mutex);
  link_->parting = true;
  link_->changed.notify_all();
  link_->changed.wait_for(lock, seconds(kLinger + 2), [this] { return link_->threads == 0; });
  link_->team = nullptr;
}

void RemoteTeam::pulse(std::shared_ptr<Link> link, c10::intrusive_ptr<c10d::Store> store) {
  std::map<int, std::pair<std::string, double>> seen;  // rank 0 watches all others, they watch rank 0
  for (int rank = link->world.rank == 0 ? 1 : 0; rank < (link->world.rank == 0 ? link->world.size : 1); ++rank) seen[rank] = {"", steadySeconds()};
  try {
    for (uint64_t beat = 1;; ++beat) {
      store->set(key("pulse", static_cast<uint64_t>(link->world.rank)), std::to_string(beat));
      link->exchange(*store, seen);
      std::unique_lock lock(link->mutex);
      link->changed.wait_for(lock, seconds(link->interval_s), [&] { return link->parting; });
      if (link->parting) break;
    }
    link->exchange(*store, seen);
    link->sayGoodbye(*store, seen);
  } catch (const std::exception&) {
    if (!link->isParting()) link->failTeam(link->lost(0, "the rendezvous at " + endpoint(link->world) + " has ended"));
  }
  link->leave();
}

// Carries what rank 0 tells into the queue of this process.
void RemoteTeam::read(std::shared_ptr<Link> link, c10::intrusive_ptr<c10d::Store> store) {
  try {
    for (uint64_t number = 0; !link->isParting();) {
      const std::string told = key("told", number);
      try {
        store->wait({told}, std::chrono::milliseconds(500));
      } catch (const std::exception&) {
        (void)store->check({told});  // throws where the store has gone
        continue;
      }
      const Instruction instruction = instructionFrom(Json::parse(store->get_to_str(told)));
      if (store->add(key("had", number), 1) == link->world.size - 1) {
        store->deleteKey(told);
        store->deleteKey(key("had", number));
      }
      ++number;
      const std::lock_guard lock(link->mutex);
      if (link->team != nullptr) link->team->Team::tell(instruction);
      if (instruction.what == Instruction::Do::End) break;
    }
  } catch (const std::exception&) {  // the store has gone: pulse() says so
  }
  link->leave();
}

void RemoteTeam::judge(const std::stop_token& stop) {
  while (!stop.stop_requested()) {
    std::this_thread::sleep_for(seconds(0.05));
    if (asked_to_stop_ != nullptr && asked_to_stop_->load() > 0) {
      if (leads()) stops_ = 1;
      const std::lock_guard lock(link_->mutex);
      link_->stop_wanted = !leads();
    }
    if (steadySeconds() - link_->answered > timeout_s_ + link_->interval_s) failNow(link_->lost(0, link_->silence()));
  }
}

Result<std::vector<DeviceName>> RemoteTeam::settle(const Json& facts, const DeviceName& own) {
  store_->set(key("device", static_cast<uint64_t>(world_.rank)), own.cuda ? std::to_string(own.index) : "cpu");
  std::vector<std::string> all;
  for (int rank = 0; rank < world_.size; ++rank) all.push_back(key("device", static_cast<uint64_t>(rank)));
  while (!store_->check(all)) {
    if (auto failed = error()) return tl::unexpected(*std::move(failed));
    if (asked_to_stop_ != nullptr && asked_to_stop_->load() > 0) return trainyard::fail(ErrorCode::Interrupted, "stopped while it waited for the other ranks");
    std::this_thread::sleep_for(seconds(0.02));
  }
  TRAINYARD_CHECK(comm::agree(store_, world_, facts, timeout_s_));
  std::vector<DeviceName> devices;
  for (const auto& name : all) {
    const std::string text = store_->get_to_str(name);
    devices.push_back(text == "cpu" ? DeviceName{} : DeviceName{true, std::stoi(text)});
  }
  return devices;
}

void RemoteTeam::tell(Instruction instruction) {
  if (error()) return;
  store_->set(key("told", told_++), toJson(instruction).dump());
  if (instruction.what != Instruction::Do::Start) return;
  if (const auto sent = sendStart(instruction, *rank_); !sent) fail(sent.error());
}

Result<Instruction> RemoteTeam::next(int) {
  TRAINYARD_TRY(Instruction told, Team::next(1));
  if (told.what == Instruction::Do::Start) TRAINYARD_CHECK(receiveStart(told, *rank_));
  if (told.what == Instruction::Do::End) stopped_early_ = told.on;
  return told;
}

void RemoteTeam::failNow(const Error& error) noexcept { Team::fail(error); }

void RemoteTeam::fail(const Error& raw) noexcept {
  const Error error = explained(raw);
  const double end = steadySeconds() + timeout_s_ + 2 * link_->interval_s;
  while (error.code == ErrorCode::Device && !this->error() && steadySeconds() < end) std::this_thread::sleep_for(seconds(0.02));
  Error named = error;
  {
    const std::lock_guard lock(link_->mutex);
    if (!this->error()) {
      named.where = link_->name(world_.rank) + (error.where.empty() ? "" : ": " + error.where);
      link_->own_error = named;
    }
  }
  failNow(named);
}

}  // namespace trainyard::train
