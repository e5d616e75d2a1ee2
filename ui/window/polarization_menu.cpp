// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/polarization_menu.h"

#include <QActionGroup>

#include "armilla/session/document.h"

namespace armilla {
namespace {

constexpr double kLeastSnr[] = {0.0, 1.0, 2.0, 3.0, 5.0, 10.0};

}  // namespace

PolarizationMenu::PolarizationMenu(Document& document, QAction* rods, QWidget* parent)
    : QMenu(tr("&Polarization"), parent), document_(document) {
    menuAction()->setToolTip(tr("How the polarization of maps with Q and U is drawn"));
    addAction(rods);
    lic_ = addAction(tr("&Texture along polarization"));
    lic_->setCheckable(true);
    lic_->setShortcut(Qt::CTRL | Qt::ALT | Qt::Key_P);
    lic_->setToolTip(tr("Shades the colors by a texture along the polarization"));
    connect(lic_, &QAction::triggered, this, [this](bool on) {
        PolarizationLook look = document_.overlays().polarizationLook();
        look.lic = on;
        document_.overlays().setPolarizationLook(look);
    });
    lengths_ = addMenu(tr("&Length of rods"));
    lengths_->setProperty("filledOnDemand", true);
    lengths_->menuAction()->setToolTip(tr("The field whose values set the lengths of the rods"));
    connect(lengths_, &QMenu::aboutToShow, this, &PolarizationMenu::fillLengths);
    addSection(tr("Rods below"));
    snr_ = new QActionGroup(this);
    for (const double least : kLeastSnr) {
        QAction* action =
            addAction(least > 0.0 ? tr("hidden below %1 σ").arg(least) : tr("all shown"));
        action->setToolTip(tr("By the noise of Q and U, as neighboring pixels tell it"));
        action->setCheckable(true);
        action->setData(least);
        snr_->addAction(action);
    }
    connect(snr_, &QActionGroup::triggered, this, [this](const QAction* action) {
        PolarizationLook look = document_.overlays().polarizationLook();
        look.leastSnr = action->data().toDouble();
        document_.overlays().setPolarizationLook(look);
    });
    addSection(tr("Sign of U"));
    convention_ = new QActionGroup(this);
    const std::pair<PolarizationConvention, QString> all[] = {
        {PolarizationConvention::Cosmo, tr("as in the file, else &COSMO")},
        {PolarizationConvention::Iau, tr("of the other sense (&IAU, if the file states none)")}};
    for (const auto& [convention, text] : all) {
        QAction* action = addAction(text);
        action->setCheckable(true);
        action->setData(static_cast<int>(convention));
        action->setToolTip(
            tr("COSMO and IAU differ in the sign of U; the wrong one mirrors angles"));
        convention_->addAction(action);
    }
    connect(convention_, &QActionGroup::triggered, this, [this](const QAction* action) {
        PolarizationLook look = document_.overlays().polarizationLook();
        look.convention = static_cast<PolarizationConvention>(action->data().toInt());
        document_.overlays().setPolarizationLook(look);
    });
    connect(&document_.overlays(), &Overlays::changed, this, &PolarizationMenu::refresh);
    connect(&document_.view(), &DocumentView::shownChanged, this, &PolarizationMenu::refresh);
    connect(&document_, &Document::entriesChanged, this, &PolarizationMenu::refresh);
    refresh();
}

// The fields of all maps, those of the present map first.
void PolarizationMenu::fillLengths() {
    lengths_->clear();
    const Layer* chosen = document_.overlays().rodLengths();
    const auto add = [&](const QString& text, LayerId layer, int field) {
        QAction* action = lengths_->addAction(text);
        action->setCheckable(true);
        action->setChecked(chosen ? layer == chosen->id &&
                                        field == document_.overlays().polarizationLook().lengthField
                                  : !layer.isValid());
        connect(action, &QAction::triggered, this, [this, layer, field] {
            PolarizationLook look = document_.overlays().polarizationLook();
            look.lengthLayer = layer;
            look.lengthField = field;
            document_.overlays().setPolarizationLook(look);
        });
    };
    add(tr("polarized &amplitude"), {}, 0);
    const auto addFields = [&](const Layer& layer) {
        if (!layer.map || layer.live || layer.map->coverage() == Coverage::MultiOrder) return;
        for (int field = 0; field < layer.map->fieldCount(); ++field)
            add(QStringLiteral("%1 · %2").arg(layer.name,
                                              QString::fromStdString(layer.map->field(field).name)),
                layer.id, field);
    };
    const LayerId shown = document_.view().shown().entry;
    lengths_->addSeparator();
    for (const Layer& layer : document_.entries())
        if (layer.id == shown) addFields(layer);
    for (const Layer& layer : document_.entries())
        if (layer.id != shown) addFields(layer);
}

void PolarizationMenu::refresh() {
    const PolarizationLook& look = document_.overlays().polarizationLook();
    lic_->setChecked(look.lic);
    for (QAction* action : snr_->actions())
        action->setChecked(action->data().toDouble() == look.leastSnr);
    for (QAction* action : convention_->actions())
        action->setChecked(action->data().toInt() == static_cast<int>(look.convention));
    const Layer* layer = document_.entry(document_.view().shown().entry);
    const bool has = layer && layer->map && layer->map->polarizationPair();
    for (QAction* action : actions()) action->setEnabled(has);
}

}  // namespace armilla

#include "moc_polarization_menu.cpp"
