// SPDX-License-Identifier: GPL-3.0-or-later
// The pages of settings of the composer.
#include <QCheckBox>
#include <QComboBox>
#include <QFontDatabase>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QJsonArray>
#include <QJsonObject>
#include <QLineEdit>
#include <QListWidget>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QTabWidget>
#include <QUndoStack>
#include <QVBoxLayout>
#include <algorithm>

#include "armilla/core/units.h"
#include "armilla/figure/unit_text.h"
#include "armilla/session/document.h"
#include "armilla/session/tool_settings.h"
#include "dialogs/figure_composer.h"
#include "dialogs/number_box.h"
#include "panels/setting_controls.h"

namespace armilla {

namespace {

constexpr double kPageWidth = 180.0;  // millimeters, of most journals
enum ItemRole { LayerRole = Qt::UserRole, FieldRole };

QFormLayout* formOn(QTabWidget* tabs, const QString& title) {
    auto* page = new QWidget;
    auto* form = new QFormLayout(page);
    form->setContentsMargins(0, 12, 0, 0);
    form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    tabs->addTab(page, title);
    return form;
}

QLineEdit* textBox(const QString& placeholder, const QString& tip = {}) {
    auto* box = new QLineEdit;
    box->setPlaceholderText(placeholder);
    box->setToolTip(tip);
    return box;
}

PanelSetup panelOf(const QListWidgetItem& item) {
    return {item.data(LayerRole).value<LayerId>(), item.data(FieldRole).toInt()};
}

}  // namespace

QWidget* FigureComposer::buildForm() {
    auto* box = new QWidget;
    auto* column = new QVBoxLayout(box);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(buildPresets());
    auto* tabs = new QTabWidget(box);
    tabs->setDocumentMode(true);
    column->addWidget(tabs, 1);
    buildPage(formOn(tabs, tr("Page")));
    buildLabels(formOn(tabs, tr("Labels")));
    buildSky(formOn(tabs, tr("Sky")));
    buildPanels(formOn(tabs, tr("Panels")));
    for (QDoubleSpinBox* number : {width_, height_, dpi_, text_, insetWidth_})
        connect(number, &QDoubleSpinBox::valueChanged, this, &FigureComposer::refresh);
    for (QComboBox* choice : {bar_, background_, font_, graticule_, markers_, corner_})
        connect(choice, &QComboBox::currentIndexChanged, this, &FigureComposer::refresh);
    for (QCheckBox* choice : {fits_, crop_})
        connect(choice, &QCheckBox::toggled, this, &FigureComposer::refresh);
    for (QLineEdit* text :
         {title_, label_, unit_, ticks_, contours_, legend_, inset_, panelTitles_})
        connect(text, &QLineEdit::textChanged, this, &FigureComposer::refresh);
    connect(columns_, &QSpinBox::valueChanged, this, &FigureComposer::refresh);
    connect(panels_, &QListWidget::itemChanged, this, &FigureComposer::refresh);
    connect(panels_->model(), &QAbstractItemModel::rowsMoved, this, &FigureComposer::refresh);
    return box;
}

void FigureComposer::buildPage(QFormLayout* form) {
    size_ = new QComboBox;
    size_->addItem(tr("Column, 88 mm"), kFigureColumn);
    size_->addItem(tr("Page, 180 mm"), kPageWidth);
    size_->addItem(tr("Free"));
    width_ = new NumberBox(10.0, 2000.0, kFigureColumn, tr(" mm"));
    height_ = new NumberBox(10.0, 2000.0, 60.0, tr(" mm"));
    fits_ = new QCheckBox(tr("as tall as the content"));
    crop_ = new QCheckBox(tr("narrow margins"));
    fits_->setChecked(true);
    crop_->setChecked(true);
    fits_->setToolTip(tr("The height follows from the sky, the color bar and the labels"));
    crop_->setToolTip(tr("The edges of the page are the edges of the content"));
    dpi_ = new NumberBox(10.0, 2400.0, 300.0, tr(" dpi"));
    background_ = new QComboBox;
    background_->addItem(tr("white"), static_cast<int>(FigureBackground::Light));
    background_->addItem(tr("transparent"), static_cast<int>(FigureBackground::Transparent));
    background_->addItem(tr("dark"), static_cast<int>(FigureBackground::Dark));
    font_ = new QComboBox;
    font_->addItem(tr("automatic"), QString());
    for (const QString& family : QFontDatabase::families()) font_->addItem(family, family);
    font_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    text_ = new NumberBox(3.0, 72.0, 7.0, tr(" pt"));
    size_->setToolTip(tr("Widths of a column and a page of most journals"));
    width_->setToolTip(tr("Width of the figure on paper"));
    height_->setToolTip(tr("Height of the figure on paper"));
    dpi_->setToolTip(tr("Pixels per inch of the sky; labels are vectors in PDF and SVG"));
    background_->setToolTip(tr("Color around the sky; the labels contrast with it"));
    font_->setToolTip(tr("Font of all labels"));
    text_->setToolTip(tr("Size of the labels on paper; 1 pt is 0.353 mm"));
    form->addRow(tr("&Size"), size_);
    form->addRow(tr("&Width"), width_);
    form->addRow(tr("&Height"), height_);
    form->addRow(QString(), fits_);
    form->addRow(QString(), crop_);
    form->addRow(tr("&Resolution"), dpi_);
    form->addRow(tr("Back&ground"), background_);
    form->addRow(tr("&Font"), font_);
    form->addRow(tr("T&ext"), text_);
    connect(size_, &QComboBox::activated, this, [this] {
        if (size_->currentData().isValid()) width_->setValue(size_->currentData().toDouble());
        refresh();
    });
    connect(width_, &QDoubleSpinBox::valueChanged, this, [this](double width) {
        const int known = size_->findData(width);
        size_->setCurrentIndex(known < 0 ? size_->count() - 1 : known);
    });
}

void FigureComposer::buildLabels(QFormLayout* form) {
    title_ = textBox(tr("none"), tr("Text above the sky"));
    label_ = textBox(tr("name of the field"), tr("Text of the color bar, before the unit"));
    unit_ = textBox(tr("unit of the field"), tr("Unit at the color bar; the values stay"));
    ticks_ = textBox(tr("round values"), tr("Values labeled at the color bar, between commas"));
    bar_ = new QComboBox;
    bar_->addItem(tr("below the sky"), static_cast<int>(BarPlace::Below));
    bar_->addItem(tr("right of the sky"), static_cast<int>(BarPlace::Right));
    bar_->addItem(tr("none"), static_cast<int>(BarPlace::None));
    bar_->setToolTip(tr("Place of the color bar"));
    form->addRow(tr("&Title"), title_);
    form->addRow(tr("&Label"), label_);
    form->addRow(tr("&Unit"), unit_);
    form->addRow(tr("Tic&ks"), ticks_);
    form->addRow(tr("Color &bar"), bar_);
}

void FigureComposer::buildSky(QFormLayout* form) {
    graticule_ = new QComboBox;
    graticule_->addItem(tr("as in the view"));
    graticule_->addItem(tr("none"), 0.0);
    for (const double degrees : {1.0, 2.0, 5.0, 10.0, 15.0, 20.0, 30.0, 45.0, 60.0, 90.0})
        graticule_->addItem(QString::fromStdString(formatAngle(degrees * kDegree)),
                            degrees * kDegree);
    graticule_->setToolTip(tr("Distance of the meridians and parallels"));
    contours_ = textBox(tr("none; levels as 0.5, 2 or 50 %, 90 %"),
                        tr("Values of the field, or shares of a probability map in percent, "
                           "between commas"));
    markers_ = new QComboBox;
    markers_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    markers_->setToolTip(tr("An open catalog whose positions are marked"));
    legend_ = textBox(tr("none"), tr("Name of the markers in a corner of the sky"));
    inset_ = textBox(tr("none; center as 209.0, −19.4"),
                     tr("Center of an enlarged view, in the frame of the sky, degrees or hours"));
    insetWidth_ = new NumberBox(0.1, 90.0, 10.0, tr("°"));
    insetWidth_->setAccessibleName(tr("Width of the inset"));
    insetWidth_->setToolTip(tr("Width of the enlarged view on the sky"));
    corner_ = new QComboBox;
    corner_->addItem(tr("top right"), static_cast<int>(FigureCorner::TopRight));
    corner_->addItem(tr("top left"), static_cast<int>(FigureCorner::TopLeft));
    corner_->addItem(tr("bottom right"), static_cast<int>(FigureCorner::BottomRight));
    corner_->addItem(tr("bottom left"), static_cast<int>(FigureCorner::BottomLeft));
    corner_->setAccessibleName(tr("Corner of the inset"));
    corner_->setToolTip(tr("Corner of the figure that the enlarged view covers"));
    auto* insetRow = new QHBoxLayout;
    insetRow->addWidget(insetWidth_);
    insetRow->addWidget(corner_, 1);
    form->addRow(tr("&Graticule"), graticule_);
    form->addRow(tr("&Contours"), contours_);
    form->addRow(tr("&Markers"), markers_);
    form->addRow(tr("&Legend"), legend_);
    form->addRow(tr("&Inset"), inset_);
    form->addRow(QString(), insetRow);
    // A legend that nobody has typed follows the chosen catalog.
    connect(markers_, &QComboBox::activated, this, [this] {
        const Layer* marked = document_.entry(markers_->currentData().value<LayerId>());
        if (!legend_->text().isEmpty() && legend_->text() != suggestedLegend_) return;
        suggestedLegend_ = marked ? marked->name.section(QLatin1Char('.'), 0, 0) : QString();
        legend_->setText(suggestedLegend_);
    });
}

void FigureComposer::buildPanels(QFormLayout* form) {
    panels_ = new QListWidget;
    panels_->setAccessibleName(tr("Panels"));
    panels_->setTextElideMode(Qt::ElideMiddle);
    panels_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    panels_->setDragDropMode(QAbstractItemView::InternalMove);
    panels_->setToolTip(
        tr("Maps beside the shown one, in its view and colors; drag to order them"));
    panelTitles_ = textBox(tr("none; between commas"),
                           tr("Titles of the shown map and of the panels, between commas"));
    columns_ = new QSpinBox;
    columns_->setRange(0, 100);
    columns_->setSpecialValueText(tr("automatic"));
    columns_->setKeyboardTracking(false);
    columns_->setToolTip(tr("Panels in a row; automatic makes the panels as large as possible"));
    form->addRow(panels_);
    form->addRow(tr("&Titles"), panelTitles_);
    form->addRow(tr("&Columns"), columns_);
}

void FigureComposer::followLayers() {
    settings_->follow([this] { offerLayers(); });
}

// Offers the open catalogs as markers and the fields of open maps as panels. Choices stay.
void FigureComposer::offerLayers() {
    const Shown shown = document_.view().shown();
    const Layer* first = document_.entry(shown.entry);
    const QSignalBlocker quietMarkers(markers_), quietPanels(panels_);
    const QVariant marked = markers_->currentData();
    markers_->clear();
    markers_->addItem(tr("none"), QVariant::fromValue(LayerId()));
    struct Offer {
        PanelSetup panel;
        QString name, unit;
    };
    std::vector<Offer> offers;
    for (const Layer& layer : document_.entries()) {
        if (layer.catalog) markers_->addItem(layer.name, QVariant::fromValue(layer.id));
        if (!layer.map || layer.live) continue;
        for (int field = 0; field < layer.map->fieldCount(); ++field) {
            const Field& each = layer.map->field(field);
            if (layer.id == shown.entry && field == shown.field) continue;
            QString name = layer.name;
            if (layer.map->fieldCount() > 1)
                name = tr("%1 of %2").arg(nameText(QString::fromStdString(each.name)), name);
            offers.push_back({{layer.id, field}, name, QString::fromStdString(each.unit)});
        }
    }
    markers_->setCurrentIndex(std::max(0, markers_->findData(marked)));
    // Listed ones stay in their order, which the person may have chosen.
    std::vector<PanelSetup> order, checked = checkedPanels();
    for (int row = 0; row < panels_->count(); ++row) order.push_back(panelOf(*panels_->item(row)));
    const auto placeOf = [&](const Offer& offer) {
        return std::find(order.begin(), order.end(), offer.panel) - order.begin();
    };
    std::stable_sort(offers.begin(), offers.end(),
                     [&](const Offer& a, const Offer& b) { return placeOf(a) < placeOf(b); });
    const QString unit = first && first->map
                             ? QString::fromStdString(first->map->field(shown.field).unit)
                             : QString();
    panels_->clear();
    for (const Offer& offer : offers) {
        auto* item = new QListWidgetItem(offer.name, panels_);
        item->setData(LayerRole, QVariant::fromValue(offer.panel.layer));
        item->setData(FieldRole, offer.panel.field);
        // A row that asks for no width is as wide as the list, and its name is elided.
        item->setSizeHint({1, panels_->sizeHintForRow(panels_->row(item))});
        const bool fits = offer.unit == unit;
        const bool isChecked =
            fits && std::find(checked.begin(), checked.end(), offer.panel) != checked.end();
        item->setFlags(Qt::ItemIsUserCheckable | Qt::ItemIsSelectable | Qt::ItemIsDragEnabled |
                       (fits ? Qt::ItemIsEnabled : Qt::NoItemFlags));
        item->setCheckState(isChecked ? Qt::Checked : Qt::Unchecked);
        item->setToolTip(fits ? offer.name
                              : tr("The unit, %1, is not that of the shown map, %2")
                                    .arg(offer.unit.isEmpty() ? tr("none") : unitText(offer.unit),
                                         unit.isEmpty() ? tr("none") : unitText(unit)));
    }
}

// The dialog has a history of its own, which ends with it.
void FigureComposer::buildSettings() {
    const QString kHeight = QStringLiteral("height"), kPanels = QStringLiteral("panels");
    const std::vector<SettingControl> controls{{QStringLiteral("width"), width_},
                                               {QStringLiteral("fits"), fits_},
                                               {QStringLiteral("crop"), crop_},
                                               {QStringLiteral("dpi"), dpi_},
                                               {QStringLiteral("background"), background_},
                                               {QStringLiteral("font"), font_},
                                               {QStringLiteral("text"), text_},
                                               {QStringLiteral("title"), title_},
                                               {QStringLiteral("label"), label_},
                                               {QStringLiteral("unit"), unit_},
                                               {QStringLiteral("ticks"), ticks_},
                                               {QStringLiteral("bar"), bar_},
                                               {QStringLiteral("graticule"), graticule_},
                                               {QStringLiteral("contours"), contours_},
                                               {QStringLiteral("markers"), markers_},
                                               {QStringLiteral("legend"), legend_},
                                               {QStringLiteral("inset"), inset_},
                                               {QStringLiteral("insetWidth"), insetWidth_},
                                               {QStringLiteral("corner"), corner_},
                                               {QStringLiteral("panelTitles"), panelTitles_},
                                               {QStringLiteral("columns"), columns_}};
    const auto textOfPanel = [](const QListWidgetItem& item) {
        return QStringLiteral("%1:%2").arg(panelOf(item).layer.number()).arg(panelOf(item).field);
    };
    const auto read = [this, controls, kHeight, kPanels, textOfPanel] {
        QJsonObject all = valuesOf(controls);
        // A height that fits the content is no choice.
        all[kHeight] = fits_->isChecked() ? QJsonValue() : QJsonValue(height_->value());
        QJsonArray panels;
        for (int row = 0; row < panels_->count(); ++row) {
            const QListWidgetItem& item = *panels_->item(row);
            panels.append(QJsonArray{textOfPanel(item), item.checkState() == Qt::Checked});
        }
        all[kPanels] = panels;
        return all;
    };
    const auto write = [this, controls, kHeight, kPanels, textOfPanel](const QJsonObject& values) {
        setValues(controls, values);
        if (values[kHeight].isDouble()) height_->setValue(values[kHeight].toDouble());
        int place = 0;
        for (const QJsonValue& each : values[kPanels].toArray())
            for (int row = place; row < panels_->count(); ++row) {
                if (textOfPanel(*panels_->item(row)) != each[0].toString()) continue;
                QListWidgetItem* item = panels_->takeItem(row);
                item->setCheckState(each[1].toBool() ? Qt::Checked : Qt::Unchecked);
                panels_->insertItem(place++, item);
                break;
            }
        refresh();
    };
    settings_ = new ToolSettings(*undo_, tr("Figure"), {read, write}, this);
    noteChanges(controls, settings_);
    const auto note = [this] { settings_->note({}); };
    connect(height_, &QDoubleSpinBox::valueChanged, settings_,
            [this] { settings_->note({}, ToolSettings::Pace::Repeated); });
    connect(panels_, &QListWidget::itemChanged, settings_, note);
    connect(panels_->model(), &QAbstractItemModel::rowsMoved, settings_, note);
    QAction* undo = undo_->createUndoAction(this);
    QAction* redo = undo_->createRedoAction(this);
    undo->setShortcuts(QKeySequence::Undo);
    redo->setShortcuts(QKeySequence::Redo);
    addActions({undo, redo});
}

std::vector<PanelSetup> FigureComposer::checkedPanels() const {
    std::vector<PanelSetup> checked;
    for (int row = 0; row < panels_->count(); ++row)
        if (panels_->item(row)->checkState() == Qt::Checked)
            checked.push_back(panelOf(*panels_->item(row)));
    return checked;
}

}  // namespace armilla
