// SPDX-License-Identifier: GPL-3.0-or-later
#include "tools/regions_panel.h"

#include <QClipboard>
#include <QComboBox>
#include <QGridLayout>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QScopedValueRollback>
#include <QScrollBar>
#include <QSignalBlocker>
#include <QTableView>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>

#include "armilla/core/error.h"
#include "armilla/core/units.h"
#include "armilla/figure/unit_text.h"
#include "armilla/operations/known_operations.h"
#include "armilla/session/exporter.h"
#include "armilla/session/operation_runner.h"
#include "armilla/session/region_book.h"
#include "armilla/session/region_shape.h"
#include "armilla/session/session.h"
#include "armilla/session/shown_text.h"
#include "armilla/ui/icons.h"
#include "armilla/ui/theme.h"
#include "models/region_model.h"
#include "panels/operation_panel.h"
#include "panels/small_widgets.h"
#include "panels/tool_footer.h"
#include "panels/widget_role.h"
#include "plots/curve_plot.h"
#include "tools/region_measures.h"
#include "tools/region_tool.h"

namespace armilla {
namespace {

constexpr int kBins = 48;
constexpr int kRings = 40;
constexpr int kMostRows = 6, kPlotHeight = 116;
constexpr int kNameWidth = 92, kFigureWidth = 74;

struct ShapeButton {
    std::optional<RegionShape> shape;
    const char *text, *tip;
};

QString number(double value) {
    return std::isfinite(value)
               ? QString::number(value, 'g', 5).replace(QLatin1Char('-'), QChar(0x2212))
               : QStringLiteral("–");
}

// "5.424 ± 0.030": two digits of the error, and as many decimals of the value, if no power of ten
// is needed.
QString withError(double value, double error) {
    constexpr int kMostDecimals = 6;
    const int decimals = error > 0.0 && std::isfinite(error)
                             ? 1 - static_cast<int>(std::floor(std::log10(error)))
                             : -1;
    if (!std::isfinite(value) || decimals < 0 || decimals > kMostDecimals)
        return QStringLiteral("%1 ± %2").arg(number(value), number(error));
    return QStringLiteral("%1 ± %2")
        .arg(value, 0, 'f', decimals)
        .arg(error, 0, 'f', decimals)
        .replace(QLatin1Char('-'), QChar(0x2212));
}

// In the form of a parameter: without names, which are comments to the end of a line.
std::string inOneLine(std::vector<NamedRegion> regions) {
    for (NamedRegion& each : regions) each.text.clear();
    std::string text = regionText(regions, {});
    text.erase(0, text.find('\n') + 1);
    if (!text.empty()) text.pop_back();
    std::replace(text.begin(), text.end(), '\n', ';');
    return text;
}

QString textOf(const Region& region) {
    const NamedRegion named{region, {}};
    try {
        const QString all = QString::fromStdString(regionText(std::vector{named}, {}));
        return all.section(QLatin1Char('\n'), 2, 2);
    } catch (const Error&) {
        return {};
    }
}

}  // namespace

// Result of a job: statistics, histogram and rings of a region.
struct RegionsPanel::Measured {
    int region = -1;
    PartStatistics figures;
    double area = 0.0;  // square degrees
    QString unit;
    std::shared_ptr<const Curve> histogram, profile;
};

RegionsPanel::RegionsPanel(Session& session, OperationPanel* statistics, QWidget* parent)
    : QWidget(parent),
      session_(session),
      book_(session.regions()),
      measures_(new RegionMeasures(session, this)),
      model_(new RegionModel(session.regions(), *measures_, this)),
      tool_(new RegionTool(session.regions(), this)),
      statistics_(statistics) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(4);
    auto* part = new QWidget(this);
    buildTools(part);
    layout->addWidget(part);
    fold_ = foldButton(tr("Statistics by file, with profiles"), QString(), this);
    fold_->setWhatsThis(tr("Statistics of all regions of a file, or with profiles, as a table."));
    layout->addWidget(fold_);
    layout->addWidget(statistics_);
    layout->addStretch(1);
    for (QWidget* each :
         {static_cast<QWidget*>(statistics_), static_cast<QWidget*>(&statistics_->footer())}) {
        connect(fold_, &QToolButton::toggled, each, &QWidget::setVisible);
        each->hide();
    }
    connect(&book_, &RegionBook::changed, this, &RegionsPanel::fillList);
    connect(&book_, &RegionBook::currentChanged, this, &RegionsPanel::fillList);
    connect(measures_, &RegionMeasures::changed, this, [this] {
        fitList();
        if (measures_->problem().isEmpty()) return;
        setRole(text_, "error");
        text_->setText(measures_->problem());
    });
    Document& document = session_.document();
    connect(&document.view(), &DocumentView::shownChanged, this, &RegionsPanel::measure);
    connect(&document, &Document::entriesChanged, this, &RegionsPanel::measure);
    connect(tool_, &RegionTool::shapeChanged, this, [this] {
        for (QToolButton* button : shapes_) {
            const QVariant of = button->property("shape");
            const QSignalBlocker quiet(button);
            button->setChecked(tool_->shapeToDraw()
                                   ? of.toInt() == static_cast<int>(*tool_->shapeToDraw())
                                   : of.toInt() < 0);
        }
    });
    fillList();
}

