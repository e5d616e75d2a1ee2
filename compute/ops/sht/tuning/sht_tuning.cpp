// SPDX-License-Identifier: GPL-3.0-or-later
#include "armilla/ops/sht_tuning.h"

#include <array>
#include <cstdio>
#include <string_view>

#include "armilla/core/error.h"
#include "shared/result_cache.h"

namespace armilla {

namespace {

// Incremented whenever the meaning of a choice changes; older files are then not found.
constexpr int kFormat = 3;

std::string_view nameOf(LatitudeSums sums) {
    return sums == LatitudeSums::WherePays ? "fewer" : "rings";
}

std::string_view nameOf(RingFfts ffts) {
    return ffts == RingFfts::WithSums ? "same" : ffts == RingFfts::OnCpu ? "cpu" : "cuda";
}

std::string quoted(const std::string& text) {
    std::string result = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\') result += '\\';
        result += static_cast<unsigned char>(c) < ' ' ? ' ' : c;
    }
    return result + '"';
}

std::string keyText(const TuningKey& key) {
    return "  \"format\": " + std::to_string(kFormat) +
           ",\n  \"device\": " + quoted(key.device.name) +
           ",\n  \"driver\": " + quoted(key.device.driver) +
           ",\n  \"nside\": " + std::to_string(key.nside) +
           ",\n  \"lmax\": " + std::to_string(key.lmax) +
           ",\n  \"mmax\": " + std::to_string(key.mmax) + ",\n";
}

std::string jsonOf(const TuningKey& key, const ShtTuning& tuning) {
    return "{\n" + keyText(key) + "  \"latitudes\": \"" + std::string(nameOf(tuning.latitudes)) +
           "\",\n  \"synthesis_pairs\": " + std::to_string(tuning.synthesisPairs) +
           ",\n  \"adjoint_pairs\": " + std::to_string(tuning.adjointPairs) +
           ",\n  \"ring_ffts\": \"" + std::string(nameOf(tuning.ringFfts)) + "\"\n}\n";
}

// FNV-1a hash, 64 bit, of the key.
std::string fileName(const TuningKey& key) {
    uint64_t hash = 0xcbf29ce484222325;
    for (const char c : keyText(key)) {
        hash ^= static_cast<unsigned char>(c);
        hash *= 0x100000001b3;
    }
    std::array<char, 32> name{};
    std::snprintf(name.data(), name.size(), "sht-%016llx.json",
                  static_cast<unsigned long long>(hash));
    return name.data();
}

}  // namespace

std::vector<ShtTuning> shtTunings(DeviceKind kind) {
    const bool cpu = kind == DeviceKind::Cpu;
    const ShtTuning usual;
    std::vector<ShtTuning> all;
    for (const LatitudeSums latitudes : {LatitudeSums::WherePays, LatitudeSums::AtRings})
        for (const int synthesisPairs : {4, 2})
            for (const int adjointPairs : {4, 8})
                if (!cpu ||
                    (synthesisPairs == usual.synthesisPairs && adjointPairs == usual.adjointPairs))
                    all.push_back({latitudes, synthesisPairs, adjointPairs});
    ShtTuning parted = usual;
    parted.ringFfts = cpu ? RingFfts::OnCuda : RingFfts::OnCpu;
    all.push_back(parted);
    return all;
}

std::string describe(const ShtTuning& tuning, DeviceKind kind) {
    std::string text =
        tuning.latitudes == LatitudeSums::WherePays ? "at fewer latitudes" : "at the rings";
    if (kind != DeviceKind::Cpu)
        text += ", " + std::to_string(tuning.synthesisPairs) + " and " +
                std::to_string(tuning.adjointPairs) + " ring pairs a thread";
    if (tuning.ringFfts != RingFfts::WithSums)
        text += ", ring FFTs on " +
                std::string(tuning.ringFfts == RingFfts::OnCpu ? "the CPU" : "the CUDA device");
    return text;
}

// There are few choices: a file is valid if its text equals that of one of them, to the last byte.
KeptTuning keptTuning(const TuningKey& key) {
    const std::optional<std::string> text = readCachedText(fileName(key));
    if (!text) return {};
    for (const ShtTuning& tuning : shtTunings(key.device.kind))
        if (*text == jsonOf(key, tuning)) return {tuning, {}};
    return {std::nullopt,
            "damaged, so that defaults are used (armilla bench --tune makes it anew): " +
                cachePath(fileName(key))};
}

std::string keepTuning(const TuningKey& key, const ShtTuning& tuning) {
    const std::string name = fileName(key), text = jsonOf(key, tuning);
    writeCachedText(name, text);
    if (cachePath(name).empty())
        throw IoError("expected a folder to store a tuning, found neither XDG_CACHE_HOME nor HOME");
    if (readCachedText(name) != text)
        throw IoError(cachePath(name) + ": expected a file that can be written, found none");
    return cachePath(name);
}

}  // namespace armilla
