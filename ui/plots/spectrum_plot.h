// SPDX-License-Identifier: GPL-3.0-or-later
// Angular power spectra on linear or logarithmic axes, with a theory curve and residuals.
#pragma once

#include <QString>
#include <QWidget>
#include <optional>
#include <vector>

class QCPAxisRect;
class QCustomPlot;
class QCPErrorBars;
class QCPAxis;
class QCPGraph;
class QCPItemText;

namespace armilla {

struct SpectrumCurve {
    QString name;
    std::vector<double> cl;  // from l = 0, or of the bins
    // Effective multipoles of band powers; errors, if there are any.
    std::vector<double> l = {}, errors = {};
    bool isDl = false;  // l(l+1) C_l / 2 pi already
};
// Residuals of the curve with this index.
struct ResidualCurve {
    std::vector<double> l, values;
    int curve = 0;
    bool areBands = false;
};
struct SpectrumAxes {
    bool logarithmicL = true;
    bool logarithmicC = true;
    bool bandPower = true;  // l(l+1) C_l / 2 pi instead of C_l
};

// The plotted value at `l`: C_l or l(l+1) C_l / 2 pi. `isDl`: `value` is the latter.
double spectrumValue(const SpectrumAxes& axes, double l, double value, bool isDl = false);

class SpectrumPlot : public QWidget {
    Q_OBJECT
public:
    explicit SpectrumPlot(QWidget* parent = nullptr);

    // Curves of the map, the smoothed map and a compared spectrum; a curve without values is
    // absent. `unit` is that of C_l. l = 0 and 1 are not drawn, because monopole and dipole would
    // dominate the scale.
    void setCurves(const std::vector<SpectrumCurve>& curves, const QString& unit);
    // A line under band powers and over C_l at each l.
    void setTheory(const std::optional<SpectrumCurve>& theory);
    // A second plot below with the same axis of multipoles; without residuals it is hidden.
    // `ordinate`: name of its vertical axis.
    void setResiduals(const std::vector<ResidualCurve>& residuals, const QString& ordinate);
    bool showsResiduals() const { return !residuals_.empty(); }
    // The number of drawn points of a curve, of the theory and of its residuals, for tests.
    int pointCount(int curve) const;
    int theoryPointCount() const;
    int residualCount(int curve) const;
    // The axis of multipoles of the curves, or of the residuals.
    QCPAxis* multipoleAxis(bool ofResiduals) const;
    void setAxes(const SpectrumAxes& axes);
    const SpectrumAxes& axes() const { return axes_; }
    QSize sizeHint() const override { return {260, 190}; }
    QSize minimumSizeHint() const override { return {160, showsResiduals() ? 170 : 100}; }
    static constexpr int kCurves = 3;

protected:
    void changeEvent(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void applyTheme();
    void fill();
    // The largest multipole, and the range of the values, of the drawn points.
    struct Range {
        double low, high, lmax;
    };
    void fillCurve(size_t index, Range& range);
    void fillTheory(Range& range);
    void fillResiduals();
    void buildResiduals();
    QCustomPlot* plot_;
    QCPGraph *graphs_[kCurves] = {}, *residualGraphs_[kCurves] = {}, *theoryGraph_ = nullptr;
    QCPErrorBars *bars_ = nullptr,
                 *otherBars_ = nullptr;  // errors of the first and the compared curve
    QCPItemText *ordinate_ = nullptr, *abscissa_ = nullptr, *residualName_ = nullptr;
    QCPAxisRect* residualRect_ = nullptr;
    std::optional<SpectrumCurve> theory_;
    std::vector<ResidualCurve> residuals_;
    QString residualOrdinate_;
    std::vector<SpectrumCurve> curves_;
    QString unit_;
    SpectrumAxes axes_;
};

}  // namespace armilla