RegionsPanel::~RegionsPanel() = default;

void RegionsPanel::buildTools(QWidget* part) {
    auto* layout = new QVBoxLayout(part);
    layout->setContentsMargins(12, 2, 12, 4);
    layout->setSpacing(7);
    layout->addLayout(buildShapes(part));
    buildList(part);
    layout->addWidget(list_);
    layout->addLayout(buildNumbers(part));
    text_ = new QLabel(part);
    text_->setWordWrap(true);
    text_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    layout->addWidget(text_);
    for (CurvePlot** plot : {&histogram_, &profile_}) {
        *plot = new CurvePlot(part);
        (*plot)->setFixedHeight(kPlotHeight);
        layout->addWidget(*plot);
    }
    histogram_->setAccessibleName(tr("Histogram of the values in the region"));
    profile_->setAccessibleName(tr("Mean in rings around the center of the region"));
    auto* acts = new QHBoxLayout;
    auto* more = new QToolButton(part);
    more->setText(tr("Regions"));
    more->setWhatsThis(
        tr("Read and write regions as DS9 does, keep their statistics, and make masks of them."));
    more->setPopupMode(QToolButton::InstantPopup);
    buildMenu(more);
    acts->addWidget(more, 0, Qt::AlignLeft);
    layout->addLayout(acts);
}

QLayout* RegionsPanel::buildShapes(QWidget* part) {
    const ShapeButton all[] = {
        {{},
         QT_TR_NOOP("Move"),
         QT_TR_NOOP("Choose, move and reshape; Ctrl and drag turns the sky")},
        {RegionShape::Circle, QT_TR_NOOP("Disc"), QT_TR_NOOP("Drag from the center")},
        {RegionShape::Annulus, QT_TR_NOOP("Ring"), QT_TR_NOOP("Drag from the center outwards")},
        {RegionShape::Ellipse, QT_TR_NOOP("Ellipse"),
         QT_TR_NOOP("Drag from the center along the major axis")},
        {RegionShape::Box, QT_TR_NOOP("Box"), QT_TR_NOOP("Drag from the center to a corner")},
        {RegionShape::Polygon, QT_TR_NOOP("Polygon"),
         QT_TR_NOOP("A corner a click; a double click or Return ends it, Backspace takes one "
                    "back, Escape lets go")}};
    // Two rows, because the sky needs the width more.
    constexpr int kAcross = 3;
    auto* bar = new QGridLayout;
    bar->setSpacing(3);
    for (const ShapeButton& one : all) {
        auto* button = new QToolButton(part);
        button->setText(tr(one.text));
        button->setToolTip(tr(one.tip));
        button->setCheckable(true);
        button->setChecked(!one.shape);
        button->setAutoExclusive(true);
        button->setFocusPolicy(Qt::TabFocus);
        button->setProperty("shape", one.shape ? static_cast<int>(*one.shape) : -1);
        button->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
        connect(button, &QToolButton::clicked, this,
                [this, shape = one.shape] { tool_->setShape(shape); });
        const auto place = static_cast<int>(shapes_.size());
        bar->addWidget(button, place / kAcross, place % kAcross);
        shapes_.push_back(button);
    }
    return bar;
}

