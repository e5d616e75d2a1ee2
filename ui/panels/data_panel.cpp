// SPDX-License-Identifier: GPL-3.0-or-later
#include "panels/data_panel.h"

#include <QHBoxLayout>
#include <QSignalBlocker>
#include <QStackedWidget>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>

#include "models/layer_looks.h"
#include "panels/catalog_table.h"
#include "panels/small_widgets.h"
#include "plots/curve_plot.h"

namespace armilla {
namespace {

enum Page { TablePage, PlotPage };

bool isCube(const Layer* layer) {
    return layer && layer->image && layer->image->planes.size() > 1;
}

bool carriesData(const Layer* layer) {
    return layer && (layer->catalog || layer->curve || isCube(layer));
}

}  // namespace

DataPanel::DataPanel(Document& document, JobRunner& jobs, QWidget* parent)
    : QWidget(parent),
      document_(document),
      pages_(new QStackedWidget(this)),
      catalog_(new CatalogTable(document, jobs, this)) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(pages_);
    pages_->insertWidget(TablePage, catalog_);
    pages_->insertWidget(PlotPage, buildPlot());
    setMinimumHeight(120);
    connect(&document_, &Document::activeChanged, this, &DataPanel::showLayer);
    connect(&document_, &Document::entriesChanged, this, &DataPanel::showLayer);
    connect(&document_.drawings(), &LayerDrawings::styleChanged, this, &DataPanel::showCurves);
    connect(catalog_, &CatalogTable::rowChosen, this, &DataPanel::rowChosen);
    connect(catalog_, &CatalogTable::centerRequested, this, &DataPanel::centerRequested);
    connect(catalog_, &CatalogTable::keepRequested, this, &DataPanel::keepRequested);
    connect(catalog_, &CatalogTable::commandRequested, this, &DataPanel::commandRequested);
    showLayer();
}

void DataPanel::setOwnTable(QWidget* table) {
    ownTable_ = table;
    pages_->addWidget(table);
}

void DataPanel::setOwnTableLayer(LayerId layer) {
    ownTableLayer_ = layer;
    catalog_->release(layer);
    showLayer();
}

QTableView* DataPanel::table() const {
    return catalog_->view();
}

QWidget* DataPanel::buildPlot() {
    auto* page = new QWidget(this);
    auto* layout = new QVBoxLayout(page);
    layout->setContentsMargins(10, 0, 10, 6);
    layout->setSpacing(3);
    plot_ = new CurvePlot(page);
    layout->addWidget(plot_, 1);
    auto* tools = new QHBoxLayout;
    tools->setSpacing(3);
    logX_ = flatToggle(tr("log x"), tr("Logarithmic horizontal axis"), page);
    logY_ = flatToggle(tr("log y"), tr("Logarithmic vertical axis"), page);
    correlations_ =
        flatToggle(tr("correlations"), tr("How the errors of the points go together"), page);
    pairs_ = flatToggle(tr("pairs"), tr("Numbers of pairs in place of the correlation"), page);
    connect(pairs_, &QToolButton::toggled, this, &DataPanel::showCurves);
    tools->addWidget(pairs_);
    for (QToolButton* button : {logX_, logY_, correlations_}) {
        tools->addWidget(button);
        connect(button, &QToolButton::toggled, this, [this] {
            plot_->setAxes({logX_->isChecked(), logY_->isChecked(), correlations_->isChecked()});
        });
    }
    tools->addStretch(1);
    layout->addLayout(tools);
    return page;
}

bool DataPanel::hasData() const {
    return carriesData(document_.entry(document_.active()));
}

const Layer* DataPanel::cube() const {
    const Layer* layer = document_.entry(document_.active());
    return isCube(layer) ? layer : nullptr;
}

void DataPanel::setCursor(const std::optional<SkyCursor>& cursor) {
    const Layer* layer = cube();
    if (!layer || !cursor || !isVisible()) return;
    if (!lookup_ || lookup_->image() != layer->image) lookup_.emplace(layer->image);
    const auto pixel = lookup_->pixelAt(cursor->direction, cursor->frame);
    if (!pixel || pixel == pixel_) return;
    pixel_ = pixel;
    showSpectrum();
}

