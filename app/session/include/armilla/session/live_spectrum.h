// SPDX-License-Identifier: GPL-3.0-or-later
// The spectrum of a map, outside a mask, that follows its settings.
#pragma once

#include <QObject>
#include <QString>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "armilla/core/harmonics.h"
#include "armilla/operations/kept_spectra.h"
#include "armilla/ops/device.h"
#include "armilla/session/operation_run.h"
#include "armilla/session/shown.h"

namespace armilla {

class Document;
class JobRunner;

// Settings of a spectrum; the field of the map belongs to the request.
struct SpectrumSettings {
    int mask = -1;          // layer whose first field weights the pixels, 0 to 1; -1: none
    double latitude = 0.0;  // radians; pixels nearer to the Galactic plane are cut
    double apodize = 0.0;   // radians; the mask rises from 0 to 1 over this angle
    // Options of `anafast`, as its command takes them: {"bins", "30"}, {"decouple", "true"}.
    std::vector<std::pair<std::string, std::string>> options;
    bool makesMask() const { return latitude > 0.0 || (apodize > 0.0 && mask >= 0); }
    bool operator==(const SpectrumSettings&) const = default;
};

struct SpectrumResult {
    Shown of;
    std::vector<double> cl;  // at each l; empty for band powers
    double skyShare = 1.0;   // share of the pixels with a weight above 0
    QString unit;            // unit of C_l
    bool preview = false;    // from the downgraded map; the full one follows
    // The request of the operation, with the values that it took from its inputs, and the result.
    OperationRequest request;
    std::shared_ptr<const Spectra> spectra;
    // Band powers, in place of `spectra`, and their writer.
    std::shared_ptr<const Curve> bands;
    std::shared_ptr<const LayerWriter> writer;
    // The request that makes the mask, if it is cut or apodized; layer kMadeMask of `request`.
    std::optional<OperationRequest> madeMask;
};

// Used in the window's thread. Coefficients, masks and coupling matrices are kept, so that only the
// parts that change are computed.
class LiveSpectrum : public QObject {
    Q_OBJECT
public:
    // Stands for the layer of a mask that a step before makes.
    static constexpr int kMadeMask = std::numeric_limits<int>::max();

    // The document and the runner must outlive this object. `device` returns the device that
    // computes.
    LiveSpectrum(const Document& document, JobRunner& runner, std::function<Device()> device,
                 QObject* parent = nullptr);
    ~LiveSpectrum() override;

    // Computes the spectrum of a map or live result by the operation `anafast`, first from a
    // downgraded map unless the coefficients are kept. A newer request replaces this one.
    void request(const Shown& shown, const SpectrumSettings& settings = {});
    // Computations for full spectra so far, for tests; no job may be running.
    KeptSpectra::Counts counts() const;

signals:
    // A preview or full spectrum of the latest request is ready.
    void ready(const armilla::SpectrumResult& result);
    void noted(const QString& line);
    // `job` is -1 if none could start.
    void failed(int job, const QString& line, const armilla::Shown& shown,
                const armilla::SpectrumSettings& settings);

private:
    struct Kept;
    struct Work;
    void start(const std::shared_ptr<const Work>& work, bool isPreview);
    void take(const Work& work, const SpectrumResult& result);

    const Document& document_;
    JobRunner& runner_;
    std::function<Device()> device_;
    std::shared_ptr<Kept> kept_;  // used by one job at a time
    uint64_t latest_ = 0;
    QString fullKey_;  // coefficients of the last full spectrum; empty: none are kept
};

}  // namespace armilla
