#include <ATen/ATen.h>
#include <netinet/in.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>
#include <torch/csrc/distributed/c10d/Store.hpp>

#include <QTest>
#include <chrono>
#include <latch>
#include <map>

#include "core/base/files.h"
#include "core/comm/gloo.h"
#include "core/comm/join_store.h"
#include "core/comm/sockets.h"
#include "process_rank.h"
#include "ranks.h"

using namespace trainyard;
using namespace trainyard::comm;

namespace {

using Variables = std::map<std::string, std::string>;

Environment environmentOf(Variables variables) {
  return [variables = std::move(variables)](const std::string& name) -> std::optional<std::string> {
    const auto found = variables.find(name);
    return found == variables.end() ? std::nullopt : std::optional<std::string>(found->second);
  };
}

Variables with(Variables variables, const Variables& changes) {
  for (const auto& [name, value] : changes) {
    if (value == "-") {
      variables.erase(name);
    } else {
      variables[name] = value;
    }
  }
  return variables;
}

const Variables kTorchrun{{"RANK", "5"},
                          {"WORLD_SIZE", "8"},
                          {"LOCAL_RANK", "1"},
                          {"LOCAL_WORLD_SIZE", "4"},
                          {"GROUP_RANK", "1"},
                          {"MASTER_ADDR", "10.0.0.1"},
                          {"MASTER_PORT", "29500"},
                          {"TORCHELASTIC_RUN_ID", "job"},
                          {"SLURM_PROCID", "0"},
                          {"TORCHELASTIC_RESTART_COUNT", "2"}};
const Variables kSlurm{{"SLURM_PROCID", "3"}, {"SLURM_NTASKS", "4"},        {"SLURM_LOCALID", "1"},      {"SLURM_NTASKS_PER_NODE", "2"},
                       {"SLURM_NODEID", "1"}, {"SLURM_JOB_NUM_NODES", "2"}, {"SLURM_JOB_ID", "4217345"}, {"SLURM_JOB_NODELIST", "node[01-03,07]"}};
const Variables kKubernetes{
    {"RANK", "1"}, {"WORLD_SIZE", "3"}, {"MASTER_ADDR", "train-master-0"}, {"MASTER_PORT", "23456"}, {"KUBERNETES_SERVICE_HOST", "10.96.0.1"}};

QString describe(const World& world) {
  return QString::asprintf("%s: rank %d of %d, local %d of %d, node %d of %d, %s%s", world.from.c_str(), world.rank, world.size, world.local_rank,
                           world.local_size, world.node_rank, world.nodes, endpoint(world.host, world.port).c_str(), world.hosted ? ", hosted" : "");
}

int freePort() {
  const int descriptor = ::socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t length = sizeof address;
  bind(descriptor, reinterpret_cast<sockaddr*>(&address), length);
  getsockname(descriptor, reinterpret_cast<sockaddr*>(&address), &length);
  close(descriptor);
  return ntohs(address.sin_port);
}

World worldOf(int rank, int size, int port) {
  World world;
  world.rank = world.node_rank = rank;
  world.size = world.nodes = size;
  world.host = "127.0.0.1";
  world.port = port;
  world.from = "--nnodes";
  return world;
}

double since(std::chrono::steady_clock::time_point then) { return std::chrono::duration<double>(std::chrono::steady_clock::now() - then).count(); }

// Each world's process as a thread; "" or its error.
std::vector<std::string> onWorlds(const std::vector<World>& worlds, const std::function<std::string(const World&)>& body) {
  std::vector<std::string> results(worlds.size());
  std::vector<std::jthread> threads;
  for (size_t i = 0; i < worlds.size(); ++i) threads.emplace_back([&, i] { results[i] = body(worlds[i]); });
  threads.clear();
  return results;
}

std::string joined(const World& world, double timeout_s) {
  const auto store = joinStore(world, {timeout_s, ""});
  return store ? "" : toText(store.error());
}

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace

class TestRendezvous : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void readsEnvironments_data() {
    QTest::addColumn<int>("row");
    QTest::addColumn<QString>("expected");
    for (size_t row = 0; row < environments().size(); ++row)
      QTest::addRow("%zu", row) << static_cast<int>(row) << QString::fromStdString(environments()[row].second);
  }
  void readsEnvironments() {
    QFETCH(int, row);
    QFETCH(QString, expected);
    const auto world = worldFromEnvironment(environmentOf(environments()[static_cast<size_t>(row)].first));
    QVERIFY2(world.has_value(), world ? "" : toText(world.error()).c_str());
    QCOMPARE(*world ? describe(**world) : QString("alone"), expected);
  }
  static std::vector<std::pair<Variables, std::string>> environments() {
    return {
        {{}, "alone"},
        {kTorchrun, "torchrun: rank 5 of 8, local 1 of 4, node 1 of 2, 10.0.0.1:29500"},
        {with(kTorchrun, {{"TORCHELASTIC_USE_AGENT_STORE", "True"}}), "torchrun: rank 5 of 8, local 1 of 4, node 1 of 2, 10.0.0.1:29500, hosted"},
        {with(kTorchrun, {{"TORCHELASTIC_RUN_ID", "-"}, {"MASTER_ADDR", "fd00::1"}}),
         "RANK and WORLD_SIZE: rank 5 of 8, local 1 of 4, node 1 of 2, [fd00::1]:29500"},
        {{{"RANK", "0"}, {"WORLD_SIZE", "1"}}, "alone"},
        {kKubernetes, "Kubernetes: rank 1 of 3, local 0 of 1, node 1 of 3, train-master-0:23456"},
        {kSlurm, "Slurm: rank 3 of 4, local 1 of 2, node 1 of 2, node01:22345"},
        {with(kSlurm, {{"MASTER_ADDR", "10.1.1.1"}, {"MASTER_PORT", "4000"}}), "Slurm: rank 3 of 4, local 1 of 2, node 1 of 2, 10.1.1.1:4000"},
        {with(kSlurm, {{"SLURM_NTASKS_PER_NODE", "-"}, {"SLURM_STEP_NODELIST", "node07"}}), "Slurm: rank 3 of 4, local 1 of 2, node 1 of 2, node07:22345"},
        {with(kSlurm, {{"SLURM_PROCID", "0"}, {"SLURM_NTASKS", "1"}}), "alone"},
        {with(kSlurm, {{"SLURM_PROCID", "-"}}), "alone"},
    };
  }

