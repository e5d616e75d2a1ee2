// SPDX-License-Identifier: GPL-3.0-or-later
// Spherical harmonic transforms on any iso-latitude grid, on the CPU: Legendre sums (legendre.h),
// interpolation in latitude where it pays (theta_resampling.h) and ring FFTs (ring_fft.h).
//
// There are two passes with one exchange between them. Over m: sums over l give F_m at all rings.
// Over ring pairs: FFTs.
//
// Between the passes of a synthesis the F_m of a ring are stored in the ring's own samples, where
// the FFT transforms them to samples in place. F_m that do not fit are stored separately. In double
// precision these are none at lmax = 2 nside and a third of a map at 3 nside; in single precision
// half of the F_m more.
//
// An analysis, which leaves the map unchanged, keeps F_m in tiles (order_tiles.h). Tiles of all
// orders would be as large as a map in double precision, so they exist for one slice of orders
// after another. The slices of one half of the residues of m modulo 8 come first, then those of the
// other half. For these, most rings take half an FFT each.
//
// So tables and F_m take at most half of map and coefficients; in addition a thread has about 2 kB
// times nside. Only a synthesis in single precision takes up to 0.9 of them.
//
// Maps have double or single precision, F_m and all sums double precision.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "armilla/core/harmonics.h"
#include "armilla/core/job_context.h"
#include "armilla/core/map_samples.h"
#include "armilla/ops/ring_grid.h"
#include "armilla/ops/sht.h"
#include "armilla/ops/sht_tuning.h"
#include "sht/fft/ring_fft.h"
#include "sht/latitude/theta_resampling.h"
#include "sht/legendre/legendre.h"
#include "sht/plan/ring_windows.h"
#include "sht/storage/large_array.h"
#include "sht/storage/order_tiles.h"

namespace armilla {

// Ring FFTs that replace those of a RingTransform. Pairs of rings are numbered from the poles on; a
// pair is north and south where the grid has both. The functions return the steps' times.
class RingStage {
public:
    virtual ~RingStage() = default;
    // Returns the F_m of a ring, m = 0 .. size - 1, in `modes`.
    using ReadModes = std::function<void(int pair, bool south, int component,
                                         std::vector<std::complex<double>>& modes)>;
    // Writes `maps`, whose storage may hold the modes until then. `read` is thread-safe.
    virtual ShtSteps synthesize(int spin, const ReadModes& read, std::span<const MapSamples> maps,
                                JobContext& job) = 0;
    // Transforms all rings, for later calls of tiles().
    virtual ShtSteps analyze(int spin, std::span<const ConstMapSamples> maps,
                             std::span<const double> weights, JobContext& job) = 0;
    // Works like RingFft::analyze. Thread-safe.
    virtual void tiles(int pair, int component, int modes, const TileRuns& tiles) const = 0;
};

// Some pairs of rings of a grid, as a separate grid, and the data of all pairs that the Legendre
// sums need.
struct RingPart {
    RingGrid grid;
    RingRuns pairs;
    std::vector<Ring> northern;  // rings of all pairs
    std::vector<int> modes;
    FftLibrary fftLibrary = FftLibrary::Own;  // library for the complete grid
};

// Tables and FFT plans for one grid and band limit; executed many times, not thread-safe while
// executing.
class RingTransform {
public:
    // The threads of `job` build the tables, a second for a large grid. Throws InvalidArgument
    // unless 0 <= mmax <= lmax.
    RingTransform(RingGrid grid, int lmax, int mmax, JobContext& job,
                  LatitudeSums sums = LatitudeSums::WherePays);

    // With the rings of `part` only: for RankTransform, which supplies the F_m of all orders.
    RingTransform(const RingPart& part, int lmax, int mmax, JobContext& job, LatitudeSums sums);

