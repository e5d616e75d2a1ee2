// SPDX-License-Identifier: GPL-3.0-or-later
#include "armilla/figure/image_places.h"

#include <mutex>
#include <utility>
#include <vector>

#include "armilla/io/image_file.h"

namespace armilla {

namespace {

class WcsPlaces : public ImagePlaces {
public:
    explicit WcsPlaces(const Image& image) : frame_(image.frame), first_(image) {}

    Frame frame() const override { return frame_; }
    void pixels(std::span<const Vec3> directions, std::span<double> x,
                std::span<double> y) const override {
        withCopy([&](const ImageWcs& wcs) { wcs.pixels(directions, x, y); });
    }
    void directions(std::span<const double> x, std::span<const double> y,
                    std::span<Vec3> out) const override {
        withCopy([&](const ImageWcs& wcs) { wcs.directions(x, y, out); });
    }
    bool hasFacets() const override { return first_.hasFacets(); }

private:
    // Gives `use` a copy that no other thread uses at the same time. If `use` throws, its copy is
    // dropped.
    template <class Use>
    void withCopy(const Use& use) const {
        ImageWcs wcs = taken();
        use(wcs);
        const std::lock_guard hold(lock_);
        idle_.push_back(std::move(wcs));
    }
    ImageWcs taken() const {
        const std::lock_guard hold(lock_);
        if (idle_.empty()) return first_.copy();
        ImageWcs wcs = std::move(idle_.back());
        idle_.pop_back();
        return wcs;
    }

    Frame frame_;
    ImageWcs first_;
    mutable std::mutex lock_;
    mutable std::vector<ImageWcs> idle_;
};

}  // namespace

std::shared_ptr<const ImagePlaces> placesOf(const Image& image) {
    return std::make_shared<const WcsPlaces>(image);
}

}  // namespace armilla
