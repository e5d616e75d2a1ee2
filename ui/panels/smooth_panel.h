// SPDX-License-Identifier: GPL-3.0-or-later
// Interactive smoothing: a slider for the beam width, the beam's shape in angle and in l, and a
// live result. Images are smoothed by a job.
#pragma once

#include <QElapsedTimer>
#include <QTimer>
#include <QWidget>
#include <optional>
#include <vector>

#include "armilla/session/live_region.h"
#include "armilla/session/session.h"
#include "panels/tool_dock.h"

class QCheckBox;
class QComboBox;
class QLabel;
class QLineEdit;
class QPushButton;
class QSlider;
class QStackedWidget;
class QToolButton;

namespace armilla {

class CompareRow;
class ProfilePlot;
class ToolSettings;

class SmoothPanel : public QWidget {
    Q_OBJECT
public:
    // The session must outlive the panel.
    explicit SmoothPanel(Session& session, QWidget* parent = nullptr);

    // Beam width, radians, in [kLeast, kMost]; moves the slider and requests a preview.
    void setFwhm(double radians);
    double fwhm() const { return fwhm_; }
    SmoothParameters parameters() const;
    QSlider* slider() const { return slider_; }
    QLineEdit* edit() const { return edit_; }
    // Smooths the active image layer; hidden without one.
    QPushButton* runButton() const { return run_; }
    QPushButton* keepButton() const { return keep_; }
    QPushButton* copyButton() const { return copy_; }
    // The reason why there is no live result; empty for maps.
    QString imageText() const;
    // Text of the dock's title line: "LIVE · 4.1 ms · cpu", or the pending stage.
    QString statusText() const { return status_; }

    static constexpr double kLeast = 1.0 * kArcmin;
    static constexpr double kMost = 60.0 * kDegree;
    static constexpr int kSteps = 1000;
    // Slider positions are even in the logarithm of the width.
    static int placeOf(double fwhm);
    static double fwhmAt(int place);

signals:
    void statusChanged(const QString& text, armilla::ToolDock::StatusTone tone);
    void exportRequested(LayerId entry);
    void copyCommandRequested(LayerId entry);
    void commandRequested(const QString& command);
    // Single: only the result.
    void compareRequested(armilla::Comparison comparison);
    void differenceRequested();

private:
    QWidget* buildWidthRow();
    QWidget* buildRows();
    QWidget* buildCompareRow();
    QWidget* buildFooter();
    void buildSettings();
    void acceptEdit();
    void prepare();
    void request();
    void requestDone();
    void showTime(double milliseconds);
    void showPresented(double milliseconds);
    void showRegion(const armilla::LiveRegion& region);
    void showWidth();
    void showProfiles();
    void showReport();
    void showState();
    void setStatus(const QString& text, ToolDock::StatusTone tone);
    const Layer* source() const;
    const Layer* image() const;
    OperationRequest imageRequest() const;
    double goodShare() const;

    Session& session_;
    double fwhm_ = 60.0 * kArcmin;
    QTimer prepareTimer_;
    Shown prepared_;
    QSlider* slider_ = nullptr;
    QLineEdit* edit_ = nullptr;
    QLabel* editError_ = nullptr;
    ProfilePlot* angleProfile_ = nullptr;
    ProfilePlot* harmonicProfile_ = nullptr;
    QComboBox* method_ = nullptr;
    QLabel* methodUsed_ = nullptr;
    QLabel* error_ = nullptr;
    QComboBox* masked_ = nullptr;
    QLabel* maskedShare_ = nullptr;
    QLabel* maskedNone_ = nullptr;
    QStackedWidget* maskedMethod_ = nullptr;  // the choice, or "none"
    QToolButton* maskedDifference_ = nullptr;
    QCheckBox* polarization_ = nullptr;
    CompareRow* compareRow_ = nullptr;
    QLabel* imageNote_ = nullptr;
    QPushButton *run_ = nullptr, *keep_ = nullptr, *export_ = nullptr, *copy_ = nullptr,
                *discard_ = nullptr, *reset_ = nullptr;
    ToolSettings* settings_ = nullptr;
    QString status_;
    uint64_t liveRevision_ = 0;
    bool busy_ = false;
    // Pending requests, so that the displayed time belongs to the received result, not to a later
    // one.
    struct Pending {
        double fwhm;
        QElapsedTimer since;
    };
    std::vector<Pending> pending_;
    double milliseconds_ = 0.0;  // time of the latest live result
    QElapsedTimer sinceShown_;
};

}  // namespace armilla