QLayout* RegionsPanel::buildNumbers(QWidget* part) {
    auto* line = new QHBoxLayout;
    line->setSpacing(4);
    frame_ = new QComboBox(part);
    frame_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    frame_->setMinimumContentsLength(6);
    frame_->setAccessibleName(tr("Frame of the numbers"));
    frame_->setWhatsThis(tr("The frame in which the position of the region is written here."));
    for (const Frame frame : {Frame::Galactic, Frame::Equatorial, Frame::Ecliptic})
        frame_->addItem(shownText(frameName(frame)), static_cast<int>(frame));
    connect(frame_, &QComboBox::activated, this, &RegionsPanel::takeFrame);
    numbers_ = new QLineEdit(part);
    numbers_->setAccessibleName(tr("The region in numbers"));
    numbers_->setPlaceholderText(QStringLiteral("circle(120.5, 30, 2d)"));
    numbers_->setToolTip(
        tr("As DS9 writes it: circle(lon,lat,r), annulus(lon,lat,r1,r2), ellipse or "
           "box(lon,lat,a,b,angle), polygon(lon,lat,...); sizes with d, ' or \"; Return takes "
           "it, and adds one where none is chosen"));
    connect(numbers_, &QLineEdit::returnPressed, this, &RegionsPanel::takeNumbers);
    line->addWidget(numbers_, 1);
    line->addWidget(frame_);
    return line;
}

// The names can be edited; the other columns follow the shown map.
void RegionsPanel::buildList(QWidget* part) {
    list_ = new QTableView(part);
    list_->setModel(model_);
    showAsRows(*list_);
    list_->verticalHeader()->hide();
    list_->setAccessibleName(tr("Regions and their statistics"));
    list_->setEditTriggers(QAbstractItemView::EditKeyPressed | QAbstractItemView::DoubleClicked);
    list_->setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    list_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
    list_->horizontalHeader()->setDefaultSectionSize(kFigureWidth);
    list_->setColumnWidth(0, kNameWidth);
    connect(list_->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            [this](const QModelIndex& index) {
                if (isFilling_ || !index.isValid() ||
                    index.row() >= static_cast<int>(book_.all().size()))
                    return;
                const DrawnRegion chosen = book_.all()[static_cast<size_t>(index.row())];
                if (chosen.id == book_.current()) return;
                book_.setCurrent(chosen.id);
                const auto handles = handlesOf(chosen.region);
                if (!handles.empty()) emit placeChosen(handles.front(), chosen.region.frame);
            });
}

void RegionsPanel::buildMenu(QToolButton* more) {
    auto* menu = new QMenu(more);
    const auto add = [&](const QString& text, auto act) {
        connect(menu->addAction(text), &QAction::triggered, this, act);
    };
    add(tr("&Read DS9 regions…"), [this] { emit importRequested(); });
    add(tr("&Write DS9 regions…"), [this] { emit exportRequested(false); });
    add(tr("Write &coverage (MOC)…"), [this] { emit exportRequested(true); });
    menu->addSeparator();
    add(tr("Copy the table as &text"), [this] {
        if (!hasTable()) return;
        QGuiApplication::clipboard()->setText(tableText());
        emit messageRaised(tr("Copied the statistics of all regions"), false);
    });
    add(tr("Copy the table as co&mmand"), [this] {
        if (const auto request = statisticsRequest())
            emit commandRequested(
                session_.exporter().commandForOperation(*request, QStringLiteral("regions.fits")));
    });
    add(tr("Keep the table as a &layer"), [this] {
        if (const auto request = statisticsRequest()) session_.operations().runOperation(*request);
    });
    menu->addSeparator();
    add(tr("Mask that &cuts them"), [this] { makeMask(false); });
    add(tr("Mask that &keeps them alone"), [this] { makeMask(true); });
    menu->addSeparator();
    add(tr("The chosen one &excludes, or no longer"), [this] {
        if (const DrawnRegion* current = book_.find(book_.current())) {
            Region region = current->region;
            region.exclude = !region.exclude;
            book_.endGesture();
            book_.change(current->id, region);
        }
    });
    add(tr("&Delete the chosen one"), [this] { book_.remove(book_.current()); });
    add(tr("Delete &all"), [this] { book_.removeAll(); });
    more->setMenu(menu);
}

void RegionsPanel::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    emit activeChanged(true);
    measures_->setOn(true);
    measure();
}

void RegionsPanel::hideEvent(QHideEvent* event) {
    QWidget::hideEvent(event);
    measures_->setOn(false);
    emit activeChanged(false);
}

void RegionsPanel::fillList() {
    {
        const QScopedValueRollback guard(isFilling_, true);
        int row = -1;
        for (size_t i = 0; i < book_.all().size(); ++i)
            if (book_.all()[i].id == book_.current()) row = static_cast<int>(i);
        if (row != list_->currentIndex().row()) list_->setCurrentIndex(model_->index(row, 0));
    }
    fitList();
    showNumbers();
    emit statusChanged(book_.all().empty() ? QString() : QString::number(book_.all().size()));
    measure();
}

