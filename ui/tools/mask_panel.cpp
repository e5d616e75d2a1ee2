// SPDX-License-Identifier: GPL-3.0-or-later
#include "tools/mask_panel.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalBlocker>
#include <QSlider>
#include <QToolButton>
#include <QVBoxLayout>
#include <cmath>

#include "armilla/core/error.h"
#include "armilla/core/units.h"
#include "armilla/operations/operation.h"
#include "armilla/operations/parameter.h"
#include "armilla/operations/record.h"
#include "armilla/session/job_runner.h"
#include "armilla/session/mask_brush.h"
#include "armilla/session/operation_runner.h"
#include "armilla/session/session.h"
#include "armilla/session/shown_text.h"
#include "armilla/session/tool_settings.h"
#include "panels/item_list.h"
#include "panels/operation_panel.h"
#include "panels/setting_controls.h"
#include "panels/small_widgets.h"
#include "panels/widget_role.h"
#include "tools/brush_tool.h"
#include "tools/live_part.h"

namespace armilla {
namespace {

// The slider is logarithmic: hundredths of a decade from an arc minute.
constexpr double kSliderLeast = kArcmin;
constexpr int kSliderSteps = 343;  // to 44.8 degrees

}  // namespace

MaskPanel::MaskPanel(Session& session, OperationPanel* operation, QWidget* parent)
    : QWidget(parent),
      session_(session),
      rows_(operation),
      brush_(session.maskBrush()),
      tool_(new BrushTool(session.maskBrush(), this)),
      live_(new LivePart(session, operation, this)) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(4);
    auto* part = new QWidget(this);
    auto* inner = new QVBoxLayout(part);
    inner->setContentsMargins(12, 2, 12, 4);
    inner->setSpacing(7);
    inner->addLayout(buildLayers(part));
    inner->addLayout(buildBrush(part));
    inner->addLayout(buildRadius(part, operation));
    state_ = new QLabel(part);
    setRole(state_, "muted");
    state_->setWordWrap(true);
    inner->addWidget(state_);
    layout->addWidget(part);
    layout->addWidget(operation);
    operation->insertPart(live_);
    // Default parameters make the mask of the map's own bad pixels, which the picture shows.
    live_->setCondition([operation] {
        const OperationRequest request = operation->request();
        return !optionWords(*request.operation, request.parameters).empty();
    });
    connect(live_, &LivePart::passMade, this, [this](const LivePass& pass) {
        preview_ = pass.value.map;
        previewIsOfView_ = pass.isOfView;
        showVeil();
    });
    connect(live_, &LivePart::cleared, this, [this] {
        preview_.reset();
        showVeil();
    });
    layout->addStretch(1);
    connectSession();
    fillLayers();
    showRadius();
}

QLayout* MaskPanel::buildLayers(QWidget* part) {
    auto* row = new QHBoxLayout;
    row->setSpacing(4);
    layers_ = new NameChoice(part);
    layers_->setAccessibleName(tr("Mask to paint on"));
    layers_->setWhatsThis(tr("Strokes of the brush change this mask."));
    layers_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    layers_->setMinimumContentsLength(8);
    connect(layers_, &QComboBox::activated, this, [this] {
        const auto layer = layers_->currentData().value<LayerId>();
        stopWaiting();
        choose(layer);
    });
    row->addWidget(layers_, 1);
    auto* make = new QToolButton(part);
    make->setText(tr("New"));
    make->setToolTip(tr("A new mask of the map that is shown, to paint on"));
    connect(make, &QToolButton::clicked, this, &MaskPanel::newMask);
    row->addWidget(make);
    return row;
}

QLayout* MaskPanel::buildBrush(QWidget* part) {
    auto* bar = new QHBoxLayout;
    bar->setSpacing(4);
    const auto button = [&](const QString& text, const QString& tip) {
        QToolButton* made = wideToggle(text, tip, part);
        bar->addWidget(made);
        return made;
    };
    paint_ = button(tr("Cut"), tr("Drag on the sky: what the brush touches becomes bad; with Alt "
                                  "good again. Ctrl and drag turns the sky"));
    erase_ = button(tr("Restore"), tr("Drag on the sky: what the brush touches becomes good"));
    for (QToolButton* each : {paint_, erase_})
        connect(each, &QToolButton::clicked, this, [this, each](bool on) {
            QToolButton* other = each == paint_ ? erase_ : paint_;
            other->setChecked(false);
            tool_->setErasing(each == erase_ && on);
            if (on && !tool_->layer().isValid()) newMask();
            showState();
        });
    return bar;
}

