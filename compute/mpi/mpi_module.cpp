// SPDX-License-Identifier: GPL-3.0-or-later
// Exchange between ranks by MPI, as a module. The program loads the module only under a launcher,
// so that the program builds and runs without MPI. The module is not linked with MPI's library,
// which is loaded first, so that a package need not depend on MPI.
#define OMPI_SKIP_MPICXX 1
#define MPICH_SKIP_MPICXX 1
#include <mpi.h>
#include <sched.h>
#include <time.h>

#include <algorithm>
#include <vector>

#include "armilla/ops/rank_transport.h"

namespace {

// MPI 3 counts have 32 bits, and some transports slow down for large messages.
constexpr int64_t kPiece = int64_t{1} << 26;
constexpr int kTag = 1;

int ownRank = 0, ranks = 1;

double secondsNow() {
    timespec now{};
    clock_gettime(CLOCK_MONOTONIC, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

// Waits without occupying a core that another rank shares. The first `turns` calls only yield the
// processor. Later calls sleep for 1/8 of the time waited so far, at most `longest` seconds. Thus
// polling costs almost nothing, and the delay is at most 1/8 of the wait.
class Patience {
public:
    Patience(int turns, double longest) : turns_(turns), longest_(longest) {}
    void wait() {
        constexpr double kLeast = 2e-5, kPart = 0.125;
        if (turns_-- > 0) {
            sched_yield();
            return;
        }
        const double pause = std::clamp(kPart * (secondsNow() - start_), kLeast, longest_);
        const timespec time{0, static_cast<long>(pause * 1e9)};
        nanosleep(&time, nullptr);
    }

private:
    int turns_;
    double longest_, start_ = secondsNow();
};
// forRanks: for ranks that still compute, for milliseconds or longer. forData: for data that is
// ready to transfer, where some transports progress only during calls.
Patience forRanks() {
    return {20, 5e-4};
}
Patience forData() {
    return {100, 1e-4};
}

const char* start(int* rank, int* size) {
    int provided = 0;
    // A failing MPI terminates all processes itself; no channel for a message remains.
    if (MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &provided) != MPI_SUCCESS)
        return "MPI that starts, found a failure of MPI_Init_thread";
    if (provided < MPI_THREAD_FUNNELED)
        return "an MPI with thread support (MPI_THREAD_FUNNELED), found one without";
    MPI_Comm_rank(MPI_COMM_WORLD, &ownRank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    *rank = ownRank;
    *size = ranks;
    return nullptr;
}

int agree(int value) {
    int largest = value, done = 0;
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Iallreduce(&value, &largest, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD, &request);
    for (Patience patience = forRanks();; patience.wait()) {
        MPI_Test(&request, &done, MPI_STATUS_IGNORE);
        if (done != 0) return largest;
    }
}

int agreeWithin(int value, int milliseconds) {
    // Static, because MPI may still write to these variables after this call has timed out.
    static int given = 0, largest = 0;
    given = value;
    int done = 0;
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Iallreduce(&given, &largest, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD, &request);
    const double end = secondsNow() + 1e-3 * milliseconds;
    for (Patience patience = forRanks(); secondsNow() < end; patience.wait()) {
        MPI_Test(&request, &done, MPI_STATUS_IGNORE);
        if (done != 0) return 1;
    }
    return 0;
}

void transfer(const void* const* sends, const int64_t* sendBytes, void* const* receives,
              const int64_t* receiveBytes) {
    std::vector<MPI_Request> requests;
    // Receives are posted first. Every rank begins with its next neighbor, so that not all ranks
    // send to the same rank.
    for (int step = 1; step < ranks; ++step) {
        const int from = (ownRank - step + ranks) % ranks;
        for (int64_t at = 0; at < receiveBytes[from]; at += kPiece) {
            const auto count = static_cast<int>(std::min(kPiece, receiveBytes[from] - at));
            MPI_Irecv(static_cast<char*>(receives[from]) + at, count, MPI_BYTE, from, kTag,
                      MPI_COMM_WORLD, &requests.emplace_back());
        }
    }
    for (int step = 1; step < ranks; ++step) {
        const int to = (ownRank + step) % ranks;
        for (int64_t at = 0; at < sendBytes[to]; at += kPiece) {
            const auto count = static_cast<int>(std::min(kPiece, sendBytes[to] - at));
            MPI_Isend(static_cast<const char*>(sends[to]) + at, count, MPI_BYTE, to, kTag,
                      MPI_COMM_WORLD, &requests.emplace_back());
        }
    }
    int done = 0;
    for (Patience patience = forData();; patience.wait()) {
        MPI_Testall(static_cast<int>(requests.size()), requests.data(), &done, MPI_STATUSES_IGNORE);
        if (done != 0) return;
    }
}

void end() {
    MPI_Finalize();
}

void abortAll(int status) {
    MPI_Abort(MPI_COMM_WORLD, status);
}

constexpr ArmillaRankTransport kTransport{
    kArmillaRankTransport, start, agree, agreeWithin, transfer, end, abortAll};

}  // namespace

extern "C" __attribute__((visibility("default"))) const ArmillaRankTransport*
armillaRankTransport() {
    return &kTransport;
}
