// SPDX-License-Identifier: GPL-3.0-or-later
// C_l or band powers of the shown map outside a mask, and of the live smoothed map.
#pragma once

#include <QTimer>
#include <QWidget>
#include <optional>

#include "armilla/session/session.h"

class QCheckBox;
class QComboBox;
class QLabel;
class QLineEdit;
class QSlider;
class QSpinBox;
class QToolButton;

namespace armilla {

class SpectrumPlot;

class SpectrumPanel : public QWidget {
    Q_OBJECT
public:
    // The session must outlive the panel.
    explicit SpectrumPanel(Session& session, QWidget* parent = nullptr);

    // Map whose bad pixels (and zeros) are left out too; -1: no mask.
    void setMaskEntry(int entry);
    int maskEntry() const { return mask_; }
    // The settings that the controls show.
    SpectrumSettings settings() const;
    SpectrumPlot* plot() const { return plot_; }
    // The spectrum shown, if there is one.
    const std::optional<SpectrumResult>& result() const { return of_; }

signals:
    void statusChanged(const QString& text);
    void exportRequested(const armilla::SpectrumResult& result);
    // The command that makes the spectrum is requested.
    void commandRequested(const armilla::SpectrumResult& result);
    void maskEntryChanged(int entry);

protected:
    void showEvent(QShowEvent* event) override;

private:
    QWidget* buildControls();
    QWidget* buildAdvanced();
    void connectControls();
    void showSettings();
    void scheduleRequest();
    void request();
    void take(const SpectrumResult& result);
    void showCurves();
    void tellStatus();
    void fillMasks();
    Shown wanted() const;

    Session& session_;
    SpectrumPlot* plot_;
    QComboBox* maskChoice_;
    QToolButton *logL_, *logC_, *band_;
    QToolButton *export_, *copy_;
    QSlider *cut_ = nullptr, *apodize_ = nullptr;
    QLabel *cutText_ = nullptr, *apodizeText_ = nullptr;
    QComboBox *remove_ = nullptr, *bins_ = nullptr, *errors_ = nullptr;
    QCheckBox *decouple_ = nullptr, *divide_ = nullptr;
    QLineEdit* beam_ = nullptr;
    QSpinBox* lmax_ = nullptr;
    QWidget* advanced_ = nullptr;
    QTimer timer_;
    int mask_ = -1;
    std::optional<SpectrumResult> of_, live_;
    uint64_t askedRevision_ = 0, askedLive_ = 0;
    Shown asked_;
    bool isWaiting_ = false;  // the shown curve is of earlier settings
    SpectrumSettings askedSettings_;
    uint64_t askedMaskRevision_ = 0;
};

}  // namespace armilla