  void refusesNonsense_data() {
    QTest::addColumn<int>("row");
    for (size_t row = 0; row < nonsense().size(); ++row) QTest::addRow("%s", std::get<2>(nonsense()[row]).c_str()) << static_cast<int>(row);
  }
  void refusesNonsense() {
    QFETCH(int, row);
    const auto all = nonsense();
    const auto& [variables, where, what] = all[static_cast<size_t>(row)];
    const auto world = worldFromEnvironment(environmentOf(variables));
    QVERIFY(!world);
    QCOMPARE(world.error().code, ErrorCode::Usage);
    QCOMPARE(QString::fromStdString(world.error().where), QString::fromStdString(where));
    QVERIFY2(has(world.error().what, what), world.error().what.c_str());
  }
  static std::vector<std::tuple<Variables, std::string, std::string>> nonsense() {
    return {
        {with(kTorchrun, {{"RANK", "8"}}), "RANK", "8 is not below WORLD_SIZE 8"},
        {with(kTorchrun, {{"RANK", "-1"}}), "RANK", "-1 is not from 0"},
        {with(kTorchrun, {{"RANK", "one"}}), "RANK", "\"one\" is not a whole number"},
        {with(kTorchrun, {{"RANK", "1.5"}}), "RANK", "\"1.5\" is not a whole number"},
        {with(kTorchrun, {{"RANK", "-"}}), "RANK", "is not set, though WORLD_SIZE is"},
        {with(kTorchrun, {{"RANK", ""}}), "RANK", "is not set, though WORLD_SIZE is"},
        {with(kTorchrun, {{"WORLD_SIZE", "-"}}), "WORLD_SIZE", "is not set, though RANK is"},
        {with(kTorchrun, {{"WORLD_SIZE", "0"}}), "WORLD_SIZE", "0 is not from 1"},
        {with(kTorchrun, {{"WORLD_SIZE", "99999999999"}}), "WORLD_SIZE", "\"99999999999\" is not a whole number"},
        {with(kTorchrun, {{"LOCAL_RANK", "4"}}), "LOCAL_RANK", "4 is not below LOCAL_WORLD_SIZE 4"},
        {with(kTorchrun, {{"GROUP_RANK", "2"}}), "GROUP_RANK", "2 is not below"},
        {with(kTorchrun, {{"MASTER_ADDR", "-"}}), "MASTER_ADDR", "is not set"},
        {with(kTorchrun, {{"MASTER_PORT", "-"}}), "MASTER_PORT", "is not set, though WORLD_SIZE"},
        {with(kTorchrun, {{"MASTER_PORT", "0"}}), "MASTER_PORT", "0 is not from 1 to 65535"},
        {with(kTorchrun, {{"MASTER_PORT", "70000"}}), "MASTER_PORT", "70000 is not from 1 to 65535"},
        {with(kSlurm, {{"SLURM_PROCID", "4"}}), "SLURM_PROCID", "4 is not below SLURM_NTASKS 4"},
        {with(kSlurm, {{"SLURM_NTASKS", "-"}}), "SLURM_NTASKS", "is not set, though SLURM_PROCID is"},
        {with(kSlurm, {{"SLURM_JOB_ID", "-"}}), "SLURM_JOB_ID", "is not set, though"},
        {with(kSlurm, {{"SLURM_JOB_NODELIST", "-"}}), "SLURM_JOB_NODELIST", "is not set, though"},
        {with(kSlurm, {{"SLURM_JOB_NODELIST", "node[01"}}), "SLURM_JOB_NODELIST", "\"node[01\" is not a list"},
        {with(kSlurm, {{"SLURM_NODEID", "2"}}), "SLURM_NODEID", "2 is not below SLURM_JOB_NUM_NODES 2"},
    };
  }

