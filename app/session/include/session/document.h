// SPDX-License-Identifier: GPL-3.0-or-later
// What is open: maps with their fields, the view of them, the comparison, with undo and redo.
#pragma once

#include <QObject>
#include <QString>
#include <QUndoStack>
#include <memory>
#include <optional>
#include <vector>

#include "core/healpix_map.h"
#include "core/map_statistics.h"
#include "render/camera.h"
#include "render/color_scale.h"
#include "render/map_pyramid.h"
#include "session/recipe.h"

namespace armilla {

// What of a map is shown: one of its fields, or a quantity derived from Q and U.
enum class Quantity { Field, PolarizedAmplitude, PolarizationAngle };
struct Shown {
    int entry = -1;  // id of a MapEntry; -1: nothing
    int field = 0;
    Quantity quantity = Quantity::Field;
    bool operator==(const Shown&) const = default;
};
enum class Comparison { Single, SideBySide, Blink, Swipe, Difference };

// A field made ready to draw; shared, immutable, made in a job.
struct DrawableField {
    std::shared_ptr<const MapPyramid> pyramid;
    FieldStatistics statistics;
    std::vector<float> sortedSample;  // evenly strided finite values, ascending: ranges, histogram
    uint64_t revision = 0;
};

struct MapEntry {
    int id = 0;
    QString name;    // file name, or "smoothed 60′"
    QString detail;  // "I · nside 2048 · RING · Galactic · µK"
    std::shared_ptr<const HealpixMap> map;
    Recipe recipe;
    int parent = -1;    // entry this was made from
    bool live = false;  // a preview that is not kept yet
    uint64_t revision = 0;
};

// Lives in the window's thread. Changes the user can undo go through the set... functions, which
// push onto undoStack(); successive camera moves and slider steps merge into one step.
class Document : public QObject {
    Q_OBJECT
public:
    explicit Document(QObject* parent = nullptr);
    ~Document() override;

    const std::vector<MapEntry>& entries() const { return entries_; }
    const MapEntry* entry(int id) const;
    // Adds a map as an undoable step and shows it. Returns the id.
    int addMap(std::shared_ptr<const HealpixMap> map, const QString& name, const Recipe& recipe,
               int parent = -1);
    void removeMap(int id);
    void renameMap(int id, const QString& name);
    // The live (not kept) result of a tool: replaced in place, no undo; keep turns it into a map of
    // its own as an undoable step; drop removes it.
    int setLive(std::shared_ptr<const HealpixMap> map, const QString& name, const Recipe& recipe,
                int parent);
    int keepLive();
    void dropLive();
    const MapEntry* live() const;

    // The field ready to draw, if it has been made (drawableChanged tells).
    std::shared_ptr<const DrawableField> drawable(const Shown& shown) const;
    void setDrawable(const Shown& shown, std::shared_ptr<const DrawableField> field);

    Shown shown() const { return shown_; }        // left, before, A
    Shown compared() const { return compared_; }  // right, after, B
    Comparison comparison() const { return comparison_; }
    double swipe() const { return swipe_; }  // 0..1 of the width
    const Camera& camera() const { return camera_; }
    const ColorScale& colorScale(const Shown& shown) const;
    double graticuleStep() const { return graticuleStep_; }  // radians, 0: automatic
    bool graticuleVisible() const { return graticuleVisible_; }
    bool rodsVisible() const { return rodsVisible_; }

    void setShown(const Shown& shown);
    void setCompared(const Shown& shown);
    void setComparison(Comparison comparison);
    void setSwipe(double position);
    void setCamera(const Camera& camera);
    void setColorScale(const Shown& shown, const ColorScale& scale);
    void setGraticule(bool visible, double step);
    void setRodsVisible(bool visible);

    QUndoStack* undoStack();
    // Everything that a session file holds, maps as recipes.
    QJsonObject toJson() const;
    // The state without the maps; `entries` whose map is missing are restored by the caller's jobs.
    void restore(const QJsonObject& json);

signals:
    void entriesChanged();
    void shownChanged();
    void drawableChanged(int entry);
    void cameraChanged();
    void colorScaleChanged(int entry);
    void comparisonChanged();
    void overlaysChanged();

private:
    friend class DocumentCommand;
    std::vector<MapEntry> entries_;
    Shown shown_, compared_;
    Comparison comparison_ = Comparison::Single;
    double swipe_ = 0.5;
    Camera camera_;
    double graticuleStep_ = 0.0;
    bool graticuleVisible_ = true, rodsVisible_ = false;
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace armilla
