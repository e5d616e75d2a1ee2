// SPDX-License-Identifier: GPL-3.0-or-later
#include "armilla/draw/contours.h"

#include <array>
#include <cmath>
#include <cstdint>
#include <string>
#include <unordered_map>

#include "armilla/core/error.h"

namespace armilla {

namespace {

// Edges of the grid of pixel centers: 2 i is to the right of pixel i, 2 i + 1 below.
using Edge = int64_t;

// Marching squares: the pieces of one line, by the edges that they join.
class Squares {
public:
    Squares(std::span<const float> values, int width, int height, double level)
        : values_(values), width_(width), level_(level) {
        if (width < 1 || height < 1 ||
            values.size() != static_cast<size_t>(width) * static_cast<size_t>(height))
            throw InvalidArgument("expected values of " + std::to_string(width) + " x " +
                                  std::to_string(height) + " pixels, found " +
                                  std::to_string(values.size()));
    }

    // Calls link(edge, edge) for each piece of the squares below a row of pixels.
    template <class Link>
    void cutRow(int y, const Link& link) const {
        for (int x = 0; x + 1 < width_; ++x) cut(x, y, link);
    }

    ImagePoint pointOn(Edge edge) const {
        const int64_t pixel = edge / 2;
        const auto x = static_cast<int>(pixel % width_), y = static_cast<int>(pixel / width_);
        const bool isBelow = edge % 2 != 0;
        const double from = at(x, y), to = isBelow ? at(x, y + 1) : at(x + 1, y);
        const double t = (level_ - from) / (to - from);
        return {x + 0.5 + (isBelow ? 0.0 : t), y + 0.5 + (isBelow ? t : 0.0)};
    }

private:
    double at(int x, int y) const {
        return static_cast<double>(
            values_[static_cast<size_t>(y) * static_cast<size_t>(width_) + static_cast<size_t>(x)]);
    }
    Edge right(int x, int y) const { return 2 * (static_cast<Edge>(y) * width_ + x); }
    Edge below(int x, int y) const { return right(x, y) + 1; }

    template <class Link>
    void cut(int x, int y, const Link& link) const {
        const double a = at(x, y), b = at(x + 1, y), c = at(x + 1, y + 1), d = at(x, y + 1);
        const double mean = 0.25 * (a + b + c + d);
        if (!std::isfinite(mean)) return;
        const bool over[4] = {a >= level_, b >= level_, c >= level_, d >= level_};
        const Edge top = right(x, y), bottom = right(x, y + 1), left = below(x, y),
                   rightSide = below(x + 1, y);
        std::array<Edge, 4> met{};
        int count = 0;
        if (over[0] != over[1]) met[static_cast<size_t>(count++)] = top;
        if (over[1] != over[2]) met[static_cast<size_t>(count++)] = rightSide;
        if (over[2] != over[3]) met[static_cast<size_t>(count++)] = bottom;
        if (over[3] != over[0]) met[static_cast<size_t>(count++)] = left;
        if (count == 2) link(met[0], met[1]);
        if (count != 4) return;
        // A saddle: corners on the mean's side of the level are connected.
        if ((mean >= level_) == over[0]) {
            link(top, rightSide);
            link(bottom, left);
        } else {
            link(top, left);
            link(rightSide, bottom);
        }
    }

    std::span<const float> values_;
    int width_;
    double level_;
};

// Joins the pieces to lines.
class Lines {
public:
    Lines(const Squares& squares, int height) : squares_(squares) {
        for (int y = 0; y + 1 < height; ++y)
            squares.cutRow(y, [this](Edge a, Edge b) { link(a, b); });
    }

    std::vector<Polyline> lines() {
        std::vector<Polyline> lines;
        // Open lines first, from their ends; the remaining ones are closed.
        for (const bool open : {true, false})
            for (auto& [edge, next] : links_)
                if (next[0] >= 0 && (next[1] < 0) == open) lines.push_back(lineFrom(edge));
        return lines;
    }

private:
    void link(Edge a, Edge b) {
        for (const auto& [from, to] : {std::pair{a, b}, std::pair{b, a}}) {
            auto& next = links_.try_emplace(from, std::array<Edge, 2>{-1, -1}).first->second;
            next[next[0] < 0 ? 0 : 1] = to;
        }
    }

    // Removes the links along the line.
    Polyline lineFrom(Edge first) {
        Polyline line{squares_.pointOn(first)};
        Edge edge = first;
        while (true) {
            auto& next = links_.at(edge);
            const Edge to = next[0];
            if (to < 0) break;
            next = {next[1], -1};
            auto& back = links_.at(to);
            if (back[0] == edge)
                back = {back[1], -1};
            else
                back[1] = -1;
            line.push_back(squares_.pointOn(to));
            edge = to;
        }
        return line;
    }

    const Squares& squares_;
    std::unordered_map<Edge, std::array<Edge, 2>> links_;
};

// Rows between two polls: 2 ms of a wide picture.
constexpr int kRowsPerPoll = 64;

template <class Link>
void cutAll(const Squares& squares, int height, const Link& link, JobContext& job) {
    for (int y = 0; y + 1 < height; ++y) {
        if (y % kRowsPerPoll == 0) job.poll();
        squares.cutRow(y, link);
    }
}

}  // namespace

std::vector<Polyline> contourLines(std::span<const float> values, int width, int height,
                                   double level) {
    return Lines(Squares(values, width, height, level), height).lines();
}

void forEachContourPiece(std::span<const float> values, int width, int height, double level,
                         const std::function<void(ImagePoint, ImagePoint)>& visit,
                         JobContext& job) {
    const Squares squares(values, width, height, level);
    cutAll(
        squares, height, [&](Edge a, Edge b) { visit(squares.pointOn(a), squares.pointOn(b)); },
        job);
}

int64_t contourPieceCount(std::span<const float> values, int width, int height, double level,
                          JobContext& job) {
    int64_t count = 0;
    cutAll(
        Squares(values, width, height, level), height, [&](Edge, Edge) { ++count; }, job);
    return count;
}

}  // namespace armilla