QLayout* MaskPanel::buildRadius(QWidget* part, OperationPanel* operation) {
    auto* width = new QHBoxLayout;
    width->setSpacing(6);
    size_ = new QSlider(Qt::Horizontal, part);
    size_->setRange(0, kSliderSteps);
    size_->setAccessibleName(tr("Radius of the brush"));
    size_->setToolTip(tr("Radius of the brush ([ and ] on the sky)"));
    sizeText_ = new QLineEdit(part);
    sizeText_->setAccessibleName(tr("Radius of the brush"));
    sizeText_->setWhatsThis(tr("The radius of the brush, with its unit, such as 30arcmin."));
    sizeText_->setMaximumWidth(8 * fontMetrics().averageCharWidth() + 16);
    width->addWidget(size_, 1);
    width->addWidget(sizeText_);
    connect(size_, &QSlider::valueChanged, this,
            [this](int value) { tool_->setRadius(kSliderLeast * std::pow(10.0, 0.01 * value)); });
    connect(sizeText_, &QLineEdit::editingFinished, this, &MaskPanel::takeRadius);
    connect(tool_, &BrushTool::radiusChanged, this, &MaskPanel::showRadius);
    const QString kRadius = QStringLiteral("brush radius"), what = tr("radius of the brush");
    operation->addSettings({[this, kRadius] {
                                return QJsonObject{{kRadius, tool_->radius()}};
                            },
                            [this, kRadius](const QJsonObject& values) {
                                if (values.contains(kRadius))
                                    tool_->setRadius(values[kRadius].toDouble());
                            }});
    connect(tool_, &BrushTool::radiusChanged, operation,
            [operation, what] { operation->noteSettings(what, ToolSettings::Pace::Repeated); });
    noteDrags(size_, &operation->settings(), what);
    return width;
}

void MaskPanel::connectSession() {
    Document& document = session_.document();
    connect(&document, &Document::entriesChanged, this, &MaskPanel::fillLayers);
    connect(&document.view(), &DocumentView::shownChanged, this, &MaskPanel::showState);
    connect(&brush_, &MaskBrush::strokesChanged, this, &MaskPanel::showState);
    connect(&brush_, &MaskBrush::shownChanged, this, &MaskPanel::showState);
    connect(&brush_, &MaskBrush::failed, this,
            [this](const QString& line) { emit messageRaised(line, true); });
    connect(&session_.operations(), &OperationRunner::operationFinished, this,
            [this](const QString& id, const std::vector<LayerId>& layers) {
                if (id != textOf(rows_->operation().id) || layers.empty()) return;
                live_->rest();
                if (awaited_ < 0) return;
                awaited_ = -1;
                keepPicture();
                choose(layers.front());
            });
    const auto gone = [this](int job) {
        if (job == awaited_) stopWaiting();
    };
    connect(&session_.jobs(), &JobRunner::jobFailed, this, gone);
    connect(&session_.jobs(), &JobRunner::jobCancelled, this, gone);
}

bool MaskPanel::isOn() const {
    return isVisible() && (paint_->isChecked() || erase_->isChecked()) && tool_->takesPointer();
}

void MaskPanel::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    showState();
}

void MaskPanel::hideEvent(QHideEvent* event) {
    QWidget::hideEvent(event);
    showVeil();
    emit activeChanged(false);
}

void MaskPanel::fillLayers() {
    {
        const QSignalBlocker quiet(layers_);
        Items items{{tr("No mask to paint on"), QVariant::fromValue(LayerId())}};
        for (const Layer& layer : session_.document().entries())
            if (brush_.canPaint(layer.id))
                items.emplace_back(layer.name, QVariant::fromValue(layer.id));
        setItems(*layers_, items);
    }
    if (tool_->layer().isValid() && layers_->findData(QVariant::fromValue(tool_->layer())) < 0)
        tool_->setLayer({});
    layers_->setCurrentIndex(std::max(0, layers_->findData(QVariant::fromValue(tool_->layer()))));
    showState();
}

