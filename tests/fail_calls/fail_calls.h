#pragma once
// Makes the system calls of this process fail that change files below one folder. Linked into a test, it stands before the C library's own
// functions; as a library of its own, it is loaded into another program with LD_PRELOAD and FAIL_CALLS="from to errno folder".
// fsync is only counted: nothing here loses power.
#include <string>

namespace trainyard::failcalls {

struct Plan {
  std::string folder;
  long from = 1, to = 1;  // which calls fail, counted from 1
  int error = 0;          // an errno; 0: the call writes only the first half (only calls that write count then)
};
void arm(const Plan& plan);
long disarm();  // how many calls there were

}  // namespace trainyard::failcalls
