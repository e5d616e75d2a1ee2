// SPDX-License-Identifier: GPL-3.0-or-later
// The view as a finished figure.
#include "export_parts.h"
#include "figure/figure.h"
#include "render/graticule.h"
#include "session_state.h"

namespace armilla {

void Session::exportFigure(const QString& path, int width, int height, double dpi, bool overwrite) {
    State& state = *state_;
    state.guarded([&] {
        const MapEntry& entry = shownEntry(document());
        const Shown shown = document().shown();
        FigureRequest request;
        request.camera = document().camera();
        request.scale = document().colorScale(shown);
        request.width = width;
        request.height = height;
        request.dpi = dpi;
        if (document().graticuleVisible()) {
            request.graticuleStep = document().graticuleStep();
            if (request.graticuleStep == 0.0)
                request.graticuleStep =
                    graticule(request.camera.geometry(width, height, request.camera.frame), 0.0)
                        .step;
        }
        request.title = entry.name;
        QStringList recipe;
        for (const std::string& line :
             state.history(state.recipeChain(entry.id).join(QStringLiteral("; ")) +
                               QStringLiteral("; view ") + describeView(request.camera),
                           {}))
            recipe << QString::fromStdString(line);
        request.recipe = recipe.join(QLatin1Char('\n'));
        state.exportInJob(
            path, JobLane::Compute,
            [map = entry.map, shown, request, path, overwrite](JobContext& job) mutable {
                const OneField one = oneField(map, shown, job);
                request.map = one.map;
                request.field = one.field;
                request.unit = QString::fromStdString(one.map->field(one.field).unit);
                writeFigure(request, path, overwrite, job);
            });
    });
}

}  // namespace armilla
