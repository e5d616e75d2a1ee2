// SPDX-License-Identifier: GPL-3.0-or-later
#include "view/inspector_place.h"

#include <algorithm>
#include <utility>

#include "view/view_contents.h"

namespace armilla {
namespace {

constexpr int kNarrowView = 520;  // logical pixels
constexpr int kInspectorMargin = 18;
constexpr int kInspectorGap = 5;      // between the card and the sky
constexpr double kLeastHeight = 0.6;  // picture height relative to its width
constexpr double kOverSky = 0.45;     // largest fraction of the view's height if no corner is free

}  // namespace

// Tested against the whole sky, not the present zoom, so that the card stays in place while the
// view moves.
bool InspectorPlace::coversSky(QSize card) const {
    constexpr int samples = 8;
    const double ratio = view_.devicePixelRatioF();
    const ViewGeometry whole = wholeSky(document_, deviceSize(view_));
    const auto isOnSky = [&](double x, double y) {
        Vec3 direction;
        return skyFromImage(whole, ratio * x, ratio * y, direction);
    };
    const double left = view_.width() - kInspectorMargin - kInspectorGap - card.width();
    const double top = view_.height() - kInspectorMargin - kInspectorGap - card.height();
    for (int i = 0; i <= samples; ++i) {
        const double share = i / static_cast<double>(samples);
        if (isOnSky(left + (card.width() + kInspectorGap) * share, top) ||
            isOnSky(left, top + (card.height() + kInspectorGap) * share))
            return true;
    }
    return false;
}

QSize InspectorPlace::sizeFor(QSize most) const {
    constexpr int step = 6;
    const QSize least = inspector_.leastSize();
    // Title and value have a fixed height. A lower picture would show a row of pixels, not a
    // region.
    const int texts = least.height() - inspector_.pictureSize(least).height();
    const auto isStripe = [&](QSize size) {
        return size.height() - texts < kLeastHeight * size.width();
    };
    const auto pictured = [&](QSize size) { return size.width() * (size.height() - texts); };
    QSize best(0, texts);
    for (int width = most.width(); width >= least.width(); width -= step)
        for (int height = most.height(); height >= least.height(); height -= step) {
            const QSize size(width, height);
            if (isStripe(size)) break;
            if (pictured(size) <= pictured(best) || coversSky(size)) continue;
            best = size;
            break;
        }
    if (best.width() > 0) return best;
    const int low = std::min(most.height(), static_cast<int>(kOverSky * view_.height()));
    QSize over(most.width(), std::max(least.height(), low));
    while (over.width() > least.width() && isStripe(over)) over.setWidth(over.width() - step);
    return over;
}

void InspectorPlace::update() {
    constexpr int margin = kInspectorMargin;
    // In a narrow view the color bar has priority. In a low view only the folded card leaves the
    // sky visible. An inspector that the user unfolds there stays unfolded.
    const bool isNarrow = view_.width() < kNarrowView || (coversSky(inspector_.leastSize()) &&
                                                          !coversSky(inspector_.foldedSize()));
    if (isNarrow != wasNarrow_) {
        wasNarrow_ = isNarrow;
        if (isNarrow) {
            isFolded_ = !inspector_.isCollapsed();
            inspector_.setCollapsed(true);
        } else if (std::exchange(isFolded_, false)) {
            inspector_.setCollapsed(false);
        }
    }
    const QSize card = inspector_.sizeHint();
    inspector_.resize(inspector_.isCollapsed() ? card : sizeFor(card));
    inspector_.move(view_.width() - inspector_.width() - margin,
                    view_.height() - inspector_.height() - margin);
    inspector_.raise();
}

}  // namespace armilla
