// SPDX-License-Identifier: GPL-3.0-or-later
// Writes layers, views and results to files, and finds the command lines that make the same files.
#pragma once

#include <QImage>
#include <QObject>
#include <QString>
#include <QStringList>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "armilla/core/job_context.h"
#include "armilla/operations/figure_options.h"
#include "armilla/ops/device.h"
#include "armilla/session/layer_id.h"

namespace armilla {

class CommandLines;
class Document;
class JobRunner;
class Notices;
class RegionBook;
class SourceReview;
enum class JobLane;
enum class Verdict;
struct OperationRequest;
struct SaveAs;
struct SpectrumResult;

// Form of an exported spectrum: C_l, or D_l = l (l + 1) C_l / (2 pi).
enum class SpectrumForm { Cl, Dl };

// An enlarged view in a corner of the sky.
struct InsetSetup {
    LonLat center;  // in the frame of the view
    double width = 10.0 * kDegree;
    FigureCorner corner = FigureCorner::TopRight;
};
// A further map beside the shown one, in the same view and colors.
struct PanelSetup {
    LayerId layer;
    int field = 0;
    bool operator==(const PanelSetup&) const = default;
};
// A figure of the present view.
struct FigureSetup {
    FigureOptions options;
    // The graticule is that of the view, if it is shown, in place of that of the options.
    bool hasGraticuleOfView = true;
    QSize size{1600, 900};  // in pixels, without a width on paper
    QString title;
    QString label, unit;        // texts at the color bar; empty: the field's own
    std::vector<double> ticks;  // empty: round values
    std::optional<InsetSetup> inset;
    LayerId markers;  // catalog whose positions are marked; invalid: none
    std::vector<PanelSetup> panels;
    QStringList panelTitles;  // titles of the shown map and of the panels; empty: none
};

// Used in the window's thread. Exports return at once; a job writes the file, which carries its
// recipe. A failure becomes a message and changes nothing else.
class Exporter : public QObject {
    Q_OBJECT
public:
    // Postpones the export of an unfinished preview, and returns true; returns false for any other
    // layer. Throws InvalidArgument for a preview that was stopped.
    using Postpone =
        std::function<bool(LayerId layer, const QString& path, std::function<void()> act)>;

    // The references must outlive this object. `device` returns the device that computes.
    Exporter(const Document& document, JobRunner& runner, Notices& notices, RegionBook& regions,
             const SourceReview& review, std::function<Device()> device, Postpone postpone);
    ~Exporter() override;

    void exportLayer(LayerId layer, const QString& path, bool overwrite);
    // Writes the view as a FITS image, or as a finished figure.
    void exportView(const QString& path, int width, int height, bool overwrite);
    void exportFigure(const QString& path, const FigureSetup& setup, bool overwrite);
    // With the name of the layer as title.
    void exportFigure(const QString& path, int width, int height, double dpi, bool overwrite);
    // Paints the figure in a job, at a resolution at which it is at most `most` pixels wide and
    // tall. A later preview replaces this one. `done` gets a null image after a failure.
    void previewFigure(const FigureSetup& setup, QSize most, QObject* context,
                       std::function<void(QImage, QString failure)> done);
    // The options of a figure with the spacing of its graticule, for a preset.
    FigureOptions figureOptions(const FigureSetup& setup) const;
    // The suffix selects the format, as for the command; D_l in all formats except FITS.
    void exportSpectrum(const SpectrumResult& spectrum, const QString& path, bool overwrite,
                        SpectrumForm form = SpectrumForm::Cl);
    // Writes the rows of a verdict (None: all rows) as a catalog file with verdicts, classes and
    // notes.
    void exportVerdicts(Verdict verdict, const QString& path, bool overwrite);
    // Read and write drawn regions as DS9 files (`asMoc`: as a coverage map). The suffix of a
    // coverage map (MOC) selects its format: .fits, .txt or .json.
    void importRegions(const QString& path);
    void exportRegions(const QString& path, bool asMoc, bool overwrite);
    // Writes discs of this many beams around the accepted sources as a coverage map.
    void exportAcceptedMoc(double beams, const QString& path, bool overwrite);

    // The `armilla` command lines that make the same files; empty, with a message, if there are
    // none. Without `outputPath` the output name derives from the map's.
    QString commandFor(LayerId layer, const QString& outputPath = {});
    QString commandForOperation(const OperationRequest& request, const QString& outputPath);
    QString commandForView(const QString& outputPath, int width, int height);
    QString commandForFigure(const QString& outputPath, const FigureSetup& setup);
    QString commandForFigure(const QString& outputPath, int width, int height, double dpi);
    QString commandForSpectrum(const SpectrumResult& spectrum, const QString& outputPath,
                               SpectrumForm form = SpectrumForm::Cl);

signals:
    // exportLayer() has written this layer.
    void exported(LayerId layer);

private:
    // `written` is called after the file is written.
    // `elsewhere` saves the same under another path.
    void save(const QString& path, JobLane lane, const SaveAs& elsewhere,
              std::function<void(JobContext&)> write, std::function<void()> written = {});

    const Document& document_;
    JobRunner& runner_;
    Notices& notices_;
    RegionBook& regions_;
    const SourceReview& review_;
    std::function<Device()> device_;
    Postpone postpone_;
    std::unique_ptr<CommandLines> lines_;
};

}  // namespace armilla
