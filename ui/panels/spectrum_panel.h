// SPDX-License-Identifier: GPL-3.0-or-later
// C_l of the shown map, and of the live smoothed map.
#pragma once

#include <QTimer>
#include <QWidget>
#include <optional>

#include "armilla/session/session.h"

class QComboBox;
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
    QToolButton *logL_, *logC_, *band_, *divide_;
    QToolButton *export_, *copy_;
    QTimer timer_;
    int mask_ = -1;
    std::optional<SpectrumResult> of_, live_;
    uint64_t askedRevision_ = 0, askedLive_ = 0;
    Shown asked_;
    int askedMask_ = -1;
    bool askedDivided_ = false;
};

}  // namespace armilla
