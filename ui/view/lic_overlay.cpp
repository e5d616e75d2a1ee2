// SPDX-License-Identifier: GPL-3.0-or-later
#include "view/lic_overlay.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "armilla/core/error.h"
#include "view/picture.h"
#include "view/picture_worker.h"

namespace armilla {
namespace {

constexpr long long kRows = 8;
// Pixels of a coarse shade, which takes some milliseconds between two frames.
constexpr double kCoarsePixels = 40000.0;

bool isSameRequest(const TextureRecipe& a, const TextureRecipe& b) {
    const bool samePart = a.part.has_value() == b.part.has_value() &&
                          (!a.part || (angularDistance(a.part->center, b.part->center) == 0.0 &&
                                       a.part->radius == b.part->radius));
    return a.map == b.map && a.qField == b.qField && a.uField == b.uField &&
           a.convention == b.convention && a.nside == b.nside && samePart;
}

}  // namespace

bool TextureRecipe::serves(const TextureRecipe& other) const {
    if (map != other.map || qField != other.qField || uField != other.uField ||
        convention != other.convention || nside != other.nside)
        return false;
    if (!part) return true;
    return other.part && angularDistance(part->center, other.part->center) + other.part->radius <=
                             part->radius * (1.0 + 1e-9);
}

QImage licImage(const LineIntegralTexture& texture, const ViewGeometry& view, double share,
                JobContext& job) {
    const ViewGeometry seen = share < 1.0 ? coarser(view, share) : view;
    QImage image(seen.width, seen.height, QImage::Format_ARGB32_Premultiplied);
    image.fill(Qt::transparent);
    const auto line = static_cast<size_t>(image.bytesPerLine());
    uchar* bits = image.bits();
    parallelFor(job, seen.height, kRows, [&](long long begin, long long end) {
        for (long long row = begin; row < end; ++row) {
            auto* pixels = reinterpret_cast<QRgb*>(bits + static_cast<size_t>(row) * line);
            for (int column = 0; column < seen.width; ++column) {
                Vec3 at;
                if (!skyFromImage(seen, column + 0.5, static_cast<double>(row) + 0.5, at)) continue;
                const float value = texture.valueAt(at);
                if (std::isnan(value)) continue;
                pixels[column] =
                    qRgba(0, 0, 0, static_cast<int>(std::lround(255.0 * (1.0 - licLight(value)))));
            }
        }
    });
    return image;
}

LicOverlay::LicOverlay(QObject* parent) : QObject(parent) {
    thread_ = std::jthread([this](const std::stop_token& stop) { loop(stop); });
}

LicOverlay::~LicOverlay() {
    thread_.request_stop();
    {
        const std::lock_guard lock(mutex_);
        current_.request_stop();
    }
    thread_.join();
}

const LicOverlay::Made* LicOverlay::best(const TextureRecipe& recipe) const {
    if (part_ && part_->recipe.serves(recipe)) return &*part_;
    if (whole_ && whole_->recipe.serves(recipe)) return &*whole_;
    // A coarser texture of the whole sky, used until that of the view is ready.
    TextureRecipe coarse = recipe;
    coarse.part.reset();
    if (whole_) coarse.nside = whole_->recipe.nside;
    return whole_ && whole_->recipe.serves(coarse) ? &*whole_ : nullptr;
}

QImage LicOverlay::shade(const TextureRecipe& recipe, const Camera& camera,
                         const ViewGeometry& view, bool moving) {
    const Made* made = best(recipe);
    const bool isBest = made && made->recipe.serves(recipe);
    if (isBest && of_ == made->texture.get() && looksSame(camera, camera_) &&
        size_ == QSize(view.width, view.height))
        return image_;
    // A texture is computed when the view rests, or at once if there is none.
    if (!moving || !made) {
        Request next{recipe, camera, view, isBest ? made->texture : nullptr};
        // Larger than the visible part, so that the next small rotation can use the texture.
        if (next.recipe.part && !isBest)
            next.recipe.part->radius = std::min(1.5 * next.recipe.part->radius, kPi);
        if (!isPending(next)) request(std::move(next));
    }
    if (!made) return {};
    const double share =
        std::min(1.0, std::sqrt(kCoarsePixels / (static_cast<double>(view.width) * view.height)));
    JobContext job({}, {}, PictureWorker::threads());
    return licImage(*made->texture, view, share, job);
}

void LicOverlay::forget() {
    const std::lock_guard lock(mutex_);
    current_.request_stop();
    waiting_.reset();
    pending_.reset();
    whole_.reset();
    part_.reset();
    of_ = nullptr;
    image_ = {};
}

bool LicOverlay::isBusy() const {
    return pending_.has_value();
}

bool LicOverlay::isPending(const Request& other) const {
    return pending_ && isSameRequest(pending_->recipe, other.recipe) &&
           pending_->texture == other.texture &&
           (!other.texture || (looksSame(pending_->camera, other.camera) &&
                               pending_->view.width == other.view.width &&
                               pending_->view.height == other.view.height));
}

void LicOverlay::request(Request next) {
    {
        const std::lock_guard lock(mutex_);
        pending_ = next;
        waiting_ = std::move(next);
        current_.request_stop();
    }
    wake_.notify_one();
}

void LicOverlay::loop(const std::stop_token& stop) {
    while (true) {
        Request next;
        std::stop_token stopCurrent;
        {
            std::unique_lock lock(mutex_);
            if (!wake_.wait(lock, stop, [this] { return waiting_.has_value(); })) return;
            next = std::move(*waiting_);
            waiting_.reset();
            current_ = std::stop_source();
            stopCurrent = current_.get_token();
        }
        if (stop.stop_requested()) return;
        try {
            JobContext job(stopCurrent, {}, PictureWorker::threads());
            auto texture = next.texture;
            const TextureRecipe& of = next.recipe;
            if (!texture)
                texture = LineIntegralTexture::build(*of.map, of.qField, of.uField, of.convention,
                                                     of.nside, of.part, job);
            const QImage image = licImage(*texture, next.view, 1.0, job);
            QMetaObject::invokeMethod(
                this, [this, next, texture, image] { take(next, texture, image); },
                Qt::QueuedConnection);
        } catch (const Cancelled&) {
            // A newer request is pending, or nothing is shaded any more.
        } catch (const std::exception&) {
            // Without memory for a texture the map is shown unshaded.
        }
    }
}

void LicOverlay::take(const Request& done,
                      const std::shared_ptr<const LineIntegralTexture>& texture,
                      const QImage& image) {
    if (!pending_) return;  // dropped by forget()
    (done.recipe.part ? part_ : whole_) = Made{done.recipe, texture};
    camera_ = done.camera;
    size_ = {done.view.width, done.view.height};
    of_ = texture.get();
    image_ = image;
    if (isPending(done)) pending_.reset();  // otherwise a newer request is pending
    emit changed();
}

}  // namespace armilla

#include "moc_lic_overlay.cpp"