    const RingGrid& grid() const { return grid_; }
    bool resamples() const { return resampling_.has_value(); }
    // map(p) = sum_lm a_lm Y_lm(p). `alm`: Alm (lmax, mmax), `map`: grid().sampleCount() samples.
    void synthesis(const Alm& alm, MapSamples map, JobContext& job);
    // a_lm += sum_p w_p map(p) conj(Y_lm(p)); `weights`: one for each ring, the w of its samples.
    // The exact transpose of synthesis for w = 1. Keeps the memory of its tiles for the next call.
    void adjoint(ConstMapSamples map, std::span<const double> weights, Alm& alm, JobContext& job);
    // The same for as many maps as alm, two at a time over one recurrence. Throws InvalidArgument
    // if their numbers differ.
    void synthesis(std::span<const Alm> alm, std::span<const MapSamples> maps, JobContext& job);
    // `level` is subtracted from the samples as they are read. Throws InvalidArgument for a level
    // with a ring stage, which reads the samples itself.
    void adjoint(std::span<const ConstMapSamples> maps, std::span<const double> weights,
                 std::span<Alm> alm, JobContext& job, double level = 0.0);
    // Spin s = 1 .. kMaxSpin: gradient and curl coefficients to the two components, HEALPix signs:
    //   (Q + i U)(p) = -sum_lm (E + i B)_lm {s}Y_lm(p),
    //   (Q - i U)(p) = -(-1)^s sum_lm (E - i B)_lm {-s}Y_lm(p).
    void synthesisSpin(int spin, const Alm& e, const Alm& b, MapSamples q, MapSamples u,
                       JobContext& job);
    void adjointSpin(int spin, ConstMapSamples q, ConstMapSamples u,
                     std::span<const double> weights, Alm& e, Alm& b, JobContext& job);
    // d/dtheta and 1/sin(theta) d/dphi of the map of `alm`, as a batch of two scalar syntheses:
    //   sin(theta) d lambda_l / d theta = l eps_{l+1} lambda_{l+1} - (l+1) eps_l lambda_{l-1}.
    // Allocates coefficients for both. Throws InvalidArgument for grids with poles, where
    // sin(theta) is 0; there a synthesis of spin 1 gives the same.
    void gradient(const Alm& alm, MapSamples dTheta, MapSamples dPhi, JobContext& job);

    // The stage must outlive this object.
    void setRingStage(RingStage* stage) { stage_ = stage; }

    const ShtSteps& steps() const { return steps_; }
    // Bytes that a synthesis of `maps`, or an analysis of one or two components, would allocate
    // now: the F_m that do not fit into the maps; for an analysis the tiles, unless they exist.
    // Both transforms throw OutOfMemory first if these bytes do not fit. `precision`: the index of
    // maps in ConstMapSamples.
    int64_t synthesisBytes(std::span<const MapSamples> maps) const;
    int64_t analysisBytes(int components, size_t precision = 0) const;
    // Bytes of the tables and FFT plans.
    int64_t tableBytes() const;
    // Limit of tables plus these bytes for one component: half of its map and coefficients, or 32
    // MiB. A synthesis in single precision may take more.
    int64_t memoryLimit(size_t precision) const;

    // Rings of a grid in pairs; the second is the mirror image of the first, -1 without one.
    struct RingPair {
        int north = 0, south = -1;  // indices into grid_.rings; -1: none
        int modes = 0;              // m = 0 .. modes - 1 are worth computing
        // Start, in the tails, of the modes that do not fit into the rings; by precision.
        size_t tail[2] = {};
    };
    static std::vector<RingPair> pairsOf(const RingGrid& grid, int lmax, int mmax);

private:
    friend class RankTransform;
    friend struct RingTransformProbe;  // limits the tiles in tests
    friend class CpuRankStage;
    // The F_m of one component of a synthesis: in the rings' storage and in the tails.
    struct Spectrum {
        Spectrum(const MapSamples& map, std::complex<double>* beside, bool overSine);
        MapSamples rings;
        std::complex<double>* tails;
        bool overSine;       // samples divided by sin(theta)
        std::byte* storage;  // storage of `rings`
        size_t sampleBytes;
    };
    template <typename Series>
    struct Worker;
    template <typename Series>
    class Workers;

