// SPDX-License-Identifier: GPL-3.0-or-later
// Reads files into layers, writes layers, and prepares layers for drawing. The functions run in
// jobs and use values, not the document.
#pragma once

#include <QStringList>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "armilla/core/job_context.h"
#include "armilla/session/document.h"
#include "armilla/session/layer.h"
#include "armilla/session/stated_file.h"

namespace armilla {

// A layer that was read or computed.
struct LoadedLayer {
    LayerValue value;
    QStringList fields;  // fields read from a map, as numbers from 1; empty: all
    QString note;        // a note to the user, if any
    QString name = {};   // "x.fits[IMAGE]" of an HDU by number that has a name; else empty
    // Further content of the file: a path to open ("x.fits[2]") and a description.
    QList<QPair<QString, QString>> others = {};
    // The file was not read: a fact is missing.
    std::optional<FileQuestion> question = {};
};
// How maps that exceed the memory are read: as means, which takes the time to read the file once.
struct LargeMaps {
    std::optional<int64_t> memory = {};  // bytes; default: availableMemory()
    bool mayBeSampled =
        false;  // as a sample, in seconds, unless means are kept; long catalogs also
};
// Reads a map or a spectrum from a file. `fields` selects fields of the map; empty: all. If the
// fields would not fit into a third of the machine's memory, only the first one is read, with a
// note.
//
// Throws as the readers; throws InvalidArgument, naming the content, for a file of another kind.
// Messages name the file. `stated` is the frame for data that name none; data that name another
// frame keep that, with a note. `facts`: what the user stated about the file.
LoadedLayer loadLayer(const QString& path, const QStringList& fields, JobContext& job,
                      Frame stated = Frame::Unknown, const StatedFile& facts = {},
                      const LargeMaps& large = {});
// Returns a question instead of throwing if the file lacks a fact that the user can state.
LoadedLayer loadOrAsk(const QString& path, JobContext& job, const StatedFile& facts,
                      const LargeMaps& large);
// `value` in the stated frame, if the value does not name its own.
LayerValue inStatedFrame(const LayerValue& value, Frame stated);

// Prepared in a job before a layer is added, so that the layer is visible at once.
struct LayerPicture {
    std::shared_ptr<DrawableField> field;      // first field of a map
    std::shared_ptr<const MarkerSet> markers;  // positions of a catalog
    std::shared_ptr<const ImageMesh> mesh;     // one plane of an image, ...
};
// `plane` of an image; `places`: sky positions of its pixels, if already computed.
LayerPicture prepareLayer(const LayerValue& value, int64_t maxNside, JobContext& job, int plane = 0,
                          std::shared_ptr<const ImagePlaces> places = {});

// The suffix selects the format, as for the command; values are unchanged. `history`: HISTORY
// texts. Throws as the writers.
void writeLayer(const LayerValue& value, const std::string& path, bool overwrite,
                const std::vector<std::string>& history, JobContext& job);

}  // namespace armilla