  void findsTheFirstHost() {
    const std::map<std::string, std::string> lists{
        {"node[01-03,07]", "node01"}, {"a,b", "a"}, {"gpu-[3,5-7]-x[1-2],z", "gpu-3-x1"}, {"one", "one"}, {"n[10]", "n10"}, {"rack[1", ""}, {"", ""}};
    for (const auto& [list, host] : lists) QCOMPARE(QString::fromStdString(firstHost(list)), QString::fromStdString(host));
  }

  void byHand() {
    const auto alone = worldByHand(1, 0, "");
    QVERIFY(alone && !*alone);
    const auto world = worldByHand(3, 2, "trainer.local:29500");
    QVERIFY(world && *world);
    QCOMPARE(describe(**world), QString("--nnodes: rank 2 of 3, local 0 of 1, node 2 of 3, trainer.local:29500"));
    const auto six = worldByHand(2, 0, "[fd00::1]:1");
    QCOMPARE(describe(**six), QString("--nnodes: rank 0 of 2, local 0 of 1, node 0 of 2, [fd00::1]:1"));
    const std::vector<std::tuple<int, int, std::string, std::string>> wrong{
        {0, 0, "a:1", "--nnodes"},           {2, 2, "a:1", "--node-rank"},     {2, -1, "a:1", "--node-rank"},       {2, 0, "", "--rendezvous"},
        {2, 0, "a", "--rendezvous"},         {2, 0, ":1", "--rendezvous"},     {2, 0, "a:", "--rendezvous"},        {2, 0, "a:0", "--rendezvous"},
        {2, 0, "a:70000", "--rendezvous"},   {2, 0, "a:port", "--rendezvous"}, {2, 0, "fd00::1:5", "--rendezvous"}, {2, 0, "[fd00::1", "--rendezvous"},
        {2, 0, "[fd00::1]", "--rendezvous"}, {2, 0, "[]:1", "--rendezvous"}};
    for (const auto& [nodes, rank, place, where] : wrong) {
      const auto refused = worldByHand(nodes, rank, place);
      QVERIFY2(!refused, place.c_str());
      QCOMPARE(QString::fromStdString(refused.error().where), QString::fromStdString(where));
    }
  }