// The heading takes two lines when the units are known.
void RegionsPanel::fitList() {
    const int rows = std::min(kMostRows, static_cast<int>(book_.all().size()));
    list_->setFixedHeight(list_->horizontalHeader()->sizeHint().height() +
                          rows * list_->verticalHeader()->defaultSectionSize() +
                          list_->horizontalScrollBar()->sizeHint().height());
    list_->setVisible(rows > 0);
}

void RegionsPanel::showNumbers() {
    const DrawnRegion* current = book_.find(book_.current());
    if (current) {
        numbers_->setText(textOf(current->region));
        numbers_->setCursorPosition(0);
        frame_->setCurrentIndex(
            std::max(0, frame_->findData(static_cast<int>(current->region.frame))));
    } else if (!numbers_->hasFocus()) {
        numbers_->clear();
        const Frame frame = session_.document().view().camera().frame;
        frame_->setCurrentIndex(std::max(0, frame_->findData(static_cast<int>(frame))));
    }
}

void RegionsPanel::takeNumbers() {
    const auto frame = static_cast<Frame>(frame_->currentData().toInt());
    try {
        const auto regions = parseNamedRegions(numbers_->text().toStdString(), frame);
        if (regions.empty())
            return emit messageRaised(
                tr("expected a region such as circle(120.5,30,2d), found '%1'")
                    .arg(numbers_->text()),
                true);
        book_.endGesture();
        if (const DrawnRegion* current = book_.find(book_.current());
            current && regions.size() == 1) {
            Region region = regions.front().region;
            region.exclude = current->region.exclude;
            book_.change(current->id, region);
        } else {
            book_.add(regions);
        }
    } catch (const Error& error) {
        emit messageRaised(QString::fromStdString(error.message()), true);
    }
}

void RegionsPanel::takeFrame() {
    const DrawnRegion* current = book_.find(book_.current());
    if (!current) return;
    book_.endGesture();
    book_.change(current->id,
                 inFrame(current->region, static_cast<Frame>(frame_->currentData().toInt())));
}

QString RegionsPanel::tableText() const {
    const auto& table = measures_->table();
    if (!table) return {};
    QStringList lines, cells;
    for (const TableColumn& column : table->columns) {
        QString title = QString::fromStdString(column.name);
        if (!column.unit.empty()) title += QStringLiteral(" (%1)").arg(column.unit.c_str());
        cells << title;
    }
    lines << cells.join(QLatin1Char('\t'));
    for (int64_t row = 0; row < table->rows(); ++row) {
        cells.clear();
        for (const TableColumn& column : table->columns)
            cells << QString::fromStdString(column.text(row));
        lines << cells.join(QLatin1Char('\t'));
    }
    return lines.join(QLatin1Char('\n'));
}

// Tells if there is none.
bool RegionsPanel::hasTable() {
    if (measures_->table()) return true;
    emit messageRaised(tr("expected a region and a map for the table, found none"), true);
    return false;
}

std::optional<OperationRequest> RegionsPanel::statisticsRequest() {
    const Operation& stats = operations::stats();
    const Shown shown = session_.document().view().shown();
    if (!hasTable()) return std::nullopt;
    try {
        OperationRequest request{&stats, stats.defaults(), {}, {}};
        request.parameters.set("region", inOneLine(book_.named()));
        request.inputs.push_back({QStringLiteral("MAP"), shown.entry, {shown.field}, {}});
        return request;
    } catch (const Error& error) {
        emit messageRaised(QString::fromStdString(error.message()), true);
        return std::nullopt;
    }
}

void RegionsPanel::makeMask(bool inside) {
    const Operation& mask = operations::mask();
    const Shown shown = session_.document().view().shown();
    const Layer* layer = session_.document().entry(shown.entry);
    if (book_.all().empty())
        return emit messageRaised(tr("expected a region to make a mask of, found none"), true);
    try {
        OperationRequest request{&mask, mask.defaults(), {}, {}};
        request.parameters.set("region", inOneLine(book_.named()));
        request.parameters.set("inside", inside ? "keep" : "cut");
        if (layer && layer->map) {
            request.parameters.set("nside", std::to_string(layer->map->nside()));
            request.parameters.set("ordering",
                                   layer->map->ordering() == Ordering::Ring ? "ring" : "nested");
            if (layer->map->frame() != Frame::Unknown)
                request.parameters.set("frame", std::string(1, frameLetter(layer->map->frame())));
        } else {
            request.parameters.set("nside", "512");
        }
        session_.operations().runOperation(request);
    } catch (const Error& error) {
        emit messageRaised(QString::fromStdString(error.message()), true);
    }
}

