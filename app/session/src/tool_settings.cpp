// SPDX-License-Identifier: GPL-3.0-or-later
#include "armilla/session/tool_settings.h"

#include <QPointer>
#include <QScopedValueRollback>
#include <QUndoStack>
#include <utility>

#include "step_stamp.h"

namespace armilla {

// Holds the settings that differ, so that it leaves what the program has set meanwhile.
class ToolSettings::Step : public ValueStep<QJsonObject> {
public:
    Step(ToolSettings& settings, const QString& text, const QJsonObject& from,
         const QJsonObject& to)
        : ValueStep(text, from, to, settings.gesture_), settings_(&settings) {}
    int id() const override { return kToolCommand; }
    void undo() override {
        if (settings_) settings_->put(from_);
    }
    // The change is made before it is pushed.
    void redo() override {
        if (std::exchange(isMade_, false) || !settings_) return;
        settings_->put(to_);
    }
    bool mergeWith(const QUndoCommand* command) override {
        const auto* later = dynamic_cast<const Step*>(command);
        if (!later || later->settings_ != settings_ || later->to_.keys() != to_.keys() ||
            !isJoinedBy(*later))
            return false;
        take(*later);
        return true;
    }

private:
    const QPointer<ToolSettings> settings_;
    bool isMade_ = true;
};

ToolSettings::ToolSettings(QUndoStack& undo, const QString& tool, Access access, QObject* parent)
    : QObject(parent),
      undo_(undo),
      tool_(tool),
      access_(std::move(access)),
      start_(access_.read()),
      kept_(start_) {}

void ToolSettings::act(const QString& what, const std::function<void()>& change, Pace pace) {
    if (isActing_ || isDragging_) return change();
    {
        const QScopedValueRollback acting(isActing_, true);
        change();
    }
    note(what, pace);
}

void ToolSettings::note(const QString& what, Pace pace) {
    if (isActing_ || isDragging_) return;
    const QJsonObject now = access_.read();
    QJsonObject from, to;
    for (auto each = now.begin(); each != now.end(); ++each) {
        const QJsonValue before = kept_.value(each.key());
        if (before == each.value()) continue;
        from[each.key()] = before;
        to[each.key()] = each.value();
    }
    kept_ = now;
    if (to.isEmpty()) return;
    if (pace == Pace::Once) ++gesture_;
    undo_.push(new Step(*this, what.isEmpty() ? tool_ : tr("%1: %2").arg(tool_, what), from, to));
    if (pace == Pace::Once) ++gesture_;
}

void ToolSettings::follow() {
    if (!isActing_ && !isDragging_) kept_ = access_.read();
}

void ToolSettings::follow(const std::function<void()>& change) {
    if (isActing_ || isDragging_) return change();
    takeOver(change);
}

// Only what `change` changes becomes the start of the next step.
void ToolSettings::takeOver(const std::function<void()>& change) {
    const QScopedValueRollback acting(isActing_, true);
    const QJsonObject before = access_.read();
    change();
    const QJsonObject after = access_.read();
    for (auto each = after.begin(); each != after.end(); ++each)
        if (before.value(each.key()) != each.value()) kept_[each.key()] = each.value();
}

void ToolSettings::beginDrag() {
    follow();
    isDragging_ = true;
}

void ToolSettings::endDrag(const QString& what) {
    if (std::exchange(isDragging_, false)) note(what);
}

void ToolSettings::reset() {
    act(tr("reset"), [this] { access_.write(start_); });
}

bool ToolSettings::isAtStart() const {
    return access_.read() == start_;
}

void ToolSettings::put(const QJsonObject& values) {
    isDragging_ = false;
    takeOver([&] { access_.write(values); });
}

}  // namespace armilla

#include "armilla/session/moc_tool_settings.cpp"