  void allJoinAndAgree() {
    const int port = freePort();
    std::latch left(3);
    const auto results = onWorlds({worldOf(0, 3, port), worldOf(1, 3, port), worldOf(2, 3, port)}, [&](const World& world) -> std::string {
      const auto store = joinStore(world, {10, ""});
      if (!store) return toText(store.error());
      const auto same = agree(*store, world, {{"version", "0.1"}, {"recipe", "abc"}}, 10);
      if (!same) return toText(same.error());
      (*store)->set("own/" + std::to_string(world.rank), "x");
      const bool all = (*store)->check({"own/" + std::to_string(world.rank)});
      left.arrive_and_wait();  // rank 0 holds the store
      return all ? "" : "what was stored is gone";
    });
    QCOMPARE(firstComplaint(results), QString());
  }

  void whoDiffersIsNamed() {
    const int port = freePort();
    const auto results = onWorlds({worldOf(0, 3, port), worldOf(1, 3, port), worldOf(2, 3, port)}, [](const World& world) -> std::string {
      const auto store = joinStore(world, {10, ""});
      if (!store) return toText(store.error());
      Json facts{{"version", "0.1"}, {"recipe", world.rank == 2 ? "def" : "abc"}};
      if (world.rank > 0) facts["precision"] = "bf16";
      const auto same = agree(*store, world, facts, 10);
      return same ? "agreed" : toText(same.error());
    });
    for (const std::string& result : results) {
      QVERIFY2(
          has(result, "recipe: abc on rank 0, def on rank 2") && has(result, "precision: nothing on rank 0, bf16 on ranks 1, 2") && !has(result, "version:"),
          result.c_str());
    }
  }

  void anotherNumberOfRanksIsNamed() {
    const int port = freePort();
    const auto results = onWorlds({worldOf(0, 2, port), worldOf(1, 3, port)}, [](const World& world) { return joined(world, 10); });
    QVERIFY2(has(results[0], "2 on rank 0, 3 on rank 1"), results[0].c_str());
    QVERIFY2(has(results[1], "3 on rank 1, 2 on rank 0"), results[1].c_str());
  }

  void aMissingRankIsNamed() {
    const int port = freePort();
    const auto results = onWorlds({worldOf(0, 4, port), worldOf(1, 4, port)}, [](const World& world) { return joined(world, 1); });
    QVERIFY2(has(results[0], "ranks 2, 3 of 4 did not come within 1 s"), results[0].c_str());
    QVERIFY2(has(results[0], endpoint("127.0.0.1", port)), results[0].c_str());
    QVERIFY2(has(results[1], "ranks 2, 3 of 4 did not come"), results[1].c_str());
  }

  void aRankThatJoinsTwiceIsRefused() {
    const int port = freePort();
    std::latch others(2);
    const auto results = onWorlds({worldOf(0, 2, port), worldOf(1, 2, port), worldOf(1, 2, port)}, [&](const World& world) -> std::string {
      const auto store = joinStore(world, {10, ""});
      if (world.rank > 0) others.count_down();
      if (world.rank == 0) others.wait();  // it holds the store
      return store ? "" : toText(store.error());
    });
    QCOMPARE(results[0], std::string());
    QVERIFY(results[1].empty() != results[2].empty());
    const std::string& refused = results[1].empty() ? results[2] : results[1];
    QVERIFY2(has(refused, "rank 1 has joined already, from "), refused.c_str());
  }

  void nobodyListens() {
    const int port = freePort();
    const auto then = std::chrono::steady_clock::now();
    const std::string result = joined(worldOf(1, 2, port), 1.5);
    QVERIFY(since(then) < 4);
    QVERIFY2(has(result, endpoint("127.0.0.1", port)) && has(result, "tried ") && has(result, " times in 1.") && has(result, "refused"), result.c_str());
    World unknown = worldOf(1, 2, port);
    unknown.host = "no-such-host.invalid";
    const std::string named = joined(unknown, 0.3);
    QVERIFY2(has(named, "no-such-host.invalid:") && has(named, "the name is not known"), named.c_str());
  }

  void aPortInUseAndAnAddressOfAnother() {
    const int port = freePort();
    const auto taken = listenOn("127.0.0.1", port);
    QVERIFY(taken);
    const std::string in_use = joined(worldOf(0, 2, port), 1);
    QVERIFY2(has(in_use, "port " + std::to_string(port) + " is in use"), in_use.c_str());
    World elsewhere = worldOf(0, 2, port);
    elsewhere.host = "192.0.2.1";
    const std::string other = joined(elsewhere, 1);
    QVERIFY2(has(other, "the address is not one of this computer's"), other.c_str());
  }