// The values of one pixel along the third axis.
void DataPanel::showSpectrum() {
    const Layer* layer = cube();
    if (!layer) return;
    const Image& image = *layer->image;
    auto curve = std::make_shared<Curve>();
    curve->xName = image.axisName.empty() ? tr("plane").toStdString() : image.axisName;
    curve->xUnit = image.axisUnit;
    curve->series.push_back({image.name, image.unit, {}, {}});
    if (!pixel_) pixel_ = ImagePixel{image.width / 2, image.height / 2};
    pixel_->x = std::min(pixel_->x, image.width - 1);
    pixel_->y = std::min(pixel_->y, image.height - 1);
    for (size_t plane = 0; plane < image.planes.size(); ++plane) {
        const double at = image.planes[plane].axisValue;
        // A constant axis is replaced by the plane number.
        curve->x.push_back(image.planes.front().axisValue == image.planes.back().axisValue
                               ? static_cast<double>(plane + 1)
                               : at);
        curve->series[0].values.push_back(
            image.at(pixel_->x, pixel_->y, static_cast<int64_t>(plane)));
    }
    if (curve->x.front() > curve->x.back()) {
        std::reverse(curve->x.begin(), curve->x.end());
        std::reverse(curve->series[0].values.begin(), curve->series[0].values.end());
    }
    plot_->setCurves({{tr("pixel %1, %2").arg(pixel_->x + 1).arg(pixel_->y + 1), curve,
                       toColor(layer->style.marker)}});
    emit statusChanged(tr("%1 · pixel %2, %3 at the cursor")
                           .arg(layer->name)
                           .arg(pixel_->x + 1)
                           .arg(pixel_->y + 1));
}

void DataPanel::showLayer() {
    const Layer* layer = document_.entry(document_.active());
    // A layer without data leaves the last table or plot in place, so that the sky above does not
    // change its size with the choice of a layer.
    if (const Layer* last = document_.entry(layer_); !hasData() && carriesData(last)) return;
    const bool isOther = layer_ != document_.active();
    layer_ = layer ? layer->id : LayerId();
    if (layer && layer->catalog) {
        const bool isOwn = ownTable_ && layer_ == ownTableLayer_;
        catalog_->setLayer(isOwn ? LayerId() : layer_);
        pages_->setCurrentWidget(isOwn ? ownTable_ : catalog_);
    } else if (layer && layer->curve) {
        if (isOther) {
            CurveAxes axes = suitedAxes(*layer->curve);
            const QSignalBlocker quiet[] = {QSignalBlocker(logX_), QSignalBlocker(logY_),
                                            QSignalBlocker(correlations_), QSignalBlocker(pairs_)};
            pairs_->setChecked(false);
            logX_->setChecked(axes.logarithmicX);
            logY_->setChecked(axes.logarithmicY);
            correlations_->setChecked(false);
            plot_->setAxes(axes);
        }
        correlations_->setVisible(!layer->curve->covariance.empty());
        pairs_->setVisible(hasPairs(*layer->curve));
        pages_->setCurrentIndex(PlotPage);
        showCurves();
    } else if (cube()) {
        if (isOther) {
            pixel_.reset();
            const QSignalBlocker quiet[] = {QSignalBlocker(logX_), QSignalBlocker(logY_),
                                            QSignalBlocker(correlations_)};
            for (QToolButton* button : {logX_, logY_, correlations_}) button->setChecked(false);
            plot_->setAxes({});
        }
        correlations_->hide();
        pairs_->hide();
        pages_->setCurrentIndex(PlotPage);
        showSpectrum();
        if (isOther) emit layerChanged(true);
        return;
    } else {
        catalog_->setLayer({});
        plot_->setCurves({});
    }
    emit statusChanged(hasData() ? layer->name : QString());
    if (isOther) emit layerChanged(hasData());
}

// Shows the active curve and all visible curves with the same abscissa.
void DataPanel::showCurves() {
    const Layer* active = document_.entry(layer_);
    if (!active || !active->curve) return;
    const auto shownPart = [&](const std::shared_ptr<const Curve>& curve) {
        if (!hasPairs(*curve)) return curve;
        return pairs_->isChecked() ? otherColumns(*curve) : firstColumn(*curve);
    };
    std::vector<PlottedCurve> curves{
        {active->name, shownPart(active->curve), toColor(active->style.marker)}};
    for (const Layer& layer : document_.entries())
        if (layer.curve && layer.id != active->id && layer.style.visible &&
            layer.curve->xName == active->curve->xName &&
            layer.curve->xUnit == active->curve->xUnit)
            curves.push_back({layer.name, shownPart(layer.curve), toColor(layer.style.marker)});
    plot_->setCurves(std::move(curves));
}

}  // namespace armilla
