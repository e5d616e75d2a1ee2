// SPDX-License-Identifier: GPL-3.0-or-later
#include "view/camera_pointer.h"

#include <algorithm>
#include <cmath>

#include "view/picture.h"

namespace armilla {
namespace {

constexpr int kTickMilliseconds = 12;
constexpr double kZoomTime = 0.045;    // time constant of a zoom, seconds
constexpr double kGlideTime = 0.14;    // time constant of a glide, seconds
constexpr double kGlideStart = 180.0;  // pixels a second; slower drags end without inertia
constexpr double kGlideEnd = 15.0;
constexpr double kGlideLimit = 4000.0;
constexpr qint64 kPointerMemory = 60;  // milliseconds over which the pointer speed is averaged
constexpr double kFlightMilliseconds = 250.0;

// Axis times angle of a rotation, and back (Rodrigues).
Vec3 rotationVector(const Mat3& r) {
    const Vec3 twice{r.m[7] - r.m[5], r.m[2] - r.m[6], r.m[3] - r.m[1]};
    const double sine = 0.5 * norm(twice);
    const double cosine = 0.5 * (r.m[0] + r.m[4] + r.m[8] - 1.0);
    const double angle = std::atan2(sine, cosine);
    if (sine > 1e-7) return (0.5 * angle / sine) * twice;
    if (cosine > 0.0) return 0.5 * twice;
    // A rotation by half a turn: r = 2 k k^T - 1, so the largest column of r + 1 is along the axis
    // k.
    const Vec3 columns[] = {{r.m[0] + 1.0, r.m[3], r.m[6]},
                            {r.m[1], r.m[4] + 1.0, r.m[7]},
                            {r.m[2], r.m[5], r.m[8] + 1.0}};
    const Vec3 longest = *std::max_element(std::begin(columns), std::end(columns),
                                           [](Vec3 a, Vec3 b) { return norm(a) < norm(b); });
    return kPi * normalized(longest);
}

Mat3 rotationOf(Vec3 vector) {
    const double angle = norm(vector);
    if (angle == 0.0) return {};
    const Vec3 k = (1.0 / angle) * vector;
    const double c = std::cos(angle), s = std::sin(angle), d = 1.0 - c;
    return {{c + k.x * k.x * d, k.x * k.y * d - k.z * s, k.x * k.z * d + k.y * s,
             k.y * k.x * d + k.z * s, c + k.y * k.y * d, k.y * k.z * d - k.x * s,
             k.z * k.x * d - k.y * s, k.z * k.y * d + k.x * s, c + k.z * k.z * d}};
}

}  // namespace

Camera between(const Camera& start, const Camera& end, double share) {
    Camera camera = end;
    if (share >= 1.0) return camera;
    const Vec3 turn = rotationVector(transposed(start.orientation) * end.orientation);
    camera.orientation = start.orientation * rotationOf(share * turn);
    camera.zoom = start.zoom * std::pow(end.zoom / start.zoom, share);
    camera.offset = {start.offset.x + share * (end.offset.x - start.offset.x),
                     start.offset.y + share * (end.offset.y - start.offset.y)};
    return camera;
}

CameraPointer::CameraPointer(QObject* parent) : QObject(parent) {
    timer_.setInterval(kTickMilliseconds);
    timer_.setTimerType(Qt::PreciseTimer);
    connect(&timer_, &QTimer::timeout, this, &CameraPointer::tick);
    clock_.start();
}

void CameraPointer::setCamera(const Camera& camera) {
    const bool foreign = !requesting_ && !looksSame(camera, camera_);
    camera_ = camera;
    if (foreign) stop();
}

void CameraPointer::requestCamera(const Camera& camera) {
    requesting_ = true;
    camera_ = camera;
    emit cameraRequested(camera);
    requesting_ = false;
}

void CameraPointer::press(QSize panel, QPointF at) {
    stop();
    holding_ = true;
    panel_ = panel;
    pressCamera_ = camera_;
    pressAt_ = at_ = at;
    samples_ = {{clock_.elapsed(), at}};
}

void CameraPointer::dragTo(QPointF at) {
    at_ = at;
    requestCamera(pressCamera_.dragged(panel_.width(), panel_.height(), pressAt_.x(), pressAt_.y(),
                                       at.x(), at.y()));
}

void CameraPointer::move(QPointF at) {
    if (!holding_) return;
    const qint64 now = clock_.elapsed();
    samples_.push_back({now, at});
    while (samples_.size() > 2 && now - samples_.front().time > kPointerMemory)
        samples_.pop_front();
    dragTo(at);
}

void CameraPointer::release() {
    if (!holding_) return;
    holding_ = false;
    const qint64 now = clock_.elapsed();
    const Sample& oldest = samples_.front();
    const double seconds = 1e-3 * static_cast<double>(now - oldest.time);
    if (inertia_ && now - samples_.back().time < kPointerMemory && seconds > 0.0) {
        velocity_ = (at_ - oldest.at) / seconds;
        const double speed = std::hypot(velocity_.x(), velocity_.y());
        if (speed > kGlideLimit) velocity_ *= kGlideLimit / speed;
        if (speed < kGlideStart) velocity_ = {};
    }
    if (velocity_.isNull())
        emit movementEnded();
    else
        startTicking();
}

void CameraPointer::zoomAtOnce(QSize panel, QPointF at, double logFactor) {
    if (holding_) return;
    velocity_ = {};
    flying_ = false;
    requestCamera(
        camera_.zoomed(panel.width(), panel.height(), at.x(), at.y(), std::exp(logFactor)));
}

void CameraPointer::zoomSmoothly(QSize panel, QPointF at, double logFactor) {
    if (holding_) return;
    velocity_ = {};
    flying_ = false;
    panel_ = panel;
    zoomAt_ = at;
    zoomLeft_ += logFactor;
    startTicking();
}

void CameraPointer::nudge(QSize panel, QPointF by) {
    if (holding_) return;
    stop();
    const double x = 0.5 * panel.width(), y = 0.5 * panel.height();
    requestCamera(camera_.dragged(panel.width(), panel.height(), x, y, x + by.x(), y + by.y()));
}

void CameraPointer::flyTo(const Camera& target, Flight flight) {
    stop();
    flight_ = flight;
    flightStart_ = camera_;
    flightEnd_ = target;
    flying_ = true;
    flightTime_.start();
    startTicking();
}

void CameraPointer::stop() {
    const bool moved = isMoving();
    holding_ = false;
    flying_ = false;
    velocity_ = {};
    zoomLeft_ = 0.0;
    timer_.stop();
    if (moved) emit movementEnded();
}

bool CameraPointer::isMoving() const {
    return holding_ || flying_ || zoomLeft_ != 0.0 || !velocity_.isNull();
}

void CameraPointer::startTicking() {
    if (timer_.isActive()) return;
    tickTime_.start();
    timer_.start();
}

void CameraPointer::tick() {
    const double seconds = 1e-9 * static_cast<double>(tickTime_.nsecsElapsed());
    tickTime_.restart();
    if (zoomLeft_ != 0.0) tickZoom(seconds);
    if (!velocity_.isNull()) tickInertia(seconds);
    if (flying_) tickFlight();
    if (!isMoving()) {
        timer_.stop();
        emit movementEnded();
    }
}

void CameraPointer::tickZoom(double seconds) {
    double step = zoomLeft_ * (1.0 - std::exp(-seconds / kZoomTime));
    if (std::abs(zoomLeft_) < 0.004) step = zoomLeft_;
    zoomLeft_ -= step;
    requestCamera(
        camera_.zoomed(panel_.width(), panel_.height(), zoomAt_.x(), zoomAt_.y(), std::exp(step)));
}

void CameraPointer::tickInertia(double seconds) {
    const double kept = std::exp(-seconds / kGlideTime);
    const QPointF way = velocity_ * (kGlideTime * (1.0 - kept));
    velocity_ *= kept;
    if (std::hypot(velocity_.x(), velocity_.y()) < kGlideEnd) velocity_ = {};
    dragTo(at_ + way);
}

void CameraPointer::tickFlight() {
    const double share = static_cast<double>(flightTime_.elapsed()) / kFlightMilliseconds;
    flying_ = share < 1.0;
    // Smooth start and end: 3 t^2 - 2 t^3.
    const double eased = flying_ ? share * share * (3.0 - 2.0 * share) : 1.0;
    cause_ = flight_;
    requestCamera(between(flightStart_, flightEnd_, eased));
    cause_ = Flight::Asked;
}

}  // namespace armilla

#include "moc_camera_pointer.cpp"
