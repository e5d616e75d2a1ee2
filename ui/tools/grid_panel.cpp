// SPDX-License-Identifier: GPL-3.0-or-later
#include "tools/grid_panel.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QRegularExpression>
#include <QScopedValueRollback>
#include <QSlider>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>
#include <limits>

#include "armilla/core/error.h"
#include "armilla/core/seen_frame.h"
#include "armilla/core/units.h"
#include "armilla/figure/unit_text.h"
#include "armilla/operations/grid_columns.h"
#include "armilla/session/catalog_suggestions.h"
#include "armilla/session/operation_runner.h"
#include "armilla/session/session.h"
#include "armilla/session/shown_text.h"
#include "armilla/session/tool_settings.h"
#include "panels/operation_panel.h"
#include "panels/setting_controls.h"
#include "panels/widget_role.h"
#include "tools/live_part.h"

namespace armilla {
namespace {

constexpr int kBorderPoints = 12;  // on each side

QString degreesText(double radians) {
    return QString::number(radians / kDegree, 'f', 5) + QStringLiteral("deg");
}

QString angleText(double radians) {
    return QString::number(radians / kArcsec, 'g', 6) + QStringLiteral("arcsec");
}

}  // namespace

GridPanel::GridPanel(Session& session, OperationPanel* rows, QWidget* parent)
    : QWidget(parent), session_(session), rows_(rows), live_(new LivePart(session, rows, this)) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(rows_);
    rows_->insertPart(buildPart());
    connect(rows_, &OperationPanel::changed, this, &GridPanel::follow);
    connect(live_, &LivePart::passMade, this, [this](const LivePass& pass) {
        preview_.mesh = pass.mesh;
        preview_.colors = pass.colors;
        preview_.name = tr("preview");
        preview_.unit =
            pass.value.image ? unitText(QString::fromStdString(pass.value.image->unit)) : QString();
        showTarget();
    });
    connect(live_, &LivePart::cleared, this, [this] {
        preview_.mesh = nullptr;
        showTarget();
    });
    connect(&session_.operations(), &OperationRunner::operationFinished, this,
            [this](const QString& operation) {
                if (operation == textOf(rows_->operation().id)) live_->rest();
            });
    follow();
}

QWidget* GridPanel::buildPart() {
    auto* part = new QWidget(this);
    auto* layout = new QVBoxLayout(part);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(6);
    auto* buttons = new QHBoxLayout;
    buttons->setSpacing(6);
    const auto button = [&](const QString& text, const QString& tip) {
        auto* made = new QPushButton(text, part);
        made->setToolTip(tip);
        buttons->addWidget(made);
        return made;
    };
    fit_ = button(tr("Fit samples"), tr("An image around the samples, a kernel as wide as their "
                                        "density asks for, cells of a third of it"));
    view_ = button(tr("From view"), tr("An image of what the sky view shows"));
    go_ = button(tr("Go there"), tr("Turn the sky to the target"));
    buttons->addStretch(1);
    layout->addLayout(buttons);
    size_ = new QLabel(part);
    setRole(size_, "muted");
    size_->setWordWrap(true);
    layout->addWidget(size_);
    auto* row = new QHBoxLayout;
    row->setSpacing(8);
    channelName_ = new QLabel(tr("Channel"), part);
    setRole(channelName_, "muted");
    channel_ = new QSlider(Qt::Horizontal, part);
    channel_->setAccessibleName(tr("Channel of the preview"));
    channel_->setToolTip(tr("The channel that the preview shows; Run makes all"));
    channelText_ = new QLabel(part);
    row->addWidget(channelName_);
    row->addWidget(channel_, 1);
    row->addWidget(channelText_);
    layout->addLayout(row);
    layout->addWidget(live_);
    connect(fit_, &QPushButton::clicked, this, [this] {
        rows_->settings().act(tr("fit samples"), [this] { suggest(true); });
        follow();
    });
    connect(view_, &QPushButton::clicked, this,
            [this] { rows_->settings().act(tr("from view"), [this] { fitToView(); }); });
    connect(go_, &QPushButton::clicked, this, [this] {
        const auto view = target();
        if (!view) return;
        const double side = view->radiansPerPixel * std::max(view->width, view->height);
        emit discRequested(view->skyFromView * Vec3{1.0, 0.0, 0.0},
                           std::min(0.5 * side, 0.95 * kHalfPi), preview_.frame);
    });
    connect(channel_, &QSlider::valueChanged, this, [this](int value) {
        channelText_->setText(tr("%1 of %2").arg(value + 1).arg(channel_->maximum() + 1));
        live_->setChannel(value);
        rows_->noteSettings(channel_->accessibleName(), ToolSettings::Pace::Repeated);
    });
    const std::vector<SettingControl> own{{QStringLiteral("preview channel"), channel_}};
    rows_->addSettings({[own] { return valuesOf(own); },
                        [this, own](const QJsonObject& values) {
                            fitChannels();  // other rows may have other channels
                            setValues(own, values);
                        }});
    noteDrags(channel_, &rows_->settings(), channel_->accessibleName());
    return part;
}

