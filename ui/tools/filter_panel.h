// SPDX-License-Identifier: GPL-3.0-or-later
// The source filter with live preview of width, order and kind.
#pragma once

#include <QElapsedTimer>
#include <QWidget>

#include "armilla/session/document.h"

class QCheckBox;
class QLabel;
class QPushButton;

namespace armilla {

class CompareRow;
class OperationPanel;
class Session;

class FilterPanel : public QWidget {
    Q_OBJECT
public:
    FilterPanel(Session& session, OperationPanel* rows, QWidget* parent = nullptr);

    QCheckBox* toggle() const { return toggle_; }
    QPushButton* discardButton() const { return discard_; }
    // State of the preview: "nside 256 of 2048 · 40 ms".
    QString state() const;

signals:
    // Map and filtered map beside each other; Single: only the filtered map.
    void compareRequested(armilla::Comparison comparison);

protected:
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;

private:
    QWidget* buildPart();
    void follow();
    void take();
    void showState();
    QString stateOfLive() const;

    Session& session_;
    OperationPanel* rows_;
    QCheckBox* toggle_ = nullptr;
    QLabel* state_ = nullptr;
    QPushButton *keep_ = nullptr, *discard_ = nullptr;
    CompareRow* compare_ = nullptr;
    QString asked_;
    QString discarded_;    // settings of the discarded preview
    bool isKept_ = false;  // Keep was pressed for the present preview
    QElapsedTimer since_;
    double milliseconds_ = 0.0;
    uint64_t revision_ = 0;
};

}  // namespace armilla