// One at a time: during a drag, the latest region follows when the previous one is finished.
void RegionsPanel::measure() {
    if (!isVisible()) return;
    if (runs_) {
        isStale_ = true;
        return;
    }
    const DrawnRegion* current = book_.find(book_.current());
    const Shown shown = session_.document().view().shown();
    const Layer* layer = session_.document().entry(shown.entry);
    if (!current || !layer || !layer->map || layer->map->coverage() == Coverage::MultiOrder) {
        text_->setText(book_.all().empty() ? tr("Choose a shape and draw it on the sky.")
                                           : tr("Choose a region in the list or on the sky."));
        setRole(text_, "muted");
        histogram_->hide();
        profile_->hide();
        figures_ = {};
        return;
    }
    SkyPart part;
    part.region = current->region;
    bool isBehind = false;
    for (const DrawnRegion& each : book_.all()) {
        if (each.id == current->id)
            isBehind = true;
        else if (isBehind && each.region.exclude)
            part.without.push_back(each.region);
    }
    runs_ = true;
    isStale_ = false;
    const auto end = [this] {
        runs_ = false;
        if (isStale_) measure();
    };
    session_.jobs().run<std::shared_ptr<Measured>>(
        tr("Statistics of %1").arg(current->name), JobLane::Preview,
        QStringLiteral("region-statistics"), this,
        [map = layer->map, field = shown.field, part, id = current->id](JobContext& job) {
            auto made = std::make_shared<Measured>();
            made->region = id;
            const PartValues values = partValues(*map, field, part, job);
            made->figures = partStatistics(*map, values);
            made->area = 4.0 * kPi / (kDegree * kDegree) *
                         static_cast<double>(made->figures.pixels) /
                         static_cast<double>(map->pixelCount());
            const std::string unit = map->field(field).unit;
            made->unit = unitText(QString::fromStdString(unit));
            if (values.values.empty()) return made;
            double low = made->figures.least, high = made->figures.largest;
            if (!(high > low)) high = low + 1.0;
            const std::string name = "N";
            made->histogram = std::make_shared<const Curve>(
                partHistogram(std::span(&values, 1), std::span(&name, 1), low, high, kBins, unit));
            const RegionTest test(*part.region, map->frame());
            const double pixel = std::sqrt(4.0 * kPi / static_cast<double>(map->pixelCount()));
            ProfileParameters rings;
            rings.step = std::max(pixel, test.radius() / kRings);
            rings.reach = std::max(test.radius(), rings.step);
            Curve profile = radialProfile(*map, values, test.center(), rings, unit);
            // Only the mean with its error; the other series are for files.
            if (profile.series.size() > 1) profile.series.resize(1);
            made->profile = std::make_shared<const Curve>(std::move(profile));
            return made;
        },
        [this, end](const std::shared_ptr<Measured>& made) {
            showMeasured(*made);
            end();
        },
        [this, end](const QString& line) {
            setRole(text_, "error");
            text_->setText(line);
            end();
        });
}

void RegionsPanel::showMeasured(const Measured& measured) {
    figures_ = measured.figures;
    const PartStatistics& f = measured.figures;
    const QString unit = measured.unit.isEmpty() ? QString() : QStringLiteral(" ") + measured.unit;
    setRole(text_, "");
    text_->setText(
        tr("%1 pixels, %2 good · %3 deg²\nmean %4%5 · median %6\ndeviation %7 · %8 to %9")
            .arg(groupedDigits(f.pixels))
            .arg(groupedDigits(f.good))
            .arg(number(measured.area),
                 withError(f.mean, f.standardDeviation / std::sqrt(std::max<double>(
                                                             1.0, static_cast<double>(f.good)))),
                 unit, number(f.median), number(f.standardDeviation), number(f.least),
                 number(f.largest)));
    const Theme& theme = Theme::of(this);
    histogram_->setVisible(measured.histogram != nullptr);
    profile_->setVisible(measured.profile != nullptr);
    if (measured.histogram)
        histogram_->setCurves({{tr("pixels"), measured.histogram, theme.first}});
    if (measured.profile) profile_->setCurves({{tr("mean"), measured.profile, theme.second}});
}

}  // namespace armilla
