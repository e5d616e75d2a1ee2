// SPDX-License-Identifier: GPL-3.0-or-later
#include "panels/color_panel.h"

#include <QButtonGroup>
#include <QColorDialog>
#include <QComboBox>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPainter>
#include <QPushButton>
#include <QSignalBlocker>
#include <QStandardItemModel>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>
#include <iterator>

#include "armilla/core/error.h"
#include "armilla/draw/opening_colors.h"
#include "armilla/figure/unit_text.h"
#include "armilla/session/opening_colors.h"
#include "armilla/ui/color_bar_widget.h"
#include "armilla/ui/cursor_readout.h"
#include "armilla/ui/histogram_widget.h"
#include "armilla/ui/icons.h"
#include "armilla/ui/theme.h"
#include "dialogs/file_chooser.h"
#include "models/color_files.h"
#include "panels/folding_row.h"
#include "panels/small_widgets.h"

namespace armilla {
namespace {

constexpr int kFromFile = -1;  // item of the list of color maps

constexpr QSize kGradient(50, 12);
constexpr int kViewSamples = 20000;  // samples in view for percentiles; 0.1 % is 20 values

const PercentRange kPercents[] = {
    {1.0, 99.0, false}, {2.5, 97.5, false}, {0.0, 100.0, false}, {1.0, 99.0, true}};
// After the percentiles: the initial range of a map; a range set by the user.
constexpr int kAutomatic = static_cast<int>(std::size(kPercents)), kCustom = kAutomatic + 1;
enum Swatch { Bad, Below, Above };

QIcon gradientIcon(const std::string& name) {
    QImage image(256, 1, QImage::Format_RGBA8888);
    const ColorTable table = colorTable(name, false);
    for (int i = 0; i < 256; ++i) {
        const Rgba c = table[static_cast<size_t>(i)];
        image.setPixelColor(i, 0, QColor(c.r, c.g, c.b));
    }
    QPixmap pixmap(kGradient * 2);
    QPainter painter(&pixmap);
    painter.setRenderHint(QPainter::SmoothPixmapTransform);
    painter.drawImage(pixmap.rect(), image);
    painter.end();
    return QIcon(pixmap);
}

// A disc with an edge that is visible on every background; hollow if the color is the default.
QIcon colorIcon(const QColor& color, bool own, const Theme& theme) {
    QPixmap pixmap(48, 48);
    pixmap.fill(Qt::transparent);
    QPainter painter(&pixmap);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(theme.textMuted, 3.0));
    painter.setBrush(color);
    painter.drawEllipse(QRectF(6, 6, 36, 36));
    if (!own) {
        painter.setCompositionMode(QPainter::CompositionMode_Clear);
        painter.setPen(Qt::NoPen);
        painter.drawEllipse(QRectF(15, 15, 18, 18));
        painter.setCompositionMode(QPainter::CompositionMode_SourceOver);
        painter.setPen(QPen(theme.textMuted, 3.0));
        painter.setBrush(Qt::NoBrush);
        painter.drawEllipse(QRectF(15, 15, 18, 18));
    }
    painter.end();
    return QIcon(pixmap);
}

// Skips unchanged icons: a new icon triggers a layout of the whole window, and each update of a
// live picture calls this function.
void showSwatch(QToolButton& button, const QColor& color, bool own, const Theme& theme) {
    constexpr const char* kShown = "shownColors";
    const QVariantList colors = {color, own, theme.textMuted};
    if (button.property(kShown).toList() == colors) return;
    button.setProperty(kShown, colors);
    button.setIcon(colorIcon(color, own, theme));
}

QColor toColor(Rgba c) {
    return {c.r, c.g, c.b, c.a};
}
Rgba toRgba(const QColor& c) {
    return {static_cast<uint8_t>(c.red()), static_cast<uint8_t>(c.green()),
            static_cast<uint8_t>(c.blue()), static_cast<uint8_t>(c.alpha())};
}

QString numberText(float value) {
    return numberTypeset(QString::number(static_cast<double>(value), 'g', 5));
}

// NaN if the text is no number.
float typedNumber(const QLineEdit& field) {
    return static_cast<float>(numberFromText(field.text()).value_or(std::nan("")));
}

}  // namespace

