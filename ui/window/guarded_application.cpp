// SPDX-License-Identifier: GPL-3.0-or-later
#include "armilla/ui/guarded_application.h"

#include <QEvent>
#include <QMetaEnum>
#include <cstdio>
#include <exception>
#include <optional>

#include "armilla/session/failure.h"

namespace armilla {

namespace {

// True for a deliberate action of the user, after which an error line may appear again.
bool isAct(QEvent::Type type) {
    return type == QEvent::MouseButtonPress || type == QEvent::MouseButtonDblClick ||
           type == QEvent::KeyPress || type == QEvent::Drop;
}

constexpr const char* kNoMemory =
    "armilla: expected memory for a message about a failure, found none\n";

}  // namespace

GuardedApplication::GuardedApplication(int& argc, char** argv) : QApplication(argc, argv) {}

bool GuardedApplication::notify(QObject* receiver, QEvent* event) {
    // The handler may delete both receiver and event.
    const char* const name = receiver ? receiver->metaObject()->className() : "nothing";
    const QEvent::Type type = event->type();
    if (isAct(type)) {
        const std::lock_guard lock(guard_);
        reported_.clear();
    }
    try {
        return QApplication::notify(receiver, event);
    } catch (...) {
        report(name, type);
        return true;
    }
}

void GuardedApplication::report(const char* receiver, int eventType) noexcept {
    try {
        const char* const type = QMetaEnum::fromType<QEvent::Type>().valueToKey(eventType);
        tell(QStringLiteral("event %1 of %2")
                 .arg(type ? QString::fromLatin1(type) : QString::number(eventType),
                      QString::fromLatin1(receiver)));
    } catch (...) {
        std::fputs(kNoMemory, stderr);
    }
}

void GuardedApplication::tell(const QString& where) {
    const std::optional<QString> line = failureLine(std::current_exception());
    if (!line) return;  // a cancelled job
    const QString words = QStringLiteral("armilla: %1 (%2)").arg(*line, where);
    {
        const std::lock_guard lock(guard_);
        if (!reported_.insert(words).second) return;
    }
    qWarning("%s", qPrintable(words));
    QMetaObject::invokeMethod(
        this, [this, line] { emit failed(*line); }, Qt::QueuedConnection);
}

void GuardedApplication::reportFailure(const char* where) noexcept {
    try {
        if (auto* application = qobject_cast<GuardedApplication*>(QCoreApplication::instance()))
            return application->tell(QString::fromLatin1(where));
        if (const auto line = failureLine(std::current_exception()))
            qWarning("armilla: %s (%s)", qPrintable(*line), where);
    } catch (...) {
        std::fputs(kNoMemory, stderr);
    }
}

int GuardedApplication::run(const std::function<void()>& keepWork) {
    const auto log = [] {
        if (const auto line = failureLine(std::current_exception()))
            qWarning("armilla: %s", qPrintable(*line));
    };
    try {
        return exec();
    } catch (...) {
        log();
    }
    try {
        keepWork();
    } catch (...) {
        log();
    }
    return 1;
}

}  // namespace armilla

#include "armilla/ui/moc_guarded_application.cpp"