    void checkOrders() const;
    void placeLatitudes(std::vector<Ring> northern, std::span<const int> modes, LatitudeSums sums);
    void pairRings();
    int modesInTail(const RingPair& pair, size_t precision) const;
    RingModes modesOf(const RingPair& pair, bool south, const Spectrum& spectrum) const;
    void prefetch(int index, int firstMode, const Spectrum& spectrum) const;
    void storePair(int index, int firstMode, const ModeTile& tile, const Spectrum& spectrum) const;
    void putPair(int index, int firstMode, const ModeTile& tile, const Spectrum& spectrum) const;
    void fetch(const ThetaResampling::Planes& planes, int component, int tile,
               const ModeTile* tiles) const;
    // Steps of the passes (ring_passes.h).
    template <typename Series, typename Load>
    void sumOrders(const Load& load, int firstMode, Worker<Series>& worker, JobContext& job) const;
    template <typename Series, typename Take>
    void takeToRings(int spin, int component, Worker<Series>& worker, const Take& take) const;
    template <typename Series>
    void transformPair(int index, std::span<const Spectrum> spectra, Worker<Series>& worker) const;
    template <typename Series, typename Place>
    void tilesOfPair(int index, std::span<const ConstMapSamples> maps,
                     std::span<const double> weights, int begin, int end, Worker<Series>& worker,
                     const Place& place, double level = 0.0) const;
    template <typename Series, typename Save, typename Tiles>
    void sumTile(int spin, const Save& save, int components, int tile, Worker<Series>& worker,
                 const Tiles& tiles, JobContext& job) const;
    // `load(series, m)` prepares a series for m and sets its coefficients.
    template <typename Series, typename Load>
    void synthesize(int spin, const Load& load, std::span<const MapSamples> maps,
                    const std::function<Series()>& make, JobContext& job, bool overSine = false);
    // `save(series, m)` adds the sums of a series to the coefficients of m.
    template <typename Series, typename Save>
    void accumulate(int spin, const Save& save, std::span<const ConstMapSamples> maps,
                    std::span<const double> weights, const std::function<Series()>& make,
                    JobContext& job, double level = 0.0);
    int64_t heldBytes() const;
    size_t capacityFor(int components, size_t precision) const;
    // The two passes of an analysis, for the tiles `begin` .. `end - 1`.
    template <typename Series>
    void tilesFromRings(std::span<const ConstMapSamples> maps, std::span<const double> weights,
                        int begin, int end, double level, Workers<Series>& workers,
                        JobContext& job);
    template <typename Series, typename Save>
    void sumsFromTiles(int spin, const Save& save, int components, int begin, int end,
                       Workers<Series>& workers, JobContext& job);
    void synthesizeScalar(std::span<const Alm> alm, std::span<const MapSamples> maps,
                          JobContext& job, bool overSine = false);
    void checkMap(size_t samples) const;
    void checkAlm(const Alm& alm) const;

    RingGrid grid_;
    int lmax_ = 0, mmax_ = 0;
    RingRuns own_;  // numbers of pairs_ among all pairs
    int allPairs_ = 0;
    RingFft fft_;
    RingStage* stage_ = nullptr;  // replaces fft_
    std::vector<RingPair> pairs_;
    size_t tailCount_[2] = {};
    OrderTiles tiles_;
    std::optional<ThetaResampling> resampling_;
    RingLatitudes latitudes_;  // latitudes of the Legendre sums
    UsefulRings useful_;       // for latitudes_
    // F_m of maps in analysis. They are kept, because bringing in gigabytes of new memory costs as
    // much as a transform.
    std::vector<LargeArray<ModeTile>> scratch_;
    size_t capacity_ = 0;  // ModeTiles in each
    // Limit of the tiles of an analysis in bytes, but not below some ten slices. If none: a quarter
    // of the available memory.
    std::optional<int64_t> tilesLimit_;
    ShtSteps steps_;
};

}  // namespace armilla
