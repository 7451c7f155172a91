#pragma once
// A stand-in for the training program: the same arguments, run directory, lock, events and control, without a network to train. The test's
// own binary plays it, when it is started with an engine's verb.
#include <QString>

namespace trainyard::test {

// Besides train and resume (with --lr-factor and --epochs) it answers lr-find, model show, plan, predict, and weights list and get. $FAKE_ANSWER: a
// file whose text is the answer instead.

// Whether these are an engine's arguments.
bool isEngineCall(int argc, char** argv);

// Runs as the engine until the plan is done, it is stopped or told to fail. $FAKE_STEPS (default 400), $FAKE_STEP_MS (5), and
// $FAKE_TROUBLE: "start" (an error before the run begins), "crash" (silent exit before it begins), "nan" (the loss breaks half way).
int playEngine(int argc, char** argv);

// Sets the environment of a test: this binary as the engine, runs and data below `folder`.
void useFolder(const QString& folder);

// A recipe that passes every check.
QString recipeToml(const QString& name);

// Writes a finished run of `steps` steps, one a line, into `dir`; its loss at step k is 2 / (1 + k / 50).
void writeFinishedRun(const QString& dir, const QString& name, int steps);

}  // namespace trainyard::test
