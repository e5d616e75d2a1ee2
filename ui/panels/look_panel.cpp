// SPDX-License-Identifier: GPL-3.0-or-later
#include "panels/look_panel.h"

#include <QColorDialog>
#include <QComboBox>
#include <QGridLayout>
#include <QLabel>
#include <QSignalBlocker>
#include <QSlider>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>

#include "armilla/plot/plot_style.h"
#include "armilla/ui/theme.h"
#include "models/layer_looks.h"
#include "panels/color_panel.h"
#include "panels/small_widgets.h"

namespace armilla {
namespace {

constexpr int kSizeSteps = 2;  // slider steps per logical pixel
constexpr int kMostBySlider = 24;

QLabel* valueLabel(QWidget* parent) {
    auto* label = new QLabel(parent);
    label->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    label->setMinimumWidth(46);
    return label;
}

}  // namespace

LookPanel::LookPanel(Document& document, QWidget* parent)
    : QWidget(parent), document_(document), colors_(new ColorPanel(document, this)) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    markers_ = buildMarkerRows();
    layout->addWidget(colors_);
    layout->addWidget(markers_);
    layout->addStretch(1);
    connect(&document_, &Document::activeChanged, this, &LookPanel::refresh);
    connect(&document_, &Document::entriesChanged, this, &LookPanel::refresh);
    connect(&document_.drawings(), &LayerDrawings::styleChanged, this, &LookPanel::refresh);
    connect(colors_, &ColorPanel::statusChanged, this, [this](const QString& text) {
        colorStatus_ = text;
        if (!layer()) emit statusChanged(text);
    });
    refresh();
}

QWidget* LookPanel::buildMarkerRows() {
    auto* box = new QWidget(this);
    auto* grid = new QGridLayout(box);
    grid->setContentsMargins(12, 2, 12, 12);
    grid->setHorizontalSpacing(8);
    grid->setVerticalSpacing(7);
    grid->setColumnStretch(1, 1);
    shape_ = new QComboBox(box);
    const std::pair<MarkerShape, QString> shapes[] = {
        {MarkerShape::Circle, tr("circle")}, {MarkerShape::Disc, tr("disc")},
        {MarkerShape::Square, tr("square")}, {MarkerShape::Diamond, tr("diamond")},
        {MarkerShape::Cross, tr("cross")},   {MarkerShape::Plus, tr("plus")}};
    for (const auto& [shape, name] : shapes) shape_->addItem(name, static_cast<int>(shape));
    shape_->setAccessibleName(tr("Shape of the markers"));
    size_ = new QSlider(Qt::Horizontal, box);
    size_->setRange(static_cast<int>(kLeastMarker) * kSizeSteps, kMostBySlider * kSizeSteps);
    size_->setObjectName(QStringLiteral("markerSize"));
    size_->setAccessibleName(tr("Size of the markers"));
    size_->setToolTip(tr("Size of the markers on the screen, in pixels"));
    sizeText_ = valueLabel(box);
    opacity_ = new QSlider(Qt::Horizontal, box);
    opacity_->setRange(0, 100);
    opacity_->setAccessibleName(tr("Opacity of the layer"));
    opacity_->setToolTip(tr("How much of what lies beneath is covered"));
    opacityText_ = valueLabel(box);
    color_ = new QToolButton(box);
    color_->setIconSize({22, 14});
    colorName_ = mutedLabel(tr("Color"), box);
    grid->addWidget(mutedLabel(tr("Shape"), box), 0, 0);
    grid->addWidget(shape_, 0, 1);
    grid->addWidget(color_, 0, 2, Qt::AlignRight);
    grid->addWidget(mutedLabel(tr("Size"), box), 1, 0);
    grid->addWidget(size_, 1, 1);
    grid->addWidget(sizeText_, 1, 2);
    ofMarkers_ = {grid->itemAtPosition(0, 0)->widget(), shape_,
                  grid->itemAtPosition(1, 0)->widget(), size_, sizeText_};
    grid->addWidget(mutedLabel(tr("Opacity"), box), 2, 0);
    grid->addWidget(opacity_, 2, 1);
    grid->addWidget(opacityText_, 2, 2);
    grid->addWidget(colorName_, 0, 0);  // used if there is no shape
    ofOpacity_ = {grid->itemAtPosition(2, 0)->widget(), opacity_, opacityText_};
    plane_ = new QSlider(Qt::Horizontal, box);
    plane_->setAccessibleName(tr("Plane of the cube"));
    plane_->setToolTip(tr("The plane of the cube that is shown"));
    planeName_ = mutedLabel(tr("Plane"), box);
    planeText_ = valueLabel(box);
    grid->addWidget(planeName_, 3, 0);
    grid->addWidget(plane_, 3, 1);
    grid->addWidget(planeText_, 3, 2);
    connect(plane_, &QSlider::valueChanged, this, [this](int value) {
        if (!refreshing_) setPlane(value);
    });
    connect(shape_, &QComboBox::activated, this, [this](int index) {
        setShape(static_cast<MarkerShape>(shape_->itemData(index).toInt()));
    });
    connect(size_, &QSlider::valueChanged, this, [this](int value) {
        if (!refreshing_) setSize(static_cast<double>(value) / kSizeSteps);
    });
    connect(opacity_, &QSlider::valueChanged, this, [this](int value) {
        if (!refreshing_) setOpacity(value / 100.0);
    });
    for (const QSlider* slider : {size_, opacity_, plane_})
        connect(slider, &QSlider::sliderReleased, this,
                [this] { document_.history().endGesture(); });
    connect(color_, &QToolButton::clicked, this, [this] {
        const Layer* edited = layer();
        if (!edited) return;
        auto* dialog = new QColorDialog(toColor(edited->style.marker), this);
        dialog->setAttribute(Qt::WA_DeleteOnClose);
        dialog->setWindowTitle(tr("Color of %1").arg(edited->name));
        connect(dialog, &QColorDialog::colorSelected, this, &LookPanel::setColor);
        dialog->open();
    });
    return box;
}

