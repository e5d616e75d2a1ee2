// SPDX-License-Identifier: GPL-3.0-or-later
// The spectrum of a map, outside a mask, that follows its settings.
#pragma once

#include <QJsonObject>
#include <QObject>
#include <QString>
#include <functional>
#include <limits>
#include <map>
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
    LayerId mask{};         // layer with a field that weights the pixels, 0 to 1; invalid: none
    int maskField = 0;      // that field
    double latitude = 0.0;  // radians; pixels nearer to the Galactic plane are cut
    double apodize = 0.0;   // radians; the mask rises from 0 to 1 over this angle
    // Options of `anafast`, as its command takes them: {"bins", "30"}, {"decouple", "true"}.
    std::vector<std::pair<std::string, std::string>> options;
    // The spectra of T, E and B in place of that of one field.
    bool isPolarized() const;
    // Whether a mask is made first. The command of the spectrum reads the first field only.
    bool makesMask() const {
        return latitude > 0.0 || (mask.isValid() && (apodize > 0.0 || maskField > 0));
    }
    bool operator==(const SpectrumSettings&) const = default;
};

struct SpectrumResult {
    Shown of;
    std::vector<double> cl;  // at each l; empty for band powers
    double skyShare = 1.0;   // share of the pixels with a weight above 0
    // The factor that mask and bad pixels leave on a mean C_l: the mean squared weight over the
    // whole sphere. 1 if the spectrum is decoupled or divided by it.
    double level = 1.0;
    QString unit;           // unit of C_l, typeset
    std::string plainUnit;  // the same as files spell it
    bool preview = false;   // from the downgraded map; the full one follows
    // The request of the operation, with the values that it took from its inputs, and the result.
    OperationRequest request;
    std::shared_ptr<const Spectra> spectra;
    // Band powers, in place of `spectra`, and their writer.
    std::shared_ptr<const Curve> bands;
    std::shared_ptr<const LayerWriter> writer;
    // COVARIANCE and WINDOWS of band powers, the matrices of their file.
    std::shared_ptr<const std::vector<TableMatrix>> matrices;
    // Seconds of the steps, by stage of the job; for benchmarks.
    std::map<std::string, double> steps;
    // The request that makes the mask, if it is cut or apodized; layer kMadeMask of `request`.
    std::optional<OperationRequest> madeMask;
};

// Used in the window's thread. Coefficients, masks and coupling matrices are kept, so that only the
// parts that change are computed.
class LiveSpectrum : public QObject {
    Q_OBJECT
public:
    // Stands for the layer of a mask that a step before makes.
    static constexpr LayerId kMadeMask{std::numeric_limits<int>::max()};

    // The document and the runner must outlive this object. `device` returns the device that
    // computes. `slot` names the queue of the jobs, in which a newer job replaces the older one.
    LiveSpectrum(const Document& document, JobRunner& runner, std::function<Device()> device,
                 QObject* parent = nullptr);
    LiveSpectrum(const Document& document, JobRunner& runner, std::function<Device()> device,
                 QString slot, QObject* parent = nullptr);
    ~LiveSpectrum() override;

    // Computes the spectrum of a map or live result by the operation `anafast`, first from a
    // downgraded map unless the coefficients are kept. A newer request replaces this one.
    void request(const Shown& shown, const SpectrumSettings& settings = {});
    // Computations for full spectra so far, for tests; no job may be running.
    KeptSpectra::Counts counts() const;

    // The choices of the tool that shows the spectrum, for session files. The tool sets them when a
    // control changes, and shows them after choicesRestored().
    const QJsonObject& choices() const { return choices_; }
    void setChoices(const QJsonObject& choices);
    void restoreChoices(const QJsonObject& choices);

signals:
    // A preview or full spectrum of the latest request is ready.
    void ready(const armilla::SpectrumResult& result);
    void noted(const QString& line);
    void choicesChanged();
    void choicesRestored();
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
    QString slot_;
    QJsonObject choices_;
    std::shared_ptr<Kept> kept_;  // used by one job at a time
    uint64_t latest_ = 0;
    QString fullKey_;  // coefficients of the last full spectrum; empty: none are kept
};

}  // namespace armilla
