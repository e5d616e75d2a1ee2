// SPDX-License-Identifier: GPL-3.0-or-later
#include "view/canvas_choice.h"

#include <utility>

#include "view/cpu_canvas.h"
#include "view/gl_canvas.h"

namespace armilla {

CanvasChoice::CanvasChoice(SkyViewWidget& view, SkyOverlay& overlay,
                           std::function<CanvasEvents()> events, std::function<void()> replaced)
    : view_(view), overlay_(overlay), events_(std::move(events)), replaced_(std::move(replaced)) {}

void CanvasChoice::choose(DrawChoice choice) {
    if (std::exchange(choice_, choice) != choice && canvas_) make();
}

void CanvasChoice::make() {
    fallBackLine_.clear();
    canvas_.reset();
    if (choice_ == DrawChoice::Cpu) return replace(std::make_unique<CpuCanvas>(events_(), &view_));
    if (!GlCanvas::isPossible()) return fallBack(SkyViewWidget::tr("This display has no OpenGL"));
    const GlPreference preference = choice_ == DrawChoice::Cuda     ? GlPreference::Cuda
                                    : choice_ == DrawChoice::OpenGl ? GlPreference::OpenGl
                                                                    : GlPreference::Fastest;
    // Software OpenGL blocks the window while it draws; CPU threads do the same work in parallel.
    if (choice_ == DrawChoice::Automatic)
        if (const auto drawback = GlCanvas::drawback()) return fallBack(*drawback);
    replace(std::make_unique<GlCanvas>(events_(), preference, overlay_, &view_));
}

void CanvasChoice::replace(std::unique_ptr<SkyCanvas> made) {
    canvas_ = std::move(made);
    emit view_.pictureDeviceChanged(std::nullopt);  // until the canvas reports its device
    QWidget* widget = canvas_->widget();
    widget->setAttribute(Qt::WA_TransparentForMouseEvents);
    widget->setFocusPolicy(Qt::NoFocus);
    widget->setGeometry(view_.rect());
    widget->lower();
    widget->show();
    replaced_();
    if (!canvas_->pathName().isEmpty()) emit view_.pathChanged(view_.pathName());
}

void CanvasChoice::fallBack(const QString& line) {
    fallBackLine_ = line;
    canvas_.reset();
    replace(std::make_unique<CpuCanvas>(events_(), &view_));
    // For an automatic choice, the method's name and its tool tip suffice.
    if (choice_ != DrawChoice::Automatic)
        emit view_.messageRaised(SkyViewWidget::tr("%1; the CPU draws instead").arg(fallBackLine_),
                                 true);
}

}  // namespace armilla
