// How many cores this process may use: those of its affinity, and no more than the quota of its control
// groups pays for; and how many of them nobody else uses.
//
// A quota counts processor time, not cores: with 8 of 64 cores' time, 64 threads are all stopped for most of
// each period, and every barrier waits for the one that was stopped first. Groups are nested, and the least
// quota on the way up holds. Inside a container the group's path may be that of the host, which is not to be
// seen there; the top of what is to be seen is then the container's own group. So every group on the path is
// asked, and what cannot be read says nothing.
#pragma once

#if defined(__linux__)
#include <sched.h>
#include <unistd.h>
#endif

#include <algorithm>
#include <atomic>
#include <chrono>
#include <climits>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <thread>

namespace konig::bsp {

// The numbers that a file begins with, as many as there are places for; how many there are. By C's own means:
// what else a process has loaded must not decide which locale a stream of C++ reads with.
inline int numbers_in(const std::string& path, double* first, double* second = nullptr) {
  std::FILE* const file = std::fopen(path.c_str(), "r");
  if (!file) return -1;
  char line[128] = "";
  const bool has_line = std::fgets(line, sizeof line, file) != nullptr;
  std::fclose(file);
  if (!has_line) return 0;
  char* rest = line;
  int count = 0;
  for (double* const place : {first, second}) {
    if (!place) continue;
    char* end = rest;
    const double number = std::strtod(rest, &end);
    if (end == rest) break;
    *place = number;
    rest = end;
    ++count;
  }
  return count;
}

// Version 2: "max 100000" or "50000 100000", time and period. Version 1 has a file for each, and -1 for none.
inline int cores_of_group(const std::string& folder) {
  double quota = -1, period = 0;
  if (numbers_in(folder + "/cpu.max", &quota, &period) < 0) {
    numbers_in(folder + "/cpu.cfs_quota_us", &quota);
    numbers_in(folder + "/cpu.cfs_period_us", &period);
  }
  if (!(quota > 0 && period > 0)) return INT_MAX;
  return int(std::clamp(quota / period, 1.0, double(INT_MAX)));  // part of a core is none
}

// The least of a group and of all above it.
inline int cores_of_groups(const std::string& mounted, std::string path) {
  int cores = cores_of_group(mounted);
  for (; path.size() > 1; path.erase(path.rfind('/')))
    cores = std::min(cores, cores_of_group(mounted + path));
  return cores;
}

// `root` is where /proc and /sys are.
inline int cores_by_quota(const std::string& root = "") {
  int cores = INT_MAX;
  std::FILE* const groups = std::fopen((root + "/proc/self/cgroup").c_str(), "r");
  if (!groups) return cores;
  for (char read[4096]; std::fgets(read, sizeof read, groups);) {  // number:controllers:path
    std::string line(read);
    while (!line.empty() && line.back() == '\n') line.pop_back();
    const std::size_t first = line.find(':');
    const std::size_t second = first == std::string::npos ? first : line.find(':', first + 1);
    if (second == std::string::npos || second + 1 >= line.size() || line[second + 1] != '/') continue;
    const std::string controllers = line.substr(first + 1, second - first - 1),
                      path = line.substr(second + 1);
    const std::string mounted = root + "/sys/fs/cgroup";
    if (controllers.empty())
      cores = std::min(cores, cores_of_groups(mounted, path));
    else if (("," + controllers + ",").find(",cpu,") != std::string::npos)
      for (const std::string& name : {controllers, std::string("cpu")})  // one of them may be a link
        cores = std::min(cores, cores_of_groups(mounted + "/" + name, path));
  }
  std::fclose(groups);
  return cores;
}

inline int cores_by_affinity() {
#if defined(__linux__)
  cpu_set_t set;
  if (sched_getaffinity(0, sizeof set, &set) == 0) return CPU_COUNT(&set);
#endif
  return int(std::max(1u, std::thread::hardware_concurrency()));
}

// The quota is read once: its files take longer to read than a small problem to solve.
inline int available_cores() {
  static const int by_quota = cores_by_quota();
  return std::min(cores_by_affinity(), by_quota);
}

// How many threads of the whole machine have or want a core now, this one among them; 0 if it is not known.
// The fourth field of "0.20 0.18 0.12 2/80 11206".
inline int running_threads(const std::string& root = "") {
  std::FILE* const file = std::fopen((root + "/proc/loadavg").c_str(), "r");
  if (!file) return 0;
  int running = 0;
  if (std::fscanf(file, "%*s %*s %*s %d/", &running) != 1) running = 0;
  std::fclose(file);
  return std::max(running, 0);
}

// Cores of `available` that no thread but this one uses. Something or other runs for some ten microseconds
// all the time, so only who runs at each of several looks counts. A process that is confined to a part of the
// machine has been given that part: what runs elsewhere says nothing about it.
inline int unused_cores(int available, const std::string& root = "") {
#if defined(__linux__)
  using Clock = std::chrono::steady_clock;
  constexpr std::chrono::microseconds kLooking{100};
  const int online = int(sysconf(_SC_NPROCESSORS_ONLN));
  if (available == 1 || cores_by_affinity() < online) return available;
  const Clock::time_point until = Clock::now() + kLooking;
  int others = INT_MAX;
  do {
    const int running = running_threads(root);
    if (running == 0) return available;
    others = std::min(others, running - 1);
  } while (others > online - available && Clock::now() < until);
  return std::clamp(online - others, 1, available);
#else
  return available;
#endif
}

// What a solve takes where nobody said how many threads. A team of more threads than unused cores waits at
// each barrier for the one that has no core, and is slower than one thread. The steps of one call ask in
// turn: an answer holds for a millisecond.
inline int idle_cores() {
  using Clock = std::chrono::steady_clock;
  constexpr std::chrono::milliseconds kHolds{1};
  static std::atomic<Clock::rep> asked{0};
  static std::atomic<int> answer{0};
  const int available = available_cores();
  const Clock::time_point now = Clock::now();
  if (answer.load() == 0 || now - Clock::time_point(Clock::duration(asked.load())) > kHolds) {
    answer.store(unused_cores(available));
    asked.store(Clock::now().time_since_epoch().count());
  }
  return std::min(answer.load(), available);
}

}  // namespace konig::bsp
