// SPDX-License-Identifier: GPL-3.0-or-later
// Angular power spectra on linear or logarithmic axes.
#pragma once

#include <QString>
#include <QWidget>
#include <vector>

class QCustomPlot;
class QCPErrorBars;
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

    // At most two curves: the map's and the smoothed map's. `unit` is that of C_l. l = 0 and 1 are
    // not drawn, because monopole and dipole would dominate the scale.
    void setCurves(const std::vector<SpectrumCurve>& curves, const QString& unit);
    void setAxes(const SpectrumAxes& axes);
    const SpectrumAxes& axes() const { return axes_; }
    QSize sizeHint() const override { return {260, 190}; }
    QSize minimumSizeHint() const override { return {160, 100}; }

protected:
    void changeEvent(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void applyTheme();
    void fill();
    QCustomPlot* plot_;
    QCPGraph* graphs_[2] = {};
    QCPErrorBars* bars_ = nullptr;  // errors of the first curve
    QCPItemText *ordinate_ = nullptr, *abscissa_ = nullptr;
    std::vector<SpectrumCurve> curves_;
    QString unit_;
    SpectrumAxes axes_;
};

}  // namespace armilla