const Catalog* GridPanel::samples() const {
    const Layer* layer = session_.document().entry(rows_->input(QStringLiteral("SAMPLES")));
    return layer ? layer->catalog.get() : nullptr;
}

int GridPanel::channelCount() const {
    const Catalog* catalog = samples();
    if (!catalog) return 1;
    const auto text = [&](const char* parameter) {
        return rows_->text(QLatin1String(parameter)).trimmed().toStdString();
    };
    GridColumnWords named{text("lon"), text("lat"), text("weight"), text("flag"), {}};
    for (const QString& word :
         rows_->text(QStringLiteral("value")).split(QLatin1Char(','), Qt::SkipEmptyParts))
        named.values.push_back(word.trimmed().toStdString());
    if (named.values.empty()) return 1;
    int64_t channels = 0;
    try {
        for (const int column : gridValueColumns(catalog->table, named))
            channels += catalog->table.columns[static_cast<size_t>(column)].width;
    } catch (const InvalidArgument&) {
        return 1;  // an incomplete column name
    }
    return static_cast<int>(std::clamp<int64_t>(channels, 1, std::numeric_limits<int>::max()));
}

// Keeps a row that the user has filled, unless `always` is set.
void GridPanel::put(const QString& parameter, const QString& text, bool always) {
    const QString now = rows_->text(parameter);
    if (!always && !now.isEmpty() && now != suggested_.value(parameter)) return;
    rows_->setText(parameter, text);
    suggested_[parameter] = rows_->text(parameter);
}

// Column names that were chosen for another catalog are removed.
void GridPanel::dropForeignColumns(const Catalog& catalog) {
    const auto& columns = catalog.table.columns;
    for (const QString& parameter :
         {QStringLiteral("lon"), QStringLiteral("lat"), QStringLiteral("value"),
          QStringLiteral("weight"), QStringLiteral("flag")}) {
        const QStringList words =
            rows_->text(parameter).split(QLatin1Char(','), Qt::SkipEmptyParts);
        const bool isForeign = std::any_of(words.begin(), words.end(), [&](const QString& word) {
            const auto pattern =
                QRegularExpression::fromWildcard(word.trimmed(), Qt::CaseInsensitive);
            return std::none_of(columns.begin(), columns.end(), [&](const TableColumn& column) {
                return pattern.match(QString::fromStdString(column.name)).hasMatch();
            });
        });
        if (isForeign) rows_->setText(parameter, {});
    }
}

void GridPanel::suggest(bool always) {
    const Catalog* catalog = samples();
    if (!catalog) return;
    const QScopedValueRollback guard(following_, true);
    dropForeignColumns(*catalog);
    if (const auto column = likelyValueColumn(*catalog))
        put(QStringLiteral("value"), QString::fromStdString(catalog->table.columns[*column].name),
            false);
    const bool isOther = !rows_->text(QStringLiteral("nside")).isEmpty() ||
                         !rows_->text(QStringLiteral("like")).isEmpty() ||
                         rows_->input(QStringLiteral("sightlines")).isValid();
    const auto target = suggestedTarget(*catalog);
    if (target && (always || !isOther)) {
        if (always)
            for (const char* other : {"nside", "like"})
                rows_->setText(QString::fromLatin1(other), {});
        put(QStringLiteral("center"),
            degreesText(target->center.lon) + QLatin1Char(',') + degreesText(target->center.lat),
            always);
        put(QStringLiteral("size"), QStringLiteral("%1x%2").arg(target->width).arg(target->height),
            always);
        put(QStringLiteral("resolution"), angleText(target->resolution), always);
        put(QStringLiteral("kernel-fwhm"), angleText(target->kernelFwhm), always);
    } else if (!target && !isOther) {
        put(QStringLiteral("nside"), QStringLiteral("64"), false);
        put(QStringLiteral("kernel-fwhm"), QStringLiteral("2deg"), false);
    }
}

void GridPanel::fitToView() {
    const Document& document = session_.document();
    const Camera& camera = document.view().camera();
    const Catalog* catalog = samples();
    // The center of the view, in the frame of the target.
    Vec3 middle = camera.orientation * Vec3{1.0, 0.0, 0.0};
    middle = seenRotation(catalog ? catalog->frame() : Frame::Unknown, camera.frame) * middle;
    const LonLat center = lonLat(middle);
    constexpr int kPixels = 512;
    const double scale = camera.geometry(kPixels, kPixels, camera.frame).radiansPerPixel;
    put(QStringLiteral("center"),
        degreesText(center.lon) + QLatin1Char(',') + degreesText(center.lat), true);
    put(QStringLiteral("size"), QStringLiteral("%1x%1").arg(kPixels), true);
    put(QStringLiteral("resolution"),
        angleText(inTwoDigits(std::min(scale, kPi / kPixels) / kArcsec) * kArcsec), true);
}

