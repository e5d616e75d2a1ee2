// SPDX-License-Identifier: GPL-3.0-or-later
// A handler of each kind throws: the program continues, with one line in the log and one for the
// user.
#include <QAbstractEventDispatcher>
#include <QAbstractListModel>
#include <QCloseEvent>
#include <QDragEnterEvent>
#include <QDropEvent>
#include <QLabel>
#include <QListView>
#include <QMimeData>
#include <QPainter>
#include <QPushButton>
#include <QSignalSpy>
#include <QStyledItemDelegate>
#include <QTest>
#include <QThread>
#include <QTimer>
#include <stdexcept>

#include "armilla/core/error.h"
#include "armilla/ui/guarded_application.h"
#include "support/patience.h"

using namespace armilla;
using armilla::test::kPatience;

namespace {

const char* const kLine = "expected a handler that works, found one that throws";

[[noreturn]] void fail() {
    throw InvalidArgument(kLine);
}

GuardedApplication& application() {
    return *qobject_cast<GuardedApplication*>(qApp);
}

// Throws in events of one type, and counts these.
class Failing : public QWidget {
public:
    explicit Failing(QEvent::Type type) : type_(type) {
        resize(60, 40);
        setAcceptDrops(true);
    }
    int count = 0;

protected:
    bool event(QEvent* event) override {
        if (event->type() == type_) {
            ++count;
            fail();
        }
        if (event->type() != QEvent::DragEnter) return QWidget::event(event);
        event->accept();
        return true;
    }

private:
    QEvent::Type type_;
};

class FailingFilter : public QObject {
public:
    int count = 0;
    bool eventFilter(QObject* /*watched*/, QEvent* event) override {
        if (event->type() != QEvent::User) return false;
        ++count;
        fail();
    }
};

class FailingTimer : public QObject {
public:
    int count = 0;

protected:
    void timerEvent(QTimerEvent* event) override {
        killTimer(event->timerId());
        ++count;
        fail();
    }
};

class FailingModel : public QAbstractListModel {
public:
    int rowCount(const QModelIndex& parent) const override { return parent.isValid() ? 0 : 3; }
    QVariant data(const QModelIndex& /*index*/, int role) const override {
        if (role == Qt::DisplayRole) fail();
        return {};
    }
};

class FailingDelegate : public QStyledItemDelegate {
public:
    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& /*index*/) const override {
        painter->fillRect(option.rect, Qt::red);
        fail();
    }
    QSize sizeHint(const QStyleOptionViewItem& /*option*/,
                   const QModelIndex& /*index*/) const override {
        return {40, 12};
    }
};

}  // namespace

class TestGuardedApplication : public QObject {
    Q_OBJECT
private slots:
    void init() {
        // After a key press or click, an earlier failure is reported again.
        QKeyEvent key(QEvent::KeyPress, Qt::Key_F35, Qt::NoModifier);
        QObject nobody;
        QCoreApplication::sendEvent(&nobody, &key);
    }
    void paintEvent();
    void mouseAndKeyEvents_data();
    void mouseAndKeyEvents();
    void dropEvent();
    void closeEvent();
    void slotThatASignalCallsDirectly();
    void queuedCalls();
    void timers();
    void eventFilters();
    void modelsAndDelegates();
    void guardedCallsReportOnce();
    void eventLoopsOfOtherThreads();
    void otherExceptions();
    void stoppedJobsSayNothing();
    void sameFailureIsReportedOnce();
    void outsideOfEvents();

private:
    // Runs an action and waits for the one line that must follow.
    template <typename Act>
    void expectOneLine(const Act& act, const QString& line = QString::fromLatin1(kLine)) {
        QSignalSpy told(&application(), &GuardedApplication::failed);
        QTest::ignoreMessage(
            QtWarningMsg,
            QRegularExpression(QRegularExpression::escape(QStringLiteral("armilla: ") + line) +
                               QStringLiteral(" \\(event \\w+ of [\\w:]+\\)")));
        act();
        QTRY_COMPARE_WITH_TIMEOUT(told.count(), 1, kPatience);
        QCOMPARE(told.front().front().toString(), line);
        QCoreApplication::processEvents();
        QCOMPARE(told.count(), 1);
    }
};

void TestGuardedApplication::paintEvent() {
    Failing widget(QEvent::Paint);
    expectOneLine([&] {
        widget.show();
        QTRY_VERIFY_WITH_TIMEOUT(widget.count > 0, kPatience);
    });
    // Painted by a call from outside of the event loop, and once more after it.
    const int before = widget.count;
    widget.grab();
    QVERIFY(widget.count > before);
    QLabel label(QStringLiteral("painted"));
    label.resize(60, 40);
    QVERIFY(!label.grab().isNull());
}

