// SPDX-License-Identifier: GPL-3.0-or-later
// Colors of the picture: range on the histogram, scale, color map, colors of the exceptions.
#pragma once

#include <QWidget>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "armilla/session/document.h"
#include "models/color_ranges.h"

class QButtonGroup;
class QComboBox;
class QLabel;
class QLineEdit;
class QToolButton;

namespace armilla {

class HistogramWidget;

class ColorPanel : public QWidget {
    Q_OBJECT
public:
    // The document must outlive the panel.
    explicit ColorPanel(Document& document, QWidget* parent = nullptr);

    // Size of the picture, for the range of the visible values.
    void setViewSize(QSize size) { viewSize_ = size; }
    // Actions of the controls, for menus and tests.
    void applyRange(const PercentRange& percents, bool inView);
    void setScaleKind(Scale kind);
    void setColorMap(const QString& name);
    // Sets user-defined colors from a table file.
    void setColorFile(const QString& path);

signals:
    void messageRaised(const QString& line, bool isError);
    // Text of the dock's title line: "planck · asinh".
    void statusChanged(const QString& text);

private:
    QLayout* buildHistogram();
    QWidget* buildEnds();
    QWidget* buildRows();
    QLayout* buildColorMap(QWidget* box);
    QLayout* buildScale(QWidget* box);
    QLayout* buildRange(QWidget* box);
    void connectRows();
    QWidget* buildSwatches();
    void refresh();
    // Index of the percentiles that give the range of a scale; kCustom: none.
    int percentsOf(const ColorScale& scale) const;
    void apply(const ColorScale& scale);
    void applyFitted(ColorScale scale, const ValueRange& range);
    void acceptEnds();
    void acceptLinear();
    void giveReason(const QString& why);
    void chooseColor(int which);
    void chooseColorFile();
    void showColorMap(const QString& name);
    // The colored quantity: the active layer if it is an image, else the shown one.
    Shown target() const;
    std::span<const float> sample() const;  // sorted
    std::optional<ValueRange> openingRange() const;

    Document& document_;
    QSize viewSize_{1600, 900};
    HistogramWidget* histogram_;
    QLineEdit *low_ = nullptr, *high_ = nullptr, *linear_ = nullptr;
    QLabel *unit_ = nullptr, *linearLabel_ = nullptr, *reason_ = nullptr;
    QComboBox *colorMap_ = nullptr, *scale_ = nullptr, *percents_ = nullptr;
    QToolButton* reversed_ = nullptr;
    QButtonGroup* source_ = nullptr;
    int percent_ = 0;  // the last choice, which both buttons apply
    struct Applied {
        Shown shown;
        ValueRange ends;
        int percent;
    };
    Shown refused_;                   // the quantity whose field was changed back, with a reason
    std::optional<Applied> applied_;  // the range that the percentiles gave
    QToolButton* swatches_[3] = {};
    std::shared_ptr<const DrawableField> drawable_;
    std::shared_ptr<const ImageMesh> mesh_;
    bool refreshing_ = false;
};

}  // namespace armilla