  void listensOnTheOneAddressAlone() {
    const int port = freePort();
    const auto one = listenOn("127.0.0.1", port);
    QVERIFY(one);
    QVERIFY(waitForListener("127.0.0.1", port, std::chrono::milliseconds(100)));
    QVERIFY(!waitForListener("127.0.0.2", port, std::chrono::milliseconds(100)));
    QCOMPARE(QString::fromStdString(addressTowards("127.0.0.1", port)), QString("127.0.0.1"));
  }

  void somethingElseAnswers() {
    const int port = freePort();
    const auto silent = listenOn("127.0.0.1", port);
    QVERIFY(silent);
    const auto then = std::chrono::steady_clock::now();
    const std::string result = joined(worldOf(1, 2, port), 1);
    QVERIFY2(since(then) < 10, std::to_string(since(then)).c_str());
    QVERIFY2(has(result, endpoint("127.0.0.1", port)) && has(result, "the rendezvous failed"), result.c_str());
  }

  void twoProcessesOverGloo() {
    const int port = freePort();
    const pid_t child = startChild(port, false);
    QCOMPARE(reduceTogether(worldOf(0, 2, port), false), 0);
    int status = 0;
    waitpid(child, &status, 0);
    QVERIFY(WIFEXITED(status));
    QCOMPARE(WEXITSTATUS(status), 0);
  }

  void aLostProcessEndsTheOthers_data() {
    QTest::addColumn<int>("signal");
    QTest::addColumn<QString>("expected");
    QTest::addRow("killed") << SIGKILL << "the connection to another rank was lost";
    QTest::addRow("stuck, or behind a cut link") << SIGSTOP << "did not end within 1 s";
  }
  void aLostProcessEndsTheOthers() {
    QFETCH(int, signal);
    QFETCH(QString, expected);
    const int port = freePort();
    const pid_t child = startChild(port, true);
    std::string wrong;
    double seconds = 0;
    {
      const World world = worldOf(0, 2, port);
      const auto store = joinStore(world, {10, ""});
      QVERIFY(store.has_value());
      QVERIFY(agree(*store, world, {{"version", "1"}}, 10).has_value());
      GlooOptions options;
      options.timeout_s = 1;
      auto made = glooCommunicator(*store, 0, 2, options);
      QVERIFY(made.has_value());
      at::Tensor value = at::ones({1000});
      for (int i = 0; i < 5; ++i) QCOMPARE(waited((*made)->allReduce(value, ReduceOp::Sum)), std::string());
      kill(child, signal);
      const auto then = std::chrono::steady_clock::now();
      for (int i = 0; i < 100 && wrong.empty(); ++i) wrong = waited((*made)->allReduce(value, ReduceOp::Sum));
      (*made)->abort({ErrorCode::Device, wrong, "", ""});
      made->reset();
      seconds = since(then);
    }
    kill(child, SIGKILL);
    waitpid(child, nullptr, 0);
    QVERIFY2(has(wrong, expected.toStdString()), wrong.c_str());
    QVERIFY2(seconds < 3, std::to_string(seconds).c_str());
  }

 private:
  static pid_t startChild(int port, bool for_ever) {
    const std::string program = (programFolder() / "test_comm_rendezvous").string(), text = std::to_string(port);
    const pid_t child = fork();
    if (child != 0) return child;
    if (for_ever) setenv("TRAINYARD_TEST_FOR_EVER", "10", 1);
    for (const auto& [name, value] :
         Variables{{"TRAINYARD_TEST_CHILD", "1"}, {"RANK", "1"}, {"WORLD_SIZE", "2"}, {"MASTER_ADDR", "127.0.0.1"}, {"MASTER_PORT", text}}) {
      setenv(name.c_str(), value.c_str(), 1);
    }
    execl(program.c_str(), program.c_str(), static_cast<char*>(nullptr));
    _exit(127);
  }
};

int main(int argc, char** argv) {
  if (const auto status = runAsRank()) return *status;
  TestRendezvous test;
  return QTest::qExec(&test, argc, argv);
}
#include "tst_rendezvous.moc"