void MaskPanel::choose(LayerId layer) {
    tool_->setLayer(brush_.canPaint(layer) ? layer : LayerId());
    layers_->setCurrentIndex(std::max(0, layers_->findData(QVariant::fromValue(tool_->layer()))));
    if (tool_->layer().isValid() && !erase_->isChecked()) paint_->setChecked(true);
    showState();
}

void MaskPanel::stopWaiting() {
    awaited_ = -1;
    tool_->await(false);
    showState();
}

void MaskPanel::showState() {
    // Painted strokes are pixels of the mask, which is the picture or a veil over the picture.
    tool_->setMaskShown(tool_->layer().isValid());
    const size_t strokes = brush_.strokes(tool_->layer()).size();
    const size_t done = brush_.shownStrokes(tool_->layer());
    state_->setText(
        !tool_->layer().isValid() && tool_->takesPointer() ? tr("The mask is being made.")
        : !tool_->layer().isValid()
            ? tr("Choose Cut and drag on the sky: a mask is made of the map.")
        : done < strokes
            ? tr("Strokes: %1, %2 of them being painted").arg(strokes).arg(strokes - done)
            : tr("Strokes: %1").arg(strokes));
    showVeil();
    emit activeChanged(isOn());
}

void MaskPanel::showVeil() {
    const Document& document = session_.document();
    if (isVisible() && preview_) return emit veilChanged(preview_, previewIsOfView_);
    const Layer* mask = isVisible() ? document.entry(tool_->layer()) : nullptr;
    const bool isUnder = mask && document.entry(document.view().shown().entry) &&
                         document.view().shown().entry != mask->id;
    emit veilChanged(isUnder ? mask->map : nullptr, false);
}

// A new mask is shown as a veil: the map that it is made for stays in the picture.
void MaskPanel::keepPicture() {
    Document& document = session_.document();
    const Layer* source = document.entry(before_.entry);
    if (source && source->map)
        document.view().glance(before_, document.view().compared(), document.view().comparison());
}

void MaskPanel::showRadius() {
    const QSignalBlocker quiet(size_);
    size_->setValue(static_cast<int>(
        std::lround(100.0 * std::log10(std::max(tool_->radius() / kSliderLeast, 1.0)))));
    sizeText_->setText(QString::fromStdString(formatAngle(tool_->radius())));
}

void MaskPanel::takeRadius() {
    Parameter angle;
    angle.kind = ParameterKind::Angle;
    angle.facts.unit = "deg";
    angle.facts.least = 0.0;
    angle.facts.most = kPi;
    try {
        tool_->setRadius(std::get<double>(angle.parse(sizeText_->text().toStdString())));
    } catch (const Error& error) {
        emit messageRaised(QString::fromStdString(error.message()), true);
    }
    showRadius();
}

// Makes a new mask: from the values of a mask, or from the covered pixels of another map.
void MaskPanel::newMask() {
    const Operation& mask = rows_->operation();
    const Shown shown = session_.document().view().shown();
    const Layer* layer = session_.document().entry(shown.entry);
    OperationRequest request{&mask, mask.defaults(), {}, {}};
    before_ = {};
    if (layer && layer->map && !layer->live) {
        const bool isMask = QString::fromStdString(layer->map->field(0).name)
                                .contains(QLatin1String("mask"), Qt::CaseInsensitive);
        if (isMask)
            request.inputs.push_back({QStringLiteral("with"), layer->id, {}, {}});
        else
            request.inputs.push_back({QStringLiteral("MAP"), layer->id, {shown.field}, {}});
        if (!isMask) before_ = shown;
    } else {
        request.parameters.set("nside", "512");
    }
    awaited_ = session_.operations().runOperation(request);
    tool_->await(awaited_ >= 0);
    showState();
}

}  // namespace armilla
