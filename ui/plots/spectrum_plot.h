// SPDX-License-Identifier: GPL-3.0-or-later
// Angular power spectra on linear or logarithmic axes.
#pragma once

#include <QString>
#include <QWidget>
#include <vector>

class QCustomPlot;
class QCPGraph;
class QCPItemText;

namespace armilla {

struct SpectrumCurve {
    QString name;
    std::vector<double> cl;  // from l = 0
};
struct SpectrumAxes {
    bool logarithmicL = true;
    bool logarithmicC = true;
    bool bandPower = true;  // l(l+1) C_l / 2 pi instead of C_l
};

// The plotted value at `l`: C_l or l(l+1) C_l / 2 pi.
double spectrumValue(const SpectrumAxes& axes, size_t l, double cl);

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
    QCPItemText *ordinate_ = nullptr, *abscissa_ = nullptr;
    std::vector<SpectrumCurve> curves_;
    QString unit_;
    SpectrumAxes axes_;
};

}  // namespace armilla