void TestGuardedApplication::mouseAndKeyEvents_data() {
    QTest::addColumn<int>("type");
    QTest::newRow("press") << int(QEvent::MouseButtonPress);
    QTest::newRow("release") << int(QEvent::MouseButtonRelease);
    QTest::newRow("move") << int(QEvent::MouseMove);
    QTest::newRow("double click") << int(QEvent::MouseButtonDblClick);
    QTest::newRow("key") << int(QEvent::KeyPress);
    QTest::newRow("show") << int(QEvent::Show);
    QTest::newRow("resize") << int(QEvent::Resize);
}
void TestGuardedApplication::mouseAndKeyEvents() {
    QFETCH(int, type);
    Failing widget(static_cast<QEvent::Type>(type));
    widget.setMouseTracking(true);
    expectOneLine([&] {
        widget.show();
        QVERIFY(QTest::qWaitForWindowExposed(&widget, kPatience));
        switch (type) {
            case QEvent::MouseButtonPress: QTest::mousePress(&widget, Qt::LeftButton); break;
            case QEvent::MouseButtonRelease: QTest::mouseRelease(&widget, Qt::LeftButton); break;
            case QEvent::MouseButtonDblClick: QTest::mouseDClick(&widget, Qt::LeftButton); break;
            case QEvent::MouseMove: QTest::mouseMove(&widget, {5, 5}); break;
            case QEvent::KeyPress: QTest::keyPress(&widget, Qt::Key_A); break;
            default: break;
        }
        QTRY_VERIFY_WITH_TIMEOUT(widget.count > 0, kPatience);
    });
}

