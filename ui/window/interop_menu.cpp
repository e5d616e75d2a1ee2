// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/interop_menu.h"

#include "armilla/session/session.h"
#include "armilla/session/source_review.h"

namespace armilla {

InteropMenu::InteropMenu(Session& session, QWidget* parent)
    : QMenu(tr("&Interop"), parent), session_(session) {
    setToolTipsVisible(true);
    menuAction()->setToolTip(tr("Layers, positions and rows to and from other programs, by SAMP"));
    Interop& interop = session_.interop();
    connect_ = addAction(tr("&Connect to other programs"));
    connect_->setCheckable(true);
    connect_->setToolTip(
        tr("By SAMP, through the hub of this desktop: TOPCAT, Aladin, DS9, Python"));
    connect(connect_, &QAction::triggered, this, [this, &interop](bool on) {
        if (on)
            interop.client().connectToHub();
        else
            interop.client().disconnectFromHub();
        refresh();
    });
    addSeparator();
    const auto active = [this] { return session_.document().active(); };
    sendMenu(
        tr("Send &layer to"), tr("The layer that is chosen in the list"),
        [&interop, active] { return interop.takers(active(), Interop::Form::Layer); },
        [&interop, active](const QString& to) {
            interop.sendLayer(active(), Interop::Form::Layer, to);
        });
    sendMenu(
        tr("Send &coverage to"), tr("Where the map is above one half, as a MOC"),
        [&interop, active] { return interop.takers(active(), Interop::Form::Coverage); },
        [&interop, active](const QString& to) {
            interop.sendLayer(active(), Interop::Form::Coverage, to);
        });
    sendMenu(
        tr("Send &regions to"), tr("The regions that are drawn, as a MOC"),
        [&interop] { return interop.takersOf(QStringLiteral("coverage.load.moc.fits")); },
        [&interop](const QString& to) { interop.sendRegions(to); });
    sendMenu(
        tr("Send &position to"), tr("The middle of the view"),
        [&interop] { return interop.takersOf(QStringLiteral("coord.pointAt.sky")); },
        [this, &interop](const QString& to) {
            const Camera& camera = session_.document().view().camera();
            interop.sendPlace(direction(camera.center()), camera.frame, to);
        });
    rows_ = addAction(tr("Send &rows that are listed"));
    rows_->setToolTip(
        tr("Those of the candidates above the threshold that the filter shows, to "
           "programs that have the catalog"));
    connect(rows_, &QAction::triggered, this, &InteropMenu::sendRows);
    connect(&interop.client(), &SampClient::stateChanged, this, &InteropMenu::refresh);
    connect(&interop.client(), &SampClient::peersChanged, this, &InteropMenu::refresh);
    connect(this, &QMenu::aboutToShow, this, &InteropMenu::refresh);
    refresh();
}

QMenu* InteropMenu::sendMenu(const QString& title, const QString& tip,
                             std::function<std::vector<SampPeer>()> takers, const Send& send) {
    QMenu* menu = addMenu(title);
    menu->menuAction()->setToolTip(tip);
    sendMenus_.push_back(menu);
    menu->setProperty("filledOnDemand", true);
    connect(menu, &QMenu::aboutToShow, this, [menu, takers = std::move(takers), send] {
        menu->clear();
        const std::vector<SampPeer> all = takers();
        if (all.empty()) menu->addAction(tr("nobody takes it"))->setEnabled(false);
        if (all.size() > 1)
            connect(menu->addAction(tr("&all programs")), &QAction::triggered, menu,
                    [send] { send({}); });
        for (const SampPeer& peer : all)
            connect(menu->addAction(peer.name.isEmpty() ? peer.id : peer.name), &QAction::triggered,
                    menu, [send, id = peer.id] { send(id); });
    });
    return menu;
}

void InteropMenu::sendRows() {
    const SourceReview& review = session_.review();
    session_.interop().sendRows(review.layer(), review.rows());
}

QString InteropMenu::stateText() const {
    const SampClient& client = session_.interop().client();
    if (client.state() == SampClient::State::Off) return {};
    if (client.state() == SampClient::State::Connecting) return tr("SAMP …");
    QStringList names;
    // The hub is in the list, but accepts no data.
    for (const SampPeer& peer : client.peers())
        if (!peer.name.isEmpty() && peer.takes(QStringLiteral("table.load.votable")))
            names << peer.name;
    for (const SampPeer& peer : client.peers())
        if (!peer.name.isEmpty() && !peer.takes(QStringLiteral("table.load.votable")) &&
            peer.takes(QStringLiteral("image.load.fits")))
            names << peer.name;
    constexpr qsizetype kMostNames = 3;
    if (names.isEmpty()) return tr("SAMP · nobody else");
    if (names.size() > kMostNames)
        return tr("SAMP · %n program(s)", nullptr, static_cast<int>(names.size()));
    return tr("SAMP · %1").arg(names.join(QStringLiteral(", ")));
}

void InteropMenu::refresh() {
    const bool isOn = session_.interop().client().state() != SampClient::State::Off;
    connect_->setChecked(isOn);
    for (QMenu* menu : sendMenus_) menu->setEnabled(isOn);
    rows_->setEnabled(isOn && session_.interop().isExchanged(session_.review().layer()));
    emit stateTextChanged(stateText());
}

}  // namespace armilla
