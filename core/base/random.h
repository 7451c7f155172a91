#pragma once
// Random numbers as functions of what they are for: the same key gives the same sequence, whatever thread draws it and when.
#include <cstdint>
#include <initializer_list>

namespace trainyard {

// A small generator (splitmix64) seeded by mixing any number of integers: Random({seed, epoch, index}).
class Random {
 public:
  Random(std::initializer_list<uint64_t> key);
  uint64_t next();                        // 64 uniform bits
  double uniform();                       // [0, 1)
  double uniform(double low, double high);
  double normal();                        // mean 0, standard deviation 1
  uint64_t below(uint64_t bound);         // [0, bound), without bias; bound > 0

 private:
  uint64_t state_;
};

}  // namespace trainyard