void TestGuardedApplication::dropEvent() {
    Failing widget(QEvent::Drop);
    QMimeData data;
    data.setUrls({QUrl::fromLocalFile(QStringLiteral("/tmp/map.fits"))});
    QDropEvent drop({10, 10}, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    // Qt sends a drop to the widget that has accepted the drag.
    QDragEnterEvent enter({10, 10}, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QCoreApplication::sendEvent(&widget, &enter);
    QVERIFY(enter.isAccepted());
    expectOneLine([&] { QCoreApplication::sendEvent(&widget, &drop); });
    QCOMPARE(widget.count, 1);
}

// A window whose close handler fails still closes; otherwise it could not be closed.
void TestGuardedApplication::closeEvent() {
    Failing widget(QEvent::Close);
    widget.show();
    QVERIFY(QTest::qWaitForWindowExposed(&widget, kPatience));
    expectOneLine([&] { QVERIFY(widget.close()); });
    QVERIFY(!widget.isVisible());
}

void TestGuardedApplication::slotThatASignalCallsDirectly() {
    QPushButton button(QStringLiteral("fail"));
    bool works = false;
    connect(&button, &QPushButton::clicked, this, [&] {
        if (!works) fail();
    });
    button.show();
    expectOneLine([&] { QTest::mouseClick(&button, Qt::LeftButton); });
    // The button still works.
    works = true;
    QSignalSpy clicked(&button, &QPushButton::clicked);
    QTest::mouseClick(&button, Qt::LeftButton);
    QCOMPARE(clicked.count(), 1);
    QVERIFY(!button.isDown());
}

void TestGuardedApplication::queuedCalls() {
    expectOneLine([&] {
        QMetaObject::invokeMethod(
            this, [] { fail(); }, Qt::QueuedConnection);
    });
    QObject sender;
    connect(
        &sender, &QObject::objectNameChanged, this, [] { fail(); }, Qt::QueuedConnection);
    init();
    expectOneLine([&] { sender.setObjectName(QStringLiteral("changed")); });
    init();
    // The receiver is destroyed before the exception reaches the guard.
    auto* brief = new QObject;
    const auto end = [brief] {
        delete brief;
        fail();
    };
    expectOneLine([&] { QMetaObject::invokeMethod(brief, end, Qt::QueuedConnection); });
}

void TestGuardedApplication::timers() {
    FailingTimer object;
    expectOneLine([&] {
        object.startTimer(0);
        QTRY_COMPARE_WITH_TIMEOUT(object.count, 1, kPatience);
    });
    QTimer timer;
    int count = 0;
    connect(&timer, &QTimer::timeout, this, [&] {
        ++count;
        fail();
    });
    init();
    // It continues and fails again without another line.
    expectOneLine([&] {
        timer.start(0);
        QTRY_VERIFY_WITH_TIMEOUT(count >= 3, kPatience);
    });
    timer.stop();
    init();
    expectOneLine([&] { QTimer::singleShot(0, this, [] { fail(); }); });
}

void TestGuardedApplication::eventFilters() {
    FailingFilter filter;
    QObject watched;
    watched.installEventFilter(&filter);
    QEvent user(QEvent::User);
    expectOneLine([&] { QCoreApplication::sendEvent(&watched, &user); });
    watched.removeEventFilter(&filter);
    init();
    qApp->installEventFilter(&filter);
    expectOneLine([&] { QCoreApplication::postEvent(&watched, new QEvent(QEvent::User)); });
    qApp->removeEventFilter(&filter);
    QCOMPARE(filter.count, 2);
}

// The functions of models and delegates, which Qt calls amid its own code: no exception leaves
// them.
void TestGuardedApplication::guardedCallsReportOnce() {
    QSignalSpy failures(&application(), &GuardedApplication::failed);
    QTest::ignoreMessage(QtWarningMsg,
                         qPrintable(QStringLiteral("armilla: %1 (Model::data)").arg(kLine)));
    for (int i = 0; i < 3; ++i) {
        const QVariant value = guardedCall("Model::data", []() -> QVariant { fail(); });
        QVERIFY(!value.isValid());
        guardedCall("Model::data", [] { fail(); });
    }
    QTRY_COMPARE_WITH_TIMEOUT(failures.size(), 1, kPatience);
    QCOMPARE(failures.front().front().toString(), QString::fromLatin1(kLine));
    QCOMPARE(guardedCall("Model::data", [] { return 3; }), 3);
}

void TestGuardedApplication::modelsAndDelegates() {
    FailingModel model;
    QListView list;
    list.setUniformItemSizes(true);
    FailingDelegate delegate;
    list.setItemDelegate(&delegate);
    list.setModel(&model);
    expectOneLine([&] {
        list.show();
        QVERIFY(QTest::qWaitForWindowExposed(&list, kPatience));
    });
    QStyledItemDelegate plain;
    list.setItemDelegate(&plain);
    init();
    expectOneLine([&] { list.grab(); });
}

void TestGuardedApplication::eventLoopsOfOtherThreads() {
    QThread thread;
    auto* worker = new QObject;
    worker->moveToThread(&thread);
    connect(&thread, &QThread::finished, worker, &QObject::deleteLater);
    thread.start();
    expectOneLine([&] {
        QMetaObject::invokeMethod(
            worker, [] { fail(); }, Qt::QueuedConnection);
    });
    bool goesOn = false;
    QMetaObject::invokeMethod(
        worker, [&] { goesOn = true; }, Qt::BlockingQueuedConnection);
    QVERIFY(goesOn);
    thread.quit();
    thread.wait();
}

void TestGuardedApplication::otherExceptions() {
    const auto queue = [this](auto thrown) {
        return [this, thrown] {
            QMetaObject::invokeMethod(
                this, [thrown] { throw thrown; }, Qt::QueuedConnection);
        };
    };
    expectOneLine(queue(std::runtime_error("odd")), QStringLiteral("internal error: odd"));
    expectOneLine(queue(7), QStringLiteral("internal error: an exception of unknown type"));
    expectOneLine(queue(std::bad_alloc()),
                  QStringLiteral("out of memory: expected memory for the result, found none free"));
}

void TestGuardedApplication::stoppedJobsSayNothing() {
    QSignalSpy told(&application(), &GuardedApplication::failed);
    QMetaObject::invokeMethod(
        this, [] { throw Cancelled(); }, Qt::QueuedConnection);
    bool isBehind = false;
    QMetaObject::invokeMethod(
        this, [&] { isBehind = true; }, Qt::QueuedConnection);
    QTRY_VERIFY_WITH_TIMEOUT(isBehind, kPatience);
    QCoreApplication::processEvents();
    QCOMPARE(told.count(), 0);
}

void TestGuardedApplication::sameFailureIsReportedOnce() {
    Failing widget(QEvent::User);
    const auto send = [&] {
        for (int i = 0; i < 50; ++i) {
            QEvent user(QEvent::User);
            QCoreApplication::sendEvent(&widget, &user);
        }
    };
    expectOneLine(send);
    QCOMPARE(widget.count, 50);
    // Once more after a click.
    Failing other(QEvent::None);
    QTest::mouseClick(&other, Qt::LeftButton);
    expectOneLine(send);
}

// A failure outside of events ends the program, because the event loop cannot continue.
void TestGuardedApplication::outsideOfEvents() {
    bool isKept = false;
    const auto keep = [&] { isKept = true; };
    QMetaObject::invokeMethod(
        this, [] { QCoreApplication::exit(3); }, Qt::QueuedConnection);
    QCOMPARE(application().run(keep), 3);
    QVERIFY(!isKept);
    const auto failing = connect(QAbstractEventDispatcher::instance(),
                                 &QAbstractEventDispatcher::aboutToBlock, this, [] { fail(); });
    QTest::ignoreMessage(QtWarningMsg, QRegularExpression(QStringLiteral("event handler")));
    QTest::ignoreMessage(QtWarningMsg, qPrintable(QStringLiteral("armilla: ") + kLine));
    QCOMPARE(application().run(keep), 1);
    QVERIFY(isKept);
    disconnect(failing);
}

int main(int argc, char** argv) {
    // In outsideOfEvents() an exception passes through the event dispatcher. GLib's dispatcher is C
    // code and does not support that.
    qputenv("QT_NO_GLIB", "1");
    GuardedApplication guarded(argc, argv);
    TestGuardedApplication test;
    return QTest::qExec(&test, argc, argv);
}
#include "tst_guarded_application.moc"
