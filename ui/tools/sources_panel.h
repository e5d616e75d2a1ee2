// SPDX-License-Identifier: GPL-3.0-or-later
// The Sources tool: search for candidates, threshold, review by key, and export.
#pragma once

#include <QKeySequence>
#include <QWidget>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "armilla/session/document.h"

class QAction;
class QCheckBox;
class QComboBox;
class QLabel;
class QLineEdit;
class QToolButton;

namespace armilla {

class OperationPanel;
class Session;
class SourceReview;
class StampStrip;
class ThresholdHistogram;
class ToolSettings;

class SourcesPanel : public QWidget {
    Q_OBJECT
public:
    // `search` is the panel of the operation `sources`, which becomes part of this panel.
    SourcesPanel(Session& session, OperationPanel* search, QWidget* parent = nullptr);

    ThresholdHistogram* histogram() const { return histogram_; }
    StampStrip* stamps() const { return stamps_; }
    // The actions with keys, active in the whole window while the tool is open.
    const std::vector<QAction*>& keys() const { return keys_; }
    QLineEdit* noteLine() const { return note_; }
    QLineEdit* matchReach() const { return matchWithin_; }
    // Result of the fit (key F) as text; empty: no fit.
    QString fitText() const;

signals:
    void statusChanged(const QString& text);
    // The receiver shows this row on the sky.
    void rowChosen(LayerId layer, qint64 row);
    void gridRequested();
    // A file must be chosen; `accepted`: export only accepted rows, else all decided rows.
    void exportRequested(bool accepted);
    // Requests the export of a coverage map of accepted sources.
    void mocRequested(double beams);
    void messageRaised(const QString& line, bool isError);

protected:
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;

private:
    QWidget* buildReview();
    QWidget* buildVerdicts();
    // The menu of catalogs and masks of the verdicts.
    QToolButton* buildHome(QWidget* part);
    QWidget* buildMatch();
    void takeMatch();
    void showMatch();
    void nextMatch();
    void fitCurrent();
    void buildKeys();
    QAction* key(const QString& text, const QKeySequence& keys, std::function<void()> act);
    void fillLayers();
    void takeResults(const QString& operation, const std::vector<LayerId>& layers);
    void showThreshold();
    void showCounts();
    void showCurrent();
    void enableKeys();
    void goTo(int by);
    void decide(const std::function<void()>& act);
    void whileReviewed(const std::function<void()>& act);
    // Shown and compared quantity of the sky.
    struct Look {
        Shown shown, compared;
        Comparison comparison = Comparison::Single;
        bool operator==(const Look&) const = default;
    };
    Look look() const;
    void blink();
    void endBlink();

    Session& session_;
    SourceReview& review_;
    OperationPanel* search_;
    QWidget *reviewPart_ = nullptr, *searchPart_ = nullptr;
    QToolButton* searchToggle_ = nullptr;
    QComboBox* layers_ = nullptr;
    ThresholdHistogram* histogram_ = nullptr;
    QLabel *above_ = nullptr, *counts_ = nullptr, *current_ = nullptr;
    QToolButton *accept_ = nullptr, *reject_ = nullptr, *unsure_ = nullptr;
    QLineEdit* note_ = nullptr;
    QComboBox* matchWith_ = nullptr;
    QLineEdit* matchWithin_ = nullptr;
    QCheckBox* matchAll_ = nullptr;
    ToolSettings* matchSettings_ = nullptr;
    QLabel *matched_ = nullptr, *fit_ = nullptr;
    int64_t fitted_ = -1;                           // row of fit_
    std::optional<std::pair<Look, Look>> blinked_;  // before a blink by key, and during it
    StampStrip* stamps_ = nullptr;
    std::vector<QAction*> keys_;
};

}  // namespace armilla
