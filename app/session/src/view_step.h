// SPDX-License-Identifier: GPL-3.0-or-later
// Steps of the history that change the view, and cameras for layers that come.
#pragma once

#include <QUndoCommand>

#include "armilla/session/document_view.h"
#include "step_stamp.h"

namespace armilla {

bool sameCamera(const Camera& a, const Camera& b);
// The camera for a view whose first shown map becomes `frame`.
Camera adapted(const Camera& camera, Frame frame);
// The whole sky in place of a camera that was moved. The projection of a camera at home stays.
Camera unmoved(const Camera& camera);

// The changed part of the view; steps merge only if each changes the same single part.
enum class ViewAspect { Other, Motion, DataPlace, Divider };

class ViewStep : public QUndoCommand {
public:
    ViewStep(DocumentView& view, const QString& text, const ViewState& to, ViewAspect aspect,
             int gesture);
    int id() const override { return kViewCommand; }
    void undo() override { view_.apply(to_, from_); }
    void redo() override { view_.apply(from_, to_); }
    bool mergeWith(const QUndoCommand* command) override;
    bool looksAtData() const { return aspect_ == ViewAspect::DataPlace; }
    const Camera& camera() const { return to_.camera; }
    const StepStamp& stamp() const { return stamp_; }

private:
    bool isOfCamera() const {
        return aspect_ == ViewAspect::Motion || aspect_ == ViewAspect::DataPlace;
    }

    DocumentView& view_;
    ViewState from_, to_;
    ViewAspect aspect_;
    StepStamp stamp_;
};

}  // namespace armilla
