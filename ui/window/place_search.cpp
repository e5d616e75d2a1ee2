// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/place_search.h"

#include <QDir>
#include <algorithm>
#include <utility>

#include "armilla/core/error.h"
#include "armilla/session/notices.h"
#include "armilla/session/session.h"
#include "armilla/session/sky_names.h"
#include "armilla/ui/sky_view_widget.h"
#include "panels/message_bar.h"

namespace armilla {
namespace {

// Positions begin with a number and have no letters except units of hours, minutes, seconds,
// degrees.
bool looksLikeName(const QString& text) {
    const QString plain = text.trimmed().toLower();
    return plain.front().isLetter() || std::any_of(plain.begin(), plain.end(), [](QChar c) {
               return c.isLetter() && !QStringLiteral("hmsd").contains(c);
           });
}

// Names the searched places and the folder for further names.
QString nameNotFound(const QString& name) {
    QString folder = QDir::toNativeSeparators(NameSearch::userFolder());
    if (folder.startsWith(QDir::homePath())) folder.replace(0, QDir::homePath().size(), '~');
    const auto tables = static_cast<int>(NameSearch::tableFiles().size());
    return PlaceSearch::tr(
               "expected a position, or a name that an open catalog, the program or a "
               "table of names in %1 has (%2), found '%3'")
        .arg(folder,
             tables == 0 ? PlaceSearch::tr("none there yet")
                         : PlaceSearch::tr("%n looked through", nullptr, tables),
             name.trimmed());
}

}  // namespace

PlaceSearch::PlaceSearch(Session& session, SkyViewWidget& sky, MessageBar& messages,
                         QObject* parent)
    : QObject(parent),
      session_(session),
      sky_(sky),
      messages_(messages),
      names_(new NameSearch(session.document(), session.jobs(), this)) {}

bool PlaceSearch::goTo(const QString& text) {
    if (text.trimmed().isEmpty()) return false;
    names_->cancel();
    messages_.withdraw(std::exchange(error_, {}));
    const Frame frame = session_.document().view().camera().frame;
    const auto show = [this](const LonLat& place) {
        sky_.centerOn(place);
        sky_.mark(place);
        return true;
    };
    const auto fail = [this](const QString& line) {
        error_ = line;
        messages_.show(MessageTone::Error, error_);
    };
    // Returns false if nothing is found.
    const auto guess = [this, text, frame, show, fail](const QString& line,
                                                       const QString& problem) {
        if (!looksLikeName(text) || namedPosition(text)) {
            fail(line);
            return false;
        }
        // Return accepts the completion if it is the only one.
        if (const auto only = onlySkyNameWith(text); only && frame != Frame::Unknown) {
            messages_.show(MessageTone::Note, tr("found as %1").arg(*only));
            return show(searchedPosition(*only, frame));
        }
        error_ = nameNotFound(text);
        if (!problem.isEmpty()) error_ += QStringLiteral("; ") + problem;
        messages_.show(MessageTone::Error, error_,
                       {{tr("More names"), [this] { emit guideRequested(tr("Go to a place")); }}});
        return false;
    };
    // Positions first: "10 20" is a position even if a catalog row has the number 1020.
    try {
        return show(typedPosition(text, frame));
    } catch (const Error&) {
        // A name, or invalid text, which is reported below.
    }
    if (const auto named = names_->find(text)) return goToNamed(*named);
    try {
        return show(searchedPosition(text, frame));
    } catch (const Error& error) {
        const QString line = QString::fromUtf8(error.what());
        if (names_->hasMore())
            names_->search(text, [this, line, guess](const std::optional<NamedPlace>& found,
                                                     const QString& problem) {
                if (!found)
                    guess(line, problem);
                else if (goToNamed(*found) && !problem.isEmpty())
                    messages_.show(MessageTone::Error, problem);
            });
        else
            return guess(line, {});
        return false;
    }
}

bool PlaceSearch::goToNamed(const NamedPlace& named) {
    Document& document = session_.document();
    const Frame frame = document.view().camera().frame;
    if (frame == Frame::Unknown || named.frame == Frame::Unknown) {
        const LayerId unframed =
            frame == Frame::Unknown ? document.view().shown().entry : named.layer;
        if (session_.notices().askFrame(unframed, [this, named] { goToNamed(named); }))
            return false;
        error_ =
            tr("expected a view and a catalog whose frames are known to go to a row by "
               "its name, found one of unknown frame");
        messages_.show(MessageTone::Error, error_);
        return false;
    }
    if (document.entry(named.layer)) {
        document.setActive(named.layer);
        document.view().setSelection({named.layer, named.row});
    } else if (!named.layer.isValid()) {
        messages_.show(MessageTone::Note, tr("found in %1").arg(named.source));
    }
    const LonLat place = lonLat(frameRotation(frame, named.frame) * direction(named.place));
    sky_.centerOn(place);
    sky_.mark(place);
    return true;
}

}  // namespace armilla

#include "window/moc_place_search.cpp"
