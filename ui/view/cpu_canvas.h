// SPDX-License-Identifier: GPL-3.0-or-later
// Shows pictures drawn by CPU threads; needs no OpenGL.
#pragma once

#include "view/picture_worker.h"
#include "view/sky_canvas.h"

namespace armilla {

// Paints the tiles of a picture; the painter is in device pixels.
void paintTiles(QPainter& painter, const Picture& picture);

class CpuCanvas : public QWidget, public SkyCanvas {
    Q_OBJECT
public:
    CpuCanvas(CanvasEvents events, QWidget* parent);

    QWidget* widget() override { return this; }
    void draw(const PictureRequest& request) override;
    QString pathName() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    PictureWorker worker_;
    Picture picture_;
    bool isNew_ = false;  // not painted yet
    QColor background_;
};

}  // namespace armilla