ColorPanel::ColorPanel(Document& document, QWidget* parent)
    : QWidget(parent), document_(document), histogram_(new HistogramWidget(this)) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(12, 2, 12, 12);
    layout->setSpacing(6);
    histogram_->setAccessibleName(tr("Histogram with the ends and the middle of the color range"));
    layout->addLayout(buildHistogram());
    layout->addWidget(buildEnds());
    layout->addWidget(buildRows());
    connect(histogram_, &HistogramWidget::scaleEdited, this, [this](const ColorScale& scale) {
        applyFitted(scale, {scale.mapping.low, scale.mapping.high});
    });
    connect(histogram_, &HistogramWidget::editingFinished, this,
            [this] { document_.history().endGesture(); });
    connect(&document_.view(), &DocumentView::shownChanged, this, &ColorPanel::refresh);
    connect(&document_, &Document::activeChanged, this, &ColorPanel::refresh);
    connect(&document_.drawings(), &LayerDrawings::styleChanged, this, [this](LayerId layer) {
        if (layer == target().entry) refresh();  // the plane of an image
    });
    connect(&document_.drawings(), &LayerDrawings::colorScaleChanged, this, &ColorPanel::refresh);
    connect(&document_.drawings(), &LayerDrawings::drawableChanged, this, &ColorPanel::refresh);
    refresh();
}

// The reason of a refusal is over the histogram, because nothing moves when the line appears.
QLayout* ColorPanel::buildHistogram() {
    reason_ = new QLabel(this);
    reason_->setProperty("role", "warning");
    reason_->setWordWrap(true);
    reason_->setTextFormat(Qt::PlainText);
    reason_->setAutoFillBackground(true);
    reason_->setAttribute(Qt::WA_TransparentForMouseEvents);
    reason_->hide();
    auto* both = new QGridLayout;
    both->addWidget(histogram_, 0, 0);
    both->addWidget(reason_, 0, 0, Qt::AlignBottom);
    return both;
}

QWidget* ColorPanel::buildEnds() {
    auto* box = new QWidget(this);
    auto* layout = new QHBoxLayout(box);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(6);
    const auto edit = [&](const QString& name) {
        auto* line = new QLineEdit(box);
        line->setAccessibleName(name);
        line->setToolTip(name);
        line->setMinimumWidth(70);
        connect(line, &QLineEdit::editingFinished, this, &ColorPanel::acceptEnds);
        return line;
    };
    low_ = edit(tr("Low end of the color range, in the unit of the map"));
    high_ = edit(tr("High end of the color range, in the unit of the map"));
    high_->setAlignment(Qt::AlignRight);
    unit_ = mutedLabel({}, box);
    unit_->setAlignment(Qt::AlignCenter);
    layout->addWidget(low_, 2);
    layout->addWidget(unit_, 1);
    layout->addWidget(high_, 2);
    return box;
}

QWidget* ColorPanel::buildRows() {
    auto* box = new QWidget(this);
    auto* grid = new QGridLayout(box);
    grid->setContentsMargins(0, 2, 0, 0);
    grid->setHorizontalSpacing(8);
    grid->setVerticalSpacing(6);
    grid->setColumnStretch(1, 1);
    grid->addWidget(mutedLabel(tr("Colors"), box), 0, 0);
    grid->addLayout(buildColorMap(box), 0, 1);
    grid->addWidget(mutedLabel(tr("Scale"), box), 1, 0);
    grid->addLayout(buildScale(box), 1, 1);
    grid->addWidget(mutedLabel(tr("Range"), box), 2, 0);
    grid->addLayout(buildRange(box), 2, 1);
    connectRows();
    return box;
}