const Layer* LookPanel::layer() const {
    const Layer* active = document_.entry(document_.active());
    return active && !active->map ? active : nullptr;
}

template <typename Change>
void LookPanel::change(const Change& change) {
    const Layer* edited = layer();
    if (!edited) return;
    LayerStyle style = edited->style;
    change(style);
    document_.drawings().setStyle(edited->id, style);
}

void LookPanel::setShape(MarkerShape shape) {
    change([&](LayerStyle& style) { style.marker.shape = shape; });
}

void LookPanel::setSize(double logicalPixels) {
    change([&](LayerStyle& style) { style.marker.size = logicalPixels; });
}

void LookPanel::setColor(const QColor& color) {
    change([&](LayerStyle& style) {
        style.marker.color = {static_cast<uint8_t>(color.red()),
                              static_cast<uint8_t>(color.green()),
                              static_cast<uint8_t>(color.blue()), 255};
    });
}

void LookPanel::setOpacity(double opacity) {
    change([&](LayerStyle& style) { style.opacity = opacity; });
}

void LookPanel::setPlane(int plane) {
    change([&](LayerStyle& style) { style.plane = plane; });
}

// The same for every kind of layer, so that choosing a layer moves nothing: the height of the
// colors, and of the rows below them once the document has an image.
QSize LookPanel::sizeHint() const {
    int rows = 0;
    for (const Layer& each : document_.entries())
        if (each.image) rows = std::max(rows, each.image->planes.size() > 1 ? 2 : 1);
    const auto* grid = static_cast<const QGridLayout*>(markers_->layout());
    const QMargins around = grid->contentsMargins();
    const int row = std::max(opacity_->sizeHint().height(), opacityText_->sizeHint().height());
    const int ofImage = rows == 0 ? 0
                                  : around.top() + around.bottom() + rows * row +
                                        (rows - 1) * grid->verticalSpacing();
    const QSize own = QWidget::sizeHint();
    return {own.width(), std::max(own.height(), colors_->sizeHint().height() + ofImage)};
}

// New icons trigger a layout of the window.
void LookPanel::showInk(Rgba color) {
    const std::pair now(toColor(MarkerStyle{.color = color}), devicePixelRatioF());
    // A curve and markers of one color have different swatches.
    const bool isLine = layer() && layer()->curve;
    const bool isOther = std::exchange(isLine_, isLine) != isLine;
    if (std::exchange(ink_, now) == std::optional(now) && !isOther) return;
    for (int i = 0; i < shape_->count(); ++i) {
        MarkerStyle sample;
        sample.shape = static_cast<MarkerShape>(shape_->itemData(i).toInt());
        sample.color = color;
        sample.size = 10.0;
        shape_->setItemIcon(i, QIcon(QPixmap::fromImage(markerImage(sample, 16, now.second))));
    }
    QPixmap swatch(QSize(22, 14) * now.second);
    // A curve has the color of its line, which differs from a color that fits only the sky.
    swatch.fill(isLine ? legible(now.first, Theme::of(this).panel) : now.first);
    color_->setIcon(QIcon(swatch));
}

void LookPanel::refresh() {
    const Layer* edited = layer();
    const bool hasMarker = edited && looksOf(edited->kind()).hasMarker;
    colors_->setVisible(!edited || edited->image);
    markers_->setVisible(edited);
    if (!edited) {
        emit statusChanged(colorStatus_);
        return;
    }
    refreshing_ = true;
    const MarkerStyle& marker = edited->style.marker;
    const bool isLine = edited->curve != nullptr;
    for (QWidget* row : ofMarkers_) row->setVisible(hasMarker);
    for (QWidget* row : ofOpacity_) row->setVisible(looksOf(edited->kind()).hasOpacity);
    colorName_->setVisible(isLine);
    color_->setVisible(hasMarker || isLine);
    color_->setToolTip(isLine ? tr("Color of the curve…") : tr("Color of the markers…"));
    color_->setAccessibleName(isLine ? tr("Color of the curve") : tr("Color of the markers"));
    const int planes = edited->image ? static_cast<int>(edited->image->planes.size()) : 1;
    plane_->setRange(0, planes - 1);
    plane_->setValue(edited->style.plane);
    if (edited->image) planeText_->setText(tr("%1 of %2").arg(edited->style.plane + 1).arg(planes));
    for (QWidget* row : std::initializer_list<QWidget*>{plane_, planeName_, planeText_})
        row->setVisible(planes > 1);
    shape_->setCurrentIndex(shape_->findData(static_cast<int>(marker.shape)));
    size_->setValue(static_cast<int>(std::lround(marker.size * kSizeSteps)));
    sizeText_->setText(tr("%1 px").arg(marker.size));
    opacity_->setValue(static_cast<int>(std::lround(100.0 * edited->style.opacity)));
    opacityText_->setText(tr("%1 %").arg(std::lround(100.0 * edited->style.opacity)));
    showInk(marker.color);
    refreshing_ = false;
    emit statusChanged(edited->name);
}

}  // namespace armilla
