// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/launch.h"

#include <dlfcn.h>
#include <unistd.h>

#include <array>
#include <charconv>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string_view>
#include <system_error>
#include <vector>

#include "core/error.h"
#include "ops/rank_transport.h"

namespace armilla::cli {

namespace {

std::optional<int> numberIn(const char* variable) {
    const char* const text = std::getenv(variable);
    if (text == nullptr) return std::nullopt;
    int value = 0;
    const std::string_view all(text);
    const auto [end, failure] = std::from_chars(all.data(), all.data() + all.size(), value);
    if (failure != std::errc() || end != all.data() + all.size() || value < 0) return std::nullopt;
    return value;
}

// Open MPI's mpirun; MPICH's, Intel's and Slurm's with PMI; Slurm's with PMIx, which tells the rank
// alone. Slurm's own variables are those of any command in a batch script, too.
struct Names {
    const char *rank, *size, *onHost, *localRank;
};
constexpr std::array<Names, 3> kNames{
    {{"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_LOCAL_SIZE",
      "OMPI_COMM_WORLD_LOCAL_RANK"},
     {"PMI_RANK", "PMI_SIZE", "MPI_LOCALNRANKS", "MPI_LOCALRANKID"},
     {"PMIX_RANK", "SLURM_STEP_NUM_TASKS", "SLURM_NTASKS_PER_NODE", "SLURM_LOCALID"}}};

// Beside the program in a build, or where the package puts it.
std::string modulePath() {
    std::error_code ignored;
    const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", ignored);
    const std::filesystem::path folder = program.parent_path();
    for (const std::filesystem::path& path :
         {folder / "armilla-mpi.so",
          folder.parent_path() / ARMILLA_INSTALL_LIBDIR / "armilla" / "armilla-mpi.so"})
        if (std::filesystem::exists(path, ignored)) return path.string();
    return "";
}

std::string lastProblem() {
    const char* const text = dlerror();
    return text != nullptr ? text : "no reason";
}

const ArmillaRankTransport& loadTransport(const LaunchedAs& as) {
    const std::string asked =
        "expected an MPI to run as one of " + std::to_string(as.size) + " ranks, found ";
    const std::string module = modulePath();
    if (module.empty()) throw Unsupported(asked + "none with this program");
    // First the library, for all that comes after it: its own plugins look for it, and so does the
    // module, which is not linked with it.
    if (dlopen(ARMILLA_MPI_LIBRARY, RTLD_NOW | RTLD_GLOBAL) == nullptr)
        throw Unsupported(asked + "none: " + lastProblem());
    void* const loaded = dlopen(module.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (loaded == nullptr) throw Unsupported(asked + "none: " + lastProblem());
    const auto entry =
        reinterpret_cast<ArmillaRankTransportOf>(dlsym(loaded, "armillaRankTransport"));
    if (entry == nullptr || entry()->version != kArmillaRankTransport)
        throw Unsupported(asked + "the module of another version: " + module);
    return *entry();
}

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

LaunchedAs launchedAs() {
    for (const Names& names : kNames) {
        const std::optional<int> rank = numberIn(names.rank), size = numberIn(names.size);
        if (!rank || !size || *size < 2 || *rank >= *size) continue;
        const int onHost = numberIn(names.onHost).value_or(1);
        return {*rank, *size, onHost > 0 ? onHost : 1, numberIn(names.localRank).value_or(0)};
    }
    return {};
}

struct Launch::State {
    const ArmillaRankTransport* transport = nullptr;
    std::unique_ptr<MpiRanks> ranks;
};

Launch::Launch(const LaunchedAs& as) : state_(std::make_unique<State>()) {
    state_->transport = &loadTransport(as);
    int rank = 0, size = 0;
    if (const char* const problem = state_->transport->start(&rank, &size); problem != nullptr)
        throw Unsupported(std::string("expected ") + problem);
    if (size != as.size)
        throw Unsupported("expected " + std::to_string(as.size) +
                          " ranks as the launcher says, found " + std::to_string(size) + " by " +
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