QLayout* ColorPanel::buildColorMap(QWidget* box) {
    colorMap_ = new NameChoice(box);
    colorMap_->setIconSize(kGradient);
    for (const std::string& name : colorMapNames())
        colorMap_->addItem(gradientIcon(name), QString::fromStdString(name));
    colorMap_->addItem(tr("from a file…"), kFromFile);
    colorMap_->setAccessibleName(tr("Color map"));
    colorMap_->setWhatsThis(tr("The colors of the values, from the least to the largest."));
    // The longest name must not set the width of the column.
    colorMap_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    colorMap_->setMinimumContentsLength(6);
    colorMap_->setMinimumWidth(110);
    reversed_ = new QToolButton(box);
    reversed_->setIcon(lineIcon(QStringLiteral("reverse")));
    reversed_->setIconSize({14, 14});
    reversed_->setProperty("flat", true);
    reversed_->setCheckable(true);
    reversed_->setToolTip(tr("Reverse the color map"));
    reversed_->setAccessibleName(reversed_->toolTip());
    auto* mapLine = new QHBoxLayout;
    mapLine->setSpacing(3);
    mapLine->addWidget(colorMap_, 1);
    mapLine->addWidget(reversed_);
    mapLine->addWidget(buildSwatches());
    return mapLine;
}

QLayout* ColorPanel::buildScale(QWidget* box) {
    scale_ = new QComboBox(box);
    for (const Scale kind :
         {Scale::Linear, Scale::Log, Scale::SymLog, Scale::Asinh, Scale::Histogram})
        scale_->addItem(scaleName(kind), static_cast<int>(kind));
    scale_->setAccessibleName(tr("Scale of the colors"));
    scale_->setWhatsThis(
        tr("How values become colors: linear, logarithmic, linear near zero and logarithmic "
           "beyond, or with an equal share of the pixels in each color."));
    linearLabel_ = mutedLabel(tr("linear ±"), box);
    linearLabel_->setToolTip(tr("Values closer to zero are on a linear scale"));
    linear_ = new QLineEdit(box);
    constexpr int kTextMargins = 18;
    linear_->setFixedWidth(linear_->fontMetrics().horizontalAdvance(numberText(8.8888e-5F)) +
                           kTextMargins);
    linear_->setAccessibleName(tr("Half width of the linear part, in the unit of the map"));
    linear_->setToolTip(linear_->accessibleName());
    // The row is as high without this field.
    linear_->setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Ignored);
    auto* scaleLine = new QHBoxLayout;
    scaleLine->setSpacing(8);
    scaleLine->addWidget(scale_, 1);
    scaleLine->addWidget(linearLabel_);
    scaleLine->addWidget(linear_);
    return scaleLine;
}

QLayout* ColorPanel::buildRange(QWidget* box) {
    percents_ = new QComboBox(box);
    percents_->addItems({tr("1–99 %"), tr("2.5–97.5 %"), tr("min–max"), tr("symmetric"),
                         tr("automatic"), tr("custom")});
    // Indicates a range set by the user; cannot be selected.
    qobject_cast<QStandardItemModel*>(percents_->model())->item(kCustom)->setEnabled(false);
    percents_->setAccessibleName(tr("Percentiles of the range"));
    // Its words are whole; the buttons beside it fold to icons instead.
    percents_->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    percents_->setToolTip(
        tr("Share of the good pixels that the range takes in; symmetric: the "
           "larger end of 1–99 %, either side of zero"));
    source_ = new QButtonGroup(this);
    auto* rangeLine = new QHBoxLayout;
    rangeLine->setSpacing(4);
    rangeLine->addWidget(percents_, 1);
    auto* sources = new FoldingRow(nullptr, box);
    for (const bool inView : {false, true}) {
        auto* button = new QPushButton(inView ? tr("In view") : tr("All"), box);
        button->setToolTip(inView ? tr("Set the range from the pixels in the picture, now")
                                  : tr("Set the range from all good pixels of the map"));
        source_->addButton(button, inView);
        sources->add(button, inView ? QStringLiteral("gnomonic") : QStringLiteral("mollweide"));
    }
    rangeLine->addWidget(sources);
    return rangeLine;
}

