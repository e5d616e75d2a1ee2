// SPDX-License-Identifier: GPL-3.0-or-later
// Converts pointer movements to cameras: dragging with a little inertia, smooth zooming, flights to
// a position. Lengths are device pixels of the panel under the pointer.
#pragma once

#include <QElapsedTimer>
#include <QObject>
#include <QPointF>
#include <QSize>
#include <QTimer>
#include <deque>

#include "armilla/draw/camera.h"

namespace armilla {

// Reason of a flight: the user requested the position itself, or selected an object there, or the
// data lie there.
enum class Flight { Asked, Following, ToData };

class CameraPointer : public QObject {
    Q_OBJECT
public:
    explicit CameraPointer(QObject* parent = nullptr);

    // Sets the present camera. A camera that this object did not request ends its motion.
    void setCamera(const Camera& camera);
    void setInertia(bool on) { inertia_ = on; }

    void press(QSize panel, QPointF at);
    void move(QPointF at);
    void release();
    bool isHolding() const { return holding_; }
    // At once (a touch pad, which is smooth itself), or within a tenth of a second (a wheel with
    // notches). The direction under `at` stays in place in both cases.
    void zoomAtOnce(QSize panel, QPointF at, double logFactor);
    void zoomSmoothly(QSize panel, QPointF at, double logFactor);
    // Rotates the sphere like a drag by this vector from the center.
    void nudge(QSize panel, QPointF by);
    // Takes a quarter of a second, along the shortest rotation.
    void flyTo(const Camera& target, Flight flight = Flight::Asked);
    void stop();
    // True while something moves or the pointer holds the sphere.
    bool isMoving() const;
    // Reason of the cameraRequested signal; Asked for pointer input.
    Flight cause() const { return cause_; }

signals:
    void cameraRequested(const armilla::Camera& camera);
    void movementEnded();

private:
    void tick();
    void tickInertia(double seconds);
    void tickZoom(double seconds);
    void tickFlight();
    void startTicking();
    void requestCamera(const Camera& camera);
    void dragTo(QPointF at);

    struct Sample {
        qint64 time;
        QPointF at;
    };

    Camera camera_;
    bool requesting_ = false;
    bool inertia_ = true;
    QSize panel_;

    // Drag: every camera is computed from pressCamera_, so that errors do not accumulate.
    bool holding_ = false;
    Camera pressCamera_;
    QPointF pressAt_, at_;
    std::deque<Sample> samples_;
    QPointF velocity_;  // pixels a second; nonzero while gliding

    QPointF zoomAt_;
    double zoomLeft_ = 0.0;  // logarithm of the remaining zoom factor

    bool flying_ = false;
    Flight flight_ = Flight::Asked, cause_ = Flight::Asked;
    Camera flightStart_, flightEnd_;
    QElapsedTimer flightTime_;

    QTimer timer_;
    QElapsedTimer clock_, tickTime_;
};

// The camera between two, 0 <= share <= 1: zoom geometric, orientation along the shortest rotation.
// Projection, frame and flip are those of the end.
Camera between(const Camera& start, const Camera& end, double share);

}  // namespace armilla
