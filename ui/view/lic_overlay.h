// SPDX-License-Identifier: GPL-3.0-or-later
// Line integral convolution along the polarization as a shade over the picture, updated while the
// view rotates.
#pragma once

#include <QImage>
#include <QObject>
#include <QRect>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <thread>

#include "armilla/core/healpix_map.h"
#include "armilla/draw/camera.h"
#include "armilla/draw/line_integral.h"

namespace armilla {

// Inputs of a line integral convolution texture.
struct TextureRecipe {
    std::shared_ptr<const HealpixMap> map;
    int qField = 0, uField = 1;
    PolarizationConvention convention = PolarizationConvention::Cosmo;
    int64_t nside = 1;
    std::optional<TexturePart> part;  // none: the whole sky
    // True if a texture of this recipe also serves for another recipe.
    bool serves(const TextureRecipe& other) const;
};

// Black with the alpha that gives the lightness of the texture; `share`: resolution relative to the
// view's. Throws Cancelled.
QImage licImage(const LineIntegralTexture& texture, const ViewGeometry& view, double share,
                JobContext& job);

// Computes textures and fine shades in a separate thread; the latest request wins. While the view
// moves, a coarse shade is computed at once from the existing texture.
class LicOverlay : public QObject {
    Q_OBJECT
public:
    explicit LicOverlay(QObject* parent = nullptr);
    ~LicOverlay() override;

    // The shade of a view of the map, as large as the view's panel; null while there is none. If a
    // finer shade is pending, changed() is emitted when it is ready.
    QImage shade(const TextureRecipe& recipe, const Camera& camera, const ViewGeometry& view,
                 bool moving);
    void forget();  // drops textures and shades
    bool isBusy() const;

signals:
    void changed();

private:
    struct Request {
        TextureRecipe recipe;
        Camera camera;
        ViewGeometry view;
        std::shared_ptr<const LineIntegralTexture> texture;  // none: to be computed
    };
    struct Made {
        TextureRecipe recipe;
        std::shared_ptr<const LineIntegralTexture> texture;
    };
    const Made* best(const TextureRecipe& recipe) const;
    bool isPending(const Request& request) const;
    void request(Request request);
    void loop(const std::stop_token& stop);
    void take(const Request& request, const std::shared_ptr<const LineIntegralTexture>& texture,
              const QImage& image);

    std::optional<Made> whole_, part_;
    // The last full-resolution shade.
    Camera camera_;
    QSize size_;
    const LineIntegralTexture* of_ = nullptr;
    QImage image_;
    std::optional<Request> pending_;  // pending request

    mutable std::mutex mutex_;
    std::condition_variable_any wake_;
    std::optional<Request> waiting_;
    std::stop_source current_{std::nostopstate};
    std::jthread thread_;  // last member: stopped before the others are destroyed
};

}  // namespace armilla