void ColorPanel::connectRows() {
    connect(colorMap_, &QComboBox::activated, this, [this](int index) {
        if (colorMap_->itemData(index) == kFromFile) return chooseColorFile();
        const QVariant own = colorMap_->itemData(index);
        setColorMap(own.isValid() ? own.toString() : colorMap_->itemText(index));
    });
    connect(reversed_, &QToolButton::clicked, this, [this](bool on) {
        ColorScale scale = document_.drawings().colorScale(target());
        scale.reversed = on;
        apply(scale);
    });
    connect(scale_, &QComboBox::activated, this, [this](int index) {
        setScaleKind(static_cast<Scale>(scale_->itemData(index).toInt()));
    });
    connect(linear_, &QLineEdit::editingFinished, this, &ColorPanel::acceptLinear);
    connect(source_, &QButtonGroup::idClicked, this,
            [this](int inView) { applyRange(kPercents[percent_], inView != 0); });
    connect(percents_, &QComboBox::activated, this, [this](int index) {
        if (index < kAutomatic) {
            percent_ = index;
            applyRange(kPercents[index], false);
        } else if (const auto opened = openingRange()) {
            applyFitted(document_.drawings().colorScale(target()), *opened);
        }
    });
}

QWidget* ColorPanel::buildSwatches() {
    auto* box = new QWidget(this);
    auto* layout = new QHBoxLayout(box);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    const QString tips[] = {tr("Color of bad pixels"),
                            tr("Color of its own for values below the range; again: none"),
                            tr("Color of its own for values above the range; again: none")};
    for (int which : {Bad, Below, Above}) {
        auto* button = new QToolButton(box);
        button->setIconSize({12, 12});
        button->setProperty("flat", true);
        button->setProperty("close", true);
        button->setToolTip(tips[which]);
        button->setAccessibleName(tips[which]);
        button->setCheckable(which != Bad);
        swatches_[which] = button;
        layout->addWidget(button);
        connect(button, &QToolButton::clicked, this, [this, which](bool on) {
            if (which == Bad || on) {
                chooseColor(which);
                return;
            }
            ColorScale scale = document_.drawings().colorScale(target());
            (which == Below ? scale.ownBelow : scale.ownAbove) = false;
            apply(scale);
        });
    }
    return box;
}

