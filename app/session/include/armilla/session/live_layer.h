// SPDX-License-Identifier: GPL-3.0-or-later
// The live result of a tool, which is not yet kept.
#pragma once

#include <QObject>
#include <QString>
#include <memory>
#include <optional>

#include "armilla/session/layer.h"
#include "armilla/session/shown.h"

namespace armilla {

class DevicePicture;
class DocumentView;
class LayerDrawings;
class LayerList;
class LayerSteps;
struct ViewState;

// set() replaces the result in place, without undo. keep() turns the result into a layer with the
// same id, as an undoable step. drop() removes the result. Used only in the window's thread.
class LiveLayer : public QObject {
    Q_OBJECT
public:
    // All arguments must outlive this object.
    LiveLayer(LayerList& layers, DocumentView& view, LayerDrawings& drawings, LayerSteps& steps);

    // The first live result takes the place of its parent. If the parent is shown alone, the live
    // map is shown; in a comparison it is compared. Returns the id.
    LayerId set(const std::shared_ptr<const HealpixMap>& map, const QString& name,
                const Recipe& recipe, LayerId parent);
    LayerId keep();  // invalid if there is no live result
    void drop();

    // The live result in the memory of the device that draws, for the shown field that it was
    // computed for. Null for any other field and without a live map. Replaces the drawable in the
    // picture.
    std::shared_ptr<DevicePicture> picture(const Shown& shown) const;
    std::shared_ptr<DevicePicture> picture() const;
    void setPicture(const Shown& shown, std::shared_ptr<DevicePicture> picture);
    // The field of `result` (a map made from layer `shown.entry`) that corresponds to `shown`: the
    // field of the same name, else the first field.
    Shown counterpart(const Shown& shown, LayerId entry, const HealpixMap& result) const;

    // The present view as it will be without the live map.
    ViewState viewWithout() const;
    // The view without the live map is the present one: the live map is gone or kept.
    void forgetView();

signals:
    // Emitted at the rate of frames; nothing else has changed.
    void pictureChanged();

private:
    LayerList& layers_;
    DocumentView& view_;
    LayerDrawings& drawings_;
    LayerSteps& steps_;
    // Restored view after the live map is removed.
    std::optional<Shown> shownBefore_, comparedBefore_;
    Shown pictureOf_;
    std::shared_ptr<DevicePicture> picture_;
};

}  // namespace armilla
