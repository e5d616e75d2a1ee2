// SPDX-License-Identifier: GPL-3.0-or-later
// Files into layers and back, and what of a layer is made ready before it is shown. Run in jobs:
// functions of values, no document.
#pragma once

#include <QStringList>
#include <memory>
#include <string>
#include <vector>

#include "core/job_context.h"
#include "session/document.h"
#include "session/layer.h"

namespace armilla {

// A layer as it was read or made.
struct LoadedLayer {
    LayerValue value;
    QStringList fields;  // of a map: those read, as numbers from 1; empty: all
    QString note;        // what the user should know, if anything
    QString name = {};   // "x.fits[IMAGE]" of an HDU by number that has a name; else empty
    // What else the file holds: what is to be opened ("x.fits[2]") and what it is.
    QList<QPair<QString, QString>> others = {};
};
// Reads what a file holds: a map (`fields` of it, or all if empty; of a file whose fields would not
// fit into a third of the machine's memory, the first one, with a note) or a spectrum. Throws as
// the readers; InvalidArgument, naming what it is, for a file that holds something else. Messages
// name the file. `stated`: the frame of what does not name its own; what names another keeps that,
// with a note.
LoadedLayer loadLayer(const QString& path, const QStringList& fields, JobContext& job,
                      Frame stated = Frame::Unknown);
// `value` in the frame that was stated of it, if it does not name its own.
LayerValue inStatedFrame(const LayerValue& value, Frame stated);

// What is made in a job before a layer is added, so that it is there to be seen at once.
struct LayerPicture {
    std::shared_ptr<DrawableField> field;      // of a map: the first one
    std::shared_ptr<const MarkerSet> markers;  // of a catalog
    std::shared_ptr<const ImageMesh> mesh;     // of an image: one plane, ...
};
// `plane` of an image; `places`: of its pixels, if they are known already.
LayerPicture prepareLayer(const LayerValue& value, int64_t maxNside, JobContext& job, int plane = 0,
                          std::shared_ptr<const ImagePlaces> places = {});

// By the suffix of the name, as the command writes it; values as they were read. `history`: HISTORY
// texts. Throws as the writers.
void writeLayer(const LayerValue& value, const std::string& path, bool overwrite,
                const std::vector<std::string>& history, JobContext& job);

}  // namespace armilla