void ColorPanel::chooseColor(int which) {
    const ColorScale scale = document_.drawings().colorScale(target());
    const Rgba present = which == Bad ? scale.bad : which == Below ? scale.below : scale.above;
    auto* dialog = new QColorDialog(toColor(present), this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setModal(false);
    dialog->setOption(QColorDialog::ShowAlphaChannel, false);
    dialog->setWindowTitle(swatches_[which]->toolTip());
    connect(dialog, &QColorDialog::colorSelected, this, [this, which](QColor color) {
        color.setAlpha(255);
        ColorScale chosen = document_.drawings().colorScale(target());
        (which == Bad ? chosen.bad : which == Below ? chosen.below : chosen.above) = toRgba(color);
        if (which == Below) chosen.ownBelow = true;
        if (which == Above) chosen.ownAbove = true;
        apply(chosen);
    });
    connect(dialog, &QColorDialog::rejected, this, &ColorPanel::refresh);
    dialog->show();
}

Shown ColorPanel::target() const {
    const Layer* active = document_.entry(document_.active());
    return active && active->image ? Shown{active->id} : document_.view().shown();
}

std::span<const float> ColorPanel::sample() const {
    if (mesh_) return mesh_->sortedSample();
    return drawable_ ? std::span<const float>(drawable_->sortedSample) : std::span<const float>();
}

std::optional<ValueRange> ColorPanel::openingRange() const {
    const Layer* layer = document_.entry(target().entry);
    if (!layer || (!drawable_ && !mesh_)) return std::nullopt;
    const ColorMapping opened =
        (mesh_ ? openingColors(*mesh_) : openingColors(*drawable_, *layer, target())).mapping;
    return ValueRange{opened.low, opened.high};
}

void ColorPanel::apply(const ColorScale& scale) {
    if (refreshing_ || !target().entry.isValid()) return;
    giveReason({});
    document_.drawings().setColorScale(target(), scale);
}

void ColorPanel::applyFitted(ColorScale scale, const ValueRange& range) {
    const bool isLog = scale.mapping.scale == Scale::Log;
    if (const auto fitted = fittedScale(std::move(scale), range, sample())) {
        apply(*fitted);
        return;
    }
    emit messageRaised(isLog ? tr("expected values above zero for a logarithmic scale, found none; "
                                  "symlog and asinh show both signs")
                             : tr("expected good pixels within the range for a histogram scale, "
                                  "found none"),
                       true);
    refresh();
}

void ColorPanel::applyRange(const PercentRange& percents, bool inView) {
    const Shown shown = target();
    const Layer* entry = document_.entry(shown.entry);
    if (!entry || (inView && !entry->map)) return;
    std::vector<float> seen;
    if (inView)
        seen = valuesInView(*entry->map, shown, document_.view().camera(), viewSize_.width(),
                            viewSize_.height(), kViewSamples);
    const auto range = rangeOf(inView ? std::span<const float>(seen) : sample(), percents);
    if (!range) {
        emit messageRaised(inView
                               ? tr("expected good pixels in the picture to take the range from, "
                                    "found none: turn or zoom out")
                               : tr("expected good pixels to take the range from, found none"),
                           true);
        return;
    }
    applyFitted(document_.drawings().colorScale(shown), *range);
    const auto at = std::find_if(std::begin(kPercents), std::end(kPercents), [&](const auto& one) {
        return one.low == percents.low && one.high == percents.high &&
               one.symmetric == percents.symmetric;
    });
    const ColorMapping& mapping = document_.drawings().colorScale(shown).mapping;
    applied_ =
        Applied{shown, {mapping.low, mapping.high}, static_cast<int>(at - std::begin(kPercents))};
    refresh();
}

int ColorPanel::percentsOf(const ColorScale& scale) const {
    const auto matches = [&](const ValueRange& range) {
        const float tolerance = 1e-5F * (range.high - range.low);
        return std::abs(scale.mapping.low - range.low) <= tolerance &&
               std::abs(scale.mapping.high - range.high) <= tolerance;
    };
    if (applied_ && applied_->shown == target() && matches(applied_->ends))
        return applied_->percent;
    for (int i = 0; i < kAutomatic; ++i)
        if (const auto range = rangeOf(sample(), kPercents[i]); range && matches(*range)) return i;
    const auto opened = openingRange();
    return opened && matches(*opened) ? kAutomatic : kCustom;
}

void ColorPanel::setScaleKind(Scale kind) {
    giveReason({});
    ColorScale scale = document_.drawings().colorScale(target());
    scale.mapping.scale = kind;
    applyFitted(scale, {scale.mapping.low, scale.mapping.high});
}

void ColorPanel::setColorMap(const QString& name) {
    ColorScale scale = document_.drawings().colorScale(target());
    scale.colorMap = name.toStdString();
    apply(scale);
}

void ColorPanel::chooseColorFile() {
    refresh();
    chooseFilesToOpen(this, tr("Colors from a file"),
                      tr("Tables of colors (*.txt *.csv *.dat *.rgb *.lut *.tsv);;All files (*)"),
                      [this](const QStringList& paths) {
                          if (!paths.isEmpty()) setColorFile(paths.front());
                      });
}

void ColorPanel::setColorFile(const QString& path) {
    try {
        setColorMap(colorsOfFile(path));
    } catch (const Error& error) {
        emit messageRaised(QString::fromUtf8(error.what()), true);
        refresh();
    }
}

// User-defined colors have an item only while in use.
void ColorPanel::showColorMap(const QString& name) {
    const int ownAt = colorMap_->findText(tr("own colors"));
    if (!name.startsWith(QLatin1Char('#'))) {
        if (ownAt >= 0) colorMap_->removeItem(ownAt);
        colorMap_->setCurrentText(name);
        return;
    }
    const int at = ownAt >= 0 ? ownAt : 0;
    if (ownAt < 0) colorMap_->insertItem(at, tr("own colors"));
    colorMap_->setItemIcon(at, gradientIcon(name.toStdString()));
    colorMap_->setItemData(at, name);
    colorMap_->setCurrentIndex(at);
}

void ColorPanel::acceptEnds() {
    if (!low_->isModified() && !high_->isModified()) return;
    const float low = typedNumber(*low_), high = typedNumber(*high_);
    // A new low end above the old high end is half of an edit: the other field has the focus now.
    const QLineEdit* other = sender() == low_ ? high_ : low_;
    if (std::isfinite(low) && std::isfinite(high) && !(low < high) && other->hasFocus() &&
        !other->isModified())
        return;
    low_->setModified(false);
    high_->setModified(false);
    if (!std::isfinite(low) || !std::isfinite(high) || !(low < high)) {
        giveReason(tr("expected two numbers, the low end below the high end; found “%1” and “%2”")
                       .arg(low_->text(), high_->text()));
        return refresh();
    }
    applyFitted(document_.drawings().colorScale(target()), {low, high});
    const ColorMapping& taken = document_.drawings().colorScale(target()).mapping;
    const bool isRaised = taken.scale == Scale::Log && !(low > 0.0F) && taken.low > 0.0F;
    giveReason(isRaised
                   ? tr("A logarithmic scale begins above zero: symlog and asinh show both signs.")
                   : QString());
}

// Shows beside the fields why they differ from the typed values; an empty reason hides the line.
void ColorPanel::giveReason(const QString& why) {
    refused_ = target();
    reason_->setText(why);
    reason_->setVisible(!why.isEmpty());
}

void ColorPanel::acceptLinear() {
    if (!linear_->isModified()) return;
    linear_->setModified(false);
    const float width = typedNumber(*linear_);
    if (!std::isfinite(width) || !(width > 0.0F)) {
        giveReason(
            tr("expected a positive number as linear width, found “%1”").arg(linear_->text()));
        return refresh();
    }
    ColorScale scale = document_.drawings().colorScale(target());
    scale.mapping.linear = width;
    apply(scale);
}

void ColorPanel::refresh() {
    const Shown shown = target();
    const Layer* entry = document_.entry(shown.entry);
    setEnabled(entry != nullptr);
    if (!entry) {
        drawable_.reset();
        mesh_.reset();
        histogram_->setSample({});
        linear_->hide();
        linearLabel_->hide();
        emit statusChanged({});
        return;
    }
    refreshing_ = true;
    if (shown != refused_) reason_->hide();
    const auto drawable = document_.drawings().drawable(shown);
    const auto mesh = entry->image ? document_.drawings().imageMesh(shown.entry) : nullptr;
    if (drawable != drawable_ || mesh != mesh_) {
        drawable_ = drawable;
        mesh_ = mesh;
        histogram_->setSample(sample());
    }
    source_->button(1)->setEnabled(entry->map != nullptr);
    const ColorScale& scale = document_.drawings().colorScale(shown);
    const QString unit = entry->map     ? unitOf(*entry->map, shown)
                         : entry->image ? unitText(QString::fromStdString(entry->image->unit))
                                        : QString();
    histogram_->setUnit(unit);
    histogram_->setScale(scale);
    unit_->setText(unit);
    if (!low_->isModified()) low_->setText(numberText(scale.mapping.low));
    if (!high_->isModified()) high_->setText(numberText(scale.mapping.high));
    percents_->setCurrentIndex(percentsOf(scale));
    showColorMap(QString::fromStdString(scale.colorMap));
    reversed_->setChecked(scale.reversed);
    scale_->setCurrentIndex(scale_->findData(static_cast<int>(scale.mapping.scale)));
    const bool hasLinear =
        scale.mapping.scale == Scale::SymLog || scale.mapping.scale == Scale::Asinh;
    linear_->setVisible(hasLinear);
    linearLabel_->setVisible(hasLinear);
    if (!linear_->isModified()) {
        linear_->setText(numberText(scale.mapping.linear));
        linear_->setCursorPosition(0);
    }
    const ColorTable table = colorTable(scale.colorMap, scale.reversed);
    const Theme& theme = Theme::of(this);
    showSwatch(*swatches_[Bad], toColor(scale.bad), true, theme);
    swatches_[Below]->setChecked(scale.ownBelow);
    showSwatch(*swatches_[Below], toColor(scale.ownBelow ? scale.below : table.front()),
               scale.ownBelow, theme);
    swatches_[Above]->setChecked(scale.ownAbove);
    showSwatch(*swatches_[Above], toColor(scale.ownAbove ? scale.above : table.back()),
               scale.ownAbove, theme);
    emit statusChanged(
        QStringLiteral("%1 · %2").arg(colorMap_->currentText(), scaleName(scale.mapping.scale)));
    refreshing_ = false;
}

}  // namespace armilla
