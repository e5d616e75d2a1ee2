// SPDX-License-Identifier: GPL-3.0-or-later
// C_l or band powers of the shown map outside a mask, and of the live smoothed map, beside a theory
// and another spectrum.
#pragma once

#include <QTimer>
#include <QWidget>
#include <optional>

#include "armilla/session/session.h"
#include "armilla/session/spectrum_comparison.h"
#include "panels/setting_controls.h"
#include "plots/spectrum_plot.h"

class QCheckBox;
class QComboBox;
class QLabel;
class QLineEdit;
class QPushButton;
class QSlider;
class QSpinBox;
class QToolButton;
class QVBoxLayout;

namespace armilla {

class SpectrumReference;
class ToolFooter;
class ToolSettings;

class SpectrumPanel : public QWidget {
    Q_OBJECT
public:
    // The session must outlive the panel.
    explicit SpectrumPanel(Session& session, QWidget* parent = nullptr);

    // Map whose bad pixels (and zeros) are left out too, by its shown field; invalid: no mask. A
    // person has chosen it.
    void setMaskEntry(LayerId entry);
    // The settings that the controls show.
    SpectrumSettings settings() const;
    SpectrumPlot* plot() const { return plot_; }
    SpectrumReference* reference() const { return reference_; }
    QPushButton* copyButton() const { return copy_; }
    // The spectrum that is shown: TT for a map without Q and U.
    SpectrumKind kind() const;
    // The line about chi squared, units and points that are not drawn.
    QString remark() const;
    // The spectrum shown, if there is one.
    const std::optional<SpectrumResult>& result() const { return of_; }

signals:
    void statusChanged(const QString& text);
    void exportRequested(const armilla::SpectrumResult& result);
    // The command that makes the spectrum is requested.
    void commandRequested(const armilla::SpectrumResult& result);
    void maskEntryChanged(LayerId entry);

protected:
    void showEvent(QShowEvent* event) override;

private:
    void buildTools(QVBoxLayout* layout);
    QWidget* buildControls();
    void arrangeFocus();
    QWidget* buildAdvanced();
    void connectControls();
    void showSettings();
    void scheduleRequest();
    void request();
    void take(const SpectrumResult& result);
    void requestOther(const Shown& shown);
    void showCurves();
    // Parts of the plot that a theory or a compared spectrum adds.
    struct Beside {
        std::optional<SpectrumCurve> theory;
        std::vector<ResidualCurve> residuals;
        bool areInErrors = false;
    };
    std::optional<PowerCurve> comparedPowers(QStringList& lines) const;
    Beside besideTheory(const PowerCurve& powers, const std::optional<PowerCurve>& other,
                        const UnitMatch& match, QStringList& lines) const;
    // Adds the compared spectrum to the curves, and fills theory, residuals and remark.
    void showResiduals(std::vector<SpectrumCurve>& curves);
    QString chiText(const SpectrumResiduals& residuals) const;
    void tellStatus();
    void setMask(LayerId entry, int field);
    void fillMasks();
    void fillSpectra();
    void buildFooter(QVBoxLayout* layout);
    void buildSettings();
    QJsonObject choices() const;
    void keepChoices();
    void restoreChoices();
    void showChoices(const QJsonObject& choices);
    Shown wanted() const;

    Session& session_;
    SpectrumPlot* plot_;
    QComboBox* maskChoice_;
    QToolButton *logL_, *logC_, *band_;
    QPushButton *export_ = nullptr, *copy_ = nullptr, *reset_ = nullptr;
    std::vector<SettingControl> controls_;
    ToolSettings* settings_ = nullptr;
    QSlider *cut_ = nullptr, *apodize_ = nullptr;
    QLabel *cutText_ = nullptr, *apodizeText_ = nullptr;
    QComboBox *remove_ = nullptr, *bins_ = nullptr, *errors_ = nullptr;
    QComboBox *spectrum_ = nullptr, *purify_ = nullptr;
    QLabel *spectrumName_ = nullptr, *remark_ = nullptr;
    SpectrumReference* reference_ = nullptr;
    QCheckBox *decouple_ = nullptr, *divide_ = nullptr, *crosses_ = nullptr;
    QLineEdit* beam_ = nullptr;
    QSpinBox* lmax_ = nullptr;
    QWidget* advanced_ = nullptr;
    QTimer timer_;
    LayerId mask_;
    int maskField_ = 0;
    std::optional<SpectrumResult> of_, live_;
    // Another map's spectrum with the same settings.
    LiveSpectrum otherSpectrum_;
    std::optional<SpectrumResult> other_;
    Shown askedOther_;
    uint64_t askedOtherRevision_ = 0;
    QString otherFailure_;
    bool isRestoring_ = false;
    uint64_t askedRevision_ = 0, askedLive_ = 0;
    Shown asked_;
    bool isWaiting_ = false;  // the shown curve is of earlier settings
    SpectrumSettings askedSettings_;
    uint64_t askedMaskRevision_ = 0;
};

}  // namespace armilla
