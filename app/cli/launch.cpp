// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/launch.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <optional>
#include <string>
#include <vector>

#include "armilla/core/error.h"
#include "armilla/core/loaded_module.h"
#include "armilla/operations/usage_error.h"
#include "armilla/ops/rank_transport.h"

namespace armilla::cli {

namespace {

std::string lastProblem() {
    const char* const text = dlerror();
    return text != nullptr ? text : "no reason";
}

const ArmillaRankTransport& loadTransport(const LaunchedAs& as) {
    const std::string asked =
        "expected an MPI to run as one of " + std::to_string(as.size) + " ranks, found ";
    const std::string module = modulePath("armilla-mpi.so");
    if (module.empty()) throw Unsupported(asked + "none with this program");
    // The MPI library is loaded globally before the module, because its plugins and the module look
    // up its symbols and are not linked with it.
    if (dlopen(ARMILLA_MPI_LIBRARY, RTLD_NOW | RTLD_GLOBAL) == nullptr)
        throw Unsupported(asked + "none: " + lastProblem());
    void* const loaded = dlopen(module.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (loaded == nullptr) throw Unsupported(asked + "none: " + lastProblem());
    const auto entry =
        reinterpret_cast<ArmillaRankTransportOf>(dlsym(loaded, "armillaRankTransport"));
    if (entry == nullptr || entry()->version != kArmillaRankTransport)
        throw Unsupported(asked + "a module of another version: " + module);
    return *entry();
}

std::string lineOfNoStart(int size) {
    return "armilla: expected an MPI to run as one of " + std::to_string(size) +
           " ranks, found that " ARMILLA_MPI_LIBRARY
           " does not start under this launcher (Slurm: srun --mpi=pmix; MPICH: pmi2)\n";
}

// An MPI that cannot start ends the process. A child process then prints the error if this process
// ends without notifying it.
class Heir {
public:
    explicit Heir(const std::string& line) {
        std::array<int, 2> ends{};
        if (pipe2(ends.data(), O_CLOEXEC) != 0) return;
        child_ = fork();
        if (child_ == 0) {
            // A signal during the start needs no error line.
            sigset_t none;
            sigemptyset(&none);
            pthread_sigmask(SIG_SETMASK, &none, nullptr);
            close(ends[1]);
            char word = 0;
            if (read(ends[0], &word, 1) == 0) [[maybe_unused]]
                const ssize_t ignored = write(STDERR_FILENO, line.data(), line.size());
            _exit(0);
        }
        close(ends[0]);
        word_ = ends[1];
    }
    ~Heir() {
        if (word_ < 0) return;
        [[maybe_unused]] const ssize_t ignored = write(word_, "", 1);
        close(word_);
        if (child_ > 0) waitpid(child_, nullptr, 0);
    }
    Heir(const Heir&) = delete;
    Heir& operator=(const Heir&) = delete;

private:
    pid_t child_ = -1;
    int word_ = -1;
};

class MpiRanks final : public Ranks {
public:
    MpiRanks(const ArmillaRankTransport& transport, int rank, int size)
        : transport_(transport), rank_(rank), size_(size) {}
    int rank() const override { return rank_; }
    int size() const override { return size_; }

protected:
    int agree(int value) override { return transport_.agree(value); }
    bool agreeWithin(int value, int milliseconds) override {
        return transport_.agreeWithin(value, milliseconds) != 0;
    }
    void transfer(std::span<const ConstBytes> sends, std::span<const Bytes> receives) override {
        std::vector<const void*> from;
        std::vector<void*> to;
        std::vector<int64_t> fromBytes, toBytes;
        for (const ConstBytes& each : sends) {
            from.push_back(each.data());
            fromBytes.push_back(static_cast<int64_t>(each.size()));
        }
        for (const Bytes& each : receives) {
            to.push_back(each.data());
            toBytes.push_back(static_cast<int64_t>(each.size()));
        }
        transport_.transfer(from.data(), fromBytes.data(), to.data(), toBytes.data());
    }

private:
    const ArmillaRankTransport& transport_;
    int rank_, size_;
};

}  // namespace

struct Launch::State {
    const ArmillaRankTransport* transport = nullptr;
    std::unique_ptr<MpiRanks> ranks;
};

Launch::Launch(const LaunchedAs& as) : state_(std::make_unique<State>()) {
    if (!as.withMpi)
        throw UsageError("expected srun --mpi=pmix (MPICH: pmi2) or mpirun to run as one of " +
                         std::to_string(as.size) +
                         " tasks, found srun without MPI; to run unrelated commands, unset "
                         "SLURM_STEP_NUM_TASKS");
    state_->transport = &loadTransport(as);
    int rank = 0, size = 0;
    std::optional<Heir> heir;
    if (as.rank == 0) heir.emplace(lineOfNoStart(as.size));
    if (const char* const problem = state_->transport->start(&rank, &size); problem != nullptr)
        throw Unsupported(std::string("expected ") + problem);
    heir.reset();
    if (size != as.size)
        throw Unsupported("expected " + std::to_string(as.size) +
                          " ranks as the launcher states, found " + std::to_string(size) + " by " +
                          ARMILLA_MPI_LIBRARY + " (the launcher of another MPI?)");
    state_->ranks = std::make_unique<MpiRanks>(*state_->transport, rank, size);
}

Launch::~Launch() = default;

Ranks& Launch::ranks() {
    return *state_->ranks;
}

void Launch::end() {
    state_->transport->end();
}

void Launch::abort(int status) {
    state_->transport->abort(status);
    _exit(status);
}

}  // namespace armilla::cli
