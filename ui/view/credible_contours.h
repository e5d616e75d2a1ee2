// SPDX-License-Identifier: GPL-3.0-or-later
// Outlines of the 50 and 90 % credible regions of a shown probability map.
#pragma once

#include <QObject>
#include <map>
#include <memory>

#include "armilla/session/credible_regions.h"
#include "armilla/session/session.h"

namespace armilla {

class SkyViewWidget;

class CredibleContours : public QObject {
    Q_OBJECT
public:
    CredibleContours(Session& session, SkyViewWidget* view, QObject* parent);
    void setVisible(bool visible);
    bool isVisible() const { return visible_; }
    // "50 %: 123 deg² · 90 %: 1 204 deg²"; empty for other maps.
    QString text() const { return text_; }

private:
    using Regions = std::shared_ptr<const std::vector<CredibleOutline>>;
    void follow();
    void show(const Regions& regions);

    Session& session_;
    SkyViewWidget* view_;
    std::map<std::pair<Shown, uint64_t>, Regions> known_;  // null: being computed
    QString text_;
    bool visible_ = true;
};

// "1 204 deg²", "0.35 deg²", "12 arcmin²" of steradians.
QString areaText(double steradians);

}  // namespace armilla
