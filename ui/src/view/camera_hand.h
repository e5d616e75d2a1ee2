// SPDX-License-Identifier: GPL-3.0-or-later
// From the movements of a hand to cameras: dragging with a little inertia, zooming in small steps,
// flights to a place. Lengths are device pixels of the panel under the hand.
#pragma once

#include <QElapsedTimer>
#include <QObject>
#include <QPointF>
#include <QSize>
#include <QTimer>
#include <deque>

#include "render/camera.h"

namespace armilla {

// Somebody asked for the place itself, or chose something that lies there, or it is where the data
// lie.
enum class Flight { Asked, Following, ToData };

class CameraHand : public QObject {
    Q_OBJECT
public:
    explicit CameraHand(QObject* parent = nullptr);

    // The camera as it is now. One that this hand did not ask for ends what it was doing.
    void setCamera(const Camera& camera);
    void setInertia(bool on) { inertia_ = on; }
    bool inertia() const { return inertia_; }

    void press(QSize panel, QPointF at);
    void move(QPointF at);
    void release();
    bool isHolding() const { return holding_; }
    // At once (a touch pad, which is smooth by itself), or spread over a tenth of a second (a wheel
    // with notches). Either way the direction under `at` stays there.
    void zoomAtOnce(QSize panel, QPointF at, double logFactor);
    void zoomSmoothly(QSize panel, QPointF at, double logFactor);
    // Turns the sphere as if a hand dragged it by this much from the middle.
    void nudge(QSize panel, QPointF by);
    // In a quarter of a second, along the shortest rotation.
    void flyTo(const Camera& target, Flight flight = Flight::Asked);
    void stop();
    // Something moves, or a hand holds the sphere.
    bool isMoving() const;
    // Why the camera that cameraRequested tells is asked for; by the hand itself: Asked.
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

    // Drag: every camera is made from the one at the press, so that errors cannot add up.
    bool holding_ = false;
    Camera pressCamera_;
    QPointF pressAt_, at_;
    std::deque<Sample> samples_;
    QPointF velocity_;  // pixels a second; not zero: gliding

    QPointF zoomAt_;
    double zoomLeft_ = 0.0;  // logarithm of the factor still to be applied

    bool flying_ = false;
    Flight flight_ = Flight::Asked, cause_ = Flight::Asked;
    Camera flightStart_, flightEnd_;
    QElapsedTimer flightTime_;

    QTimer timer_;
    QElapsedTimer clock_, tickTime_;
};

// The camera on the way between two, 0 <= share <= 1: zoom geometrically, orientation along the
// shortest rotation. Projection, frame and flip are the end's.
Camera between(const Camera& start, const Camera& end, double share);

}  // namespace armilla
