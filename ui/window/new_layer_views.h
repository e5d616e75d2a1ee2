// SPDX-License-Identifier: GPL-3.0-or-later
// Turns the view to the data of a layer that is opened, or offers to.
#pragma once

#include <QObject>
#include <QString>
#include <map>
#include <set>

#include "armilla/core/sky_vector.h"
#include "armilla/session/layer_id.h"

namespace armilla {

class Document;
class MessageBar;
class SkyViewWidget;
struct DataExtent;
struct Layer;

class NewLayerViews : public QObject {
    Q_OBJECT
public:
    // All three must outlive this object. Follows the document from now on, after the steps that
    // open layers.
    NewLayerViews(Document& document, SkyViewWidget& sky, MessageBar& messages, QObject* parent);

private:
    // Zooms to a map that covers a part of the sky, when it is first shown while the view rests.
    void lookAtMap();
    void lookAtLayer();
    void lookAtPeak(LayerId layer);
    void offerZoom(const Layer& layer, const DataExtent& extent, Frame frame);
    bool isOutside(Vec3 center, double radius, Frame frame) const;
    void withdrawOffers();

    // A message that offers to go to a layer outside the view.
    struct Offer {
        QString line;
        Vec3 center;
        double radius;
        Frame frame;
    };
    Document& document_;
    SkyViewWidget& sky_;
    MessageBar& messages_;
    LayerId awaitsPeak_;               // a new probability map outside of home
    std::set<LayerId> seen_;           // layers that have been shown
    std::map<LayerId, Offer> offers_;  // by layer
};

}  // namespace armilla
