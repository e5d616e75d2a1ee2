// SPDX-License-Identifier: GPL-3.0-or-later
#include "panels/spectrum_reference.h"

#include <QAbstractItemView>
#include <QComboBox>
#include <QFileInfo>
#include <QGridLayout>
#include <QLabel>
#include <QSettings>
#include <QSignalBlocker>
#include <algorithm>

#include "armilla/core/physical_unit.h"
#include "armilla/figure/unit_text.h"
#include "armilla/session/file_opener.h"
#include "dialogs/file_chooser.h"
#include "panels/item_list.h"
#include "panels/small_widgets.h"

namespace armilla {
namespace {

const QString kRecentKey = QStringLiteral("spectrum/theories");
constexpr int kMostRecent = 6;  // a choice that is read at a glance
// Item that opens the file chooser; layers have their ids, recent files their paths.
const QString kChooseFile = QStringLiteral("\n");

QComboBox* nameChoice(const QString& name, const QString& tip, QWidget* parent) {
    auto* box = new NameChoice(parent);
    box->setAccessibleName(name);
    box->setToolTip(tip);
    box->setMinimumContentsLength(4);
    box->setMinimumWidth(50);
    box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    box->view()->setMinimumWidth(240);
    return box;
}

bool isSameFile(const QString& a, const QString& b) {
    return QFileInfo(a).absoluteFilePath() == QFileInfo(b).absoluteFilePath();
}

}  // namespace

SpectrumReference::SpectrumReference(Session& session, QWidget* parent)
    : QWidget(parent),
      session_(session),
      theoryChoice_(nameChoice(tr("Theory"),
                               tr("Curve of Cₗ or ℓ(ℓ+1)Cₗ/2π beside the spectrum, as CAMB, CLASS, "
                                  "Planck and healpy write it"),
                               this)),
      otherChoice_(nameChoice(tr("Compare with"),
                              tr("Spectrum of another map with the same mask and bins, or a "
                                 "spectrum from a file"),
                              this)),
      unit_(new QComboBox(this)),
      unitName_(mutedLabel({}, this)) {
    auto* grid = new QGridLayout(this);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setHorizontalSpacing(6);
    grid->setVerticalSpacing(4);
    grid->setColumnStretch(1, 1);
    grid->addWidget(mutedLabel(tr("Theory"), this), 0, 0);
    grid->addWidget(theoryChoice_, 0, 1);
    grid->addWidget(unitName_, 1, 0);
    grid->addWidget(unit_, 1, 1);
    grid->addWidget(mutedLabel(tr("Compare with"), this), 2, 0);
    grid->addWidget(otherChoice_, 2, 1);
    unit_->setAccessibleName(tr("Unit that the file does not state"));
    unit_->setMinimumWidth(kLeastChoice);
    unitName_->hide();
    unit_->hide();
    showUnits(true);
    connect(theoryChoice_, &QComboBox::activated, this, &SpectrumReference::activate);
    connect(otherChoice_, &QComboBox::activated, this,
            [this](int index) { chooseOther(otherChoice_->itemData(index).value<LayerId>()); });
    connect(unit_, &QComboBox::activated, this, &SpectrumReference::changed);
    connect(&session_.document(), &Document::entriesChanged, this, [this] {
        takeOpened();
        fill();
    });
    fill();
}

std::vector<QWidget*> SpectrumReference::controls() const {
    return {theoryChoice_, unit_, otherChoice_};
}

const Layer* SpectrumReference::theory() const {
    const Layer* layer = session_.document().entry(theory_);
    return layer && layer->curve ? layer : nullptr;
}

const Layer* SpectrumReference::other() const {
    const Layer* layer = session_.document().entry(other_);
    return layer && layer->id != shown_ && (layer->curve || layer->map) ? layer : nullptr;
}

void SpectrumReference::activate(int index) {
    const QVariant item = theoryChoice_->itemData(index);
    if (item.canConvert<LayerId>()) return chooseTheory(item.value<LayerId>());
    fill();  // the choice names the theory until the file is open
    if (item.toString() != kChooseFile) return openTheory(item.toString());
    chooseFilesToOpen(this, tr("Open a theory"),
                      tr("Spectra (*.fits *.fit *.fits.gz *.dat *.txt *.csv *.ecsv *.vot)"),
                      [this](const QStringList& paths) {
                          if (!paths.isEmpty()) openTheory(paths.front());
                      });
}

void SpectrumReference::chooseTheory(LayerId layer) {
    pending_.clear();
    remark_.clear();
    theory_ = layer;
    fill();
    emit changed();
}

void SpectrumReference::chooseOther(LayerId layer) {
    if (other_ == layer) return;
    other_ = layer;
    fill();
    emit changed();
}

void SpectrumReference::openTheory(const QString& path) {
    for (const Layer& layer : session_.document().entries())
        if (layer.curve && layer.recipe.kind == RecipeKind::Open &&
            isSameFile(layer.recipe.path, path)) {
            remember(path);
            return chooseTheory(layer.id);
        }
    pending_ = path;
    activeBefore_ = session_.document().active();
    remark_.clear();
    session_.files().openFiles({path});
}

// A file may need an answer first, and its layer comes then.
void SpectrumReference::takeOpened() {
    if (pending_.isEmpty()) return;
    for (const Layer& layer : session_.document().entries()) {
        if (layer.recipe.kind != RecipeKind::Open || !isSameFile(layer.recipe.path, pending_))
            continue;
        if (layer.curve && holdsSpectra(*layer.curve)) {
            remember(pending_);
            // Panels of the active layer keep theirs; the step that adds the theory ends first.
            QMetaObject::invokeMethod(
                this,
                [this, before = activeBefore_] {
                    Document& document = session_.document();
                    if (document.entry(before)) document.setActive(before);
                },
                Qt::QueuedConnection);
            return chooseTheory(layer.id);
        }
        pending_.clear();
        remark_ = tr("%1 is no spectrum.").arg(layer.name);
        emit changed();
        return;
    }
}

QStringList SpectrumReference::recent() const {
    return session_.settings().value(kRecentKey).toStringList();
}

void SpectrumReference::remember(const QString& path) {
    QStringList paths = recent();
    const QString whole = QFileInfo(path).absoluteFilePath();
    paths.removeAll(whole);
    paths.prepend(whole);
    session_.settings().setValue(kRecentKey, paths.mid(0, kMostRecent));
}

// A layer of a session that is still being read.
bool SpectrumReference::isComing(LayerId layer) const {
    const Document& document = session_.document();
    const auto& awaited = document.recovery().awaited();
    const auto& missing = document.recovery().missing();
    return std::any_of(awaited.begin(), awaited.end(),
                       [&](const AwaitedLayer& one) { return one.id == layer; }) ||
           std::any_of(missing.begin(), missing.end(),
                       [&](const MissingLayer& one) { return one.layer.id == layer; });
}

void SpectrumReference::setShown(LayerId layer) {
    if (shown_ == layer) return;
    shown_ = layer;
    fill();
}

void SpectrumReference::fill() {
    const QSignalBlocker quietTheory(theoryChoice_), quietOther(otherChoice_);
    Items theories{{tr("none"), QVariant::fromValue(LayerId())}};
    Items others{{tr("nothing"), QVariant::fromValue(LayerId())}};
    QStringList open;
    bool isTheoryOpen = isComing(theory_), isOtherOpen = isComing(other_);
    for (const Layer& layer : session_.document().entries()) {
        if (layer.live) continue;
        const bool isSpectrum = layer.curve && holdsSpectra(*layer.curve);
        if (isSpectrum) {
            theories.emplace_back(layer.name, QVariant::fromValue(layer.id));
            isTheoryOpen = isTheoryOpen || layer.id == theory_;
            if (layer.recipe.kind == RecipeKind::Open)
                open << QFileInfo(layer.recipe.path).absoluteFilePath();
        }
        if (isSpectrum || (layer.map && layer.id != shown_))
            others.emplace_back(layer.name, QVariant::fromValue(layer.id));
        isOtherOpen = isOtherOpen || layer.id == other_;
    }
    for (const QString& path : recent())
        if (!open.contains(path) && QFileInfo::exists(path))
            theories.emplace_back(QFileInfo(path).fileName(), path);
    theories.emplace_back(tr("From a file…"), kChooseFile);
    const bool isGone = (theory_.isValid() && !isTheoryOpen) || (other_.isValid() && !isOtherOpen);
    if (!isTheoryOpen) theory_ = {};
    if (!isOtherOpen) other_ = {};
    setItems(*theoryChoice_, theories);
    setItems(*otherChoice_, others);
    theoryChoice_->setCurrentIndex(
        std::max(0, theoryChoice_->findData(QVariant::fromValue(theory_))));
    otherChoice_->setCurrentIndex(std::max(0, otherChoice_->findData(QVariant::fromValue(other_))));
    if (isGone) emit changed();
}

// The units of either side; the second item is the ratio, which only a theory has.
void SpectrumReference::showUnits(bool ofTheory) {
    unitName_->setText(ofTheory ? tr("Theory is in") : tr("Map is in"));
    unit_->setToolTip(ofTheory ? tr("The file of the theory states no unit")
                               : tr("The file of the map states no unit"));
    Items items{{ofTheory ? tr("the map's unit") : tr("the theory's unit"), QString()}};
    for (const char* kelvins : {"uK", "mK", "K"})
        items.emplace_back(
            unitText(QString::fromLatin1(kelvins)) + (ofTheory ? QStringLiteral("²") : QString()),
            QString::fromLatin1(kelvins) + QStringLiteral("_CMB^2"));
    if (ofTheory)
        items.emplace_back(tr("(ΔT/T)², no unit"), QString::fromLatin1(kTemperatureRatio));
    const QVariant before = unit_->currentData();
    const QSignalBlocker quiet(unit_);
    setItems(*unit_, items);
    unit_->setCurrentIndex(std::max(0, unit_->findData(before)));
}

UnitMatch SpectrumReference::match(const std::string& dataUnit) {
    const Layer* layer = theory();
    const std::string own = layer ? layer->curve->series.front().unit : std::string();
    const bool isOwnKnown = !namesNoUnit(own), isDataKnown = !namesNoUnit(dataUnit);
    const bool isAsked = layer && isOwnKnown != isDataKnown;
    if (isAsked) showUnits(!isOwnKnown);
    unitName_->setVisible(isAsked);
    unit_->setVisible(isAsked);
    const UnitMatch found =
        matchUnits(own, dataUnit, isAsked ? unit_->currentData().toString().toStdString() : "");
    if (!layer) return found;
    switch (found.how) {
        case UnitMatch::How::Unstated:
            remark_ = isOwnKnown ? tr("The map's file states no unit: choose it at “Map is in”.")
                                 : tr("The theory's file states no unit: choose it at “Theory is "
                                      "in”.");
            break;
        case UnitMatch::How::Different:
            remark_ = tr("The theory, in %1, has no place beside a map's %2.")
                          .arg(unitText(QString::fromStdString(own)),
                               unitText(QString::fromStdString(dataUnit)));
            break;
        case UnitMatch::How::Assumed:
            remark_ = tr("The map's kelvins count as those of the CMB.");
            break;
        default: remark_.clear();
    }
    return found;
}

QJsonObject SpectrumReference::choices() const {
    return {{"theory", theory_.number()},
            {"compared", other_.number()},
            {"unit", unit_->currentData().toString()}};
}

void SpectrumReference::restore(const QJsonObject& choices) {
    pending_.clear();
    remark_.clear();
    theory_ = LayerId(choices["theory"].toInt(-1));
    other_ = LayerId(choices["compared"].toInt(-1));
    unit_->setCurrentIndex(std::max(0, unit_->findData(choices["unit"].toString())));
    fill();
    emit changed();
}

}  // namespace armilla