std::optional<ViewGeometry> GridPanel::target() const {
    const ParameterSet parameters = rows_->request().parameters;
    const ParameterValue center = parameters.value("center"), size = parameters.value("size"),
                         resolution = parameters.value("resolution");
    const auto* at = std::get_if<std::vector<double>>(&center);
    const auto* sides = std::get_if<std::vector<double>>(&size);
    const auto* pixel = std::get_if<double>(&resolution);
    if (!at || !sides || !pixel || at->size() < 2 || sides->size() != 2) return std::nullopt;
    ViewGeometry view;
    view.projection = Projection::Gnomonic;
    for (const ProjectionFacts& facts : kProjectionTable)
        if (rows_->text(QStringLiteral("projection")) == QLatin1String(facts.word))
            view.projection = facts.projection;
    view.width = static_cast<int>(std::clamp((*sides)[0], 1.0, 1e6));
    view.height = static_cast<int>(std::clamp((*sides)[1], 1.0, 1e6));
    view.radiansPerPixel = *pixel;
    Place place{{(*at)[0], (*at)[1]}, Frame::Unknown};
    if (at->size() == 3) place.frame = static_cast<Frame>(std::lround((*at)[2]));
    const ParameterValue stated = parameters.value("frame");
    const auto* word = std::get_if<std::string>(&stated);
    const Frame frame = word ? frameFromText(*word) : Frame::Unknown;
    view.skyFromView =
        skyFromViewRotation(frame == Frame::Unknown ? place.at : place.in(frame), 0.0);
    return view;
}

void GridPanel::showTarget() {
    preview_.border.clear();
    const Catalog* catalog = samples();
    preview_.frame = catalog ? catalog->frame() : Frame::Unknown;
    const ParameterValue named = rows_->request().parameters.value("frame");
    if (const auto* letter = std::get_if<std::string>(&named))
        preview_.frame = frameFromText(*letter);
    const auto view = target();
    if (view) {
        const double w = view->width, h = view->height;
        const std::pair<double, double> corners[] = {{0, 0}, {w, 0}, {w, h}, {0, h}};
        for (int side = 0; side < 4; ++side)
            for (int i = 0; i < kBorderPoints; ++i) {
                const auto [x0, y0] = corners[side];
                const auto [x1, y1] = corners[(side + 1) % 4];
                const double t = static_cast<double>(i) / kBorderPoints;
                Vec3 place;
                if (skyFromImage(*view, x0 + t * (x1 - x0), y0 + t * (y1 - y0), place))
                    preview_.border.push_back(place);
            }
        size_->setText(tr("%1 × %2 cells of %3")
                           .arg(view->width)
                           .arg(view->height)
                           .arg(QString::fromStdString(formatAngle(view->radiansPerPixel))));
    }
    size_->setVisible(view.has_value());
    go_->setEnabled(view.has_value());
    clearMarkers(isVisible() && preview_.mesh ? samples_ : LayerId());
    if (!isVisible() || (preview_.border.empty() && !preview_.mesh))
        emit previewChanged(std::nullopt);
    else
        emit previewChanged(preview_);
}

void GridPanel::clearMarkers(LayerId layer) {
    if (layer == cleared_) return;
    Document& document = session_.document();
    if (document.entry(cleared_)) document.drawings().setMarkerGroups(cleared_, std::nullopt);
    cleared_ = layer;
    if (layer.isValid()) document.drawings().setMarkerGroups(layer, std::vector<MarkerGroup>{});
}

void GridPanel::follow() {
    if (following_) return;
    const LayerId layer = rows_->input(QStringLiteral("SAMPLES"));
    fit_->setEnabled(samples() != nullptr);
    if (layer != samples_) {
        samples_ = layer;
        if (isVisible()) suggest(false);
        if (!isVisible()) samples_ = {};  // suggested when the tool is shown
    }
    fitChannels();
    showTarget();
}

void GridPanel::fitChannels() {
    const int channels = channelCount();
    for (QWidget* widget : std::initializer_list<QWidget*>{channelName_, channel_, channelText_})
        widget->setVisible(channels > 1);
    if (channel_->maximum() != channels - 1) {
        rows_->settings().follow([&] { channel_->setRange(0, channels - 1); });
        channelText_->setText(tr("%1 of %2").arg(channel_->value() + 1).arg(channels));
    }
}

void GridPanel::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    follow();
}

void GridPanel::hideEvent(QHideEvent* event) {
    QWidget::hideEvent(event);
    clearMarkers({});
    emit previewChanged(std::nullopt);
}

}  // namespace armilla
