// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/what_is_this.h"

#include <QAbstractButton>
#include <QAction>
#include <QApplication>
#include <QDialog>
#include <QDialogButtonBox>
#include <QDockWidget>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QLabel>
#include <QMenu>
#include <QPointer>
#include <QWhatsThis>

#include "armilla/ui/main_window.h"
#include "dialogs/manual.h"
#include "window/window_dialogs.h"

namespace armilla {
namespace {

QString nameOf(const QWidget& control) {
    if (!control.accessibleName().isEmpty()) return control.accessibleName();
    const auto* button = qobject_cast<const QAbstractButton*>(&control);
    return button ? button->text().remove(QLatin1Char('&')) : QString();
}

// The effect of the standard buttons of a dialog, which have no text of their own.
QString effectOf(const QWidget& control) {
    const auto* box = qobject_cast<const QDialogButtonBox*>(control.parentWidget());
    const auto* button = qobject_cast<const QAbstractButton*>(&control);
    if (!box || !button) return {};
    switch (box->standardButton(const_cast<QAbstractButton*>(button))) {
        case QDialogButtonBox::Close: return WhatIsThis::tr("Closes this dialog");
        case QDialogButtonBox::Cancel: return WhatIsThis::tr("Closes this dialog without its act");
        default: return {};
    }
}

QString paragraph(const QString& text) {
    return QStringLiteral("<p>") +
           (Qt::mightBeRichText(text)
                ? text
                : text.toHtmlEscaped().replace(QLatin1Char('\n'), QLatin1String("<br>"))) +
           QStringLiteral("</p>");
}

// The page of the manual about a tool, by the name of its dock or dialog: that of the tool, else
// that of its command; empty for other names.
QString pageOf(const QString& name) {
    QString tool = name;
    tool.remove(QStringLiteral("operation-"));
    if (tool.isEmpty()) return {};
    for (const char* folder : {"tools", "commands"})
        if (const QString page = QStringLiteral("%1/%2.md").arg(QLatin1String(folder), tool);
            Manual::has(page))
            return page;
    return {};
}

QString linkTo(const QString& page) {
    if (page.isEmpty()) return {};
    return QStringLiteral("<p><a href=\"%1\">%2</a></p>")
        .arg(page, WhatIsThis::tr("More in the manual").toHtmlEscaped());
}

MainWindow* windowOf(QWidget* control) {
    while (control && !qobject_cast<MainWindow*>(control)) control = control->parentWidget();
    return qobject_cast<MainWindow*>(control);
}

}  // namespace

void WhatIsThis::install() {
    static QPointer<WhatIsThis> filter;
    if (filter || !qApp) return;
    filter = new WhatIsThis(qApp);
    qApp->installEventFilter(filter);
}

QString WhatIsThis::explanation(const QWidget& control) {
    if (const auto* label = qobject_cast<const QLabel*>(&control); label && label->buddy())
        return explanation(*label->buddy());
    QString text = control.whatsThis().isEmpty() ? control.toolTip() : control.whatsThis();
    if (text.isEmpty()) text = effectOf(control);
    if (text.isEmpty()) return {};
    const QString name = nameOf(control);
    QString html;
    // Buttons without a text have their tool tip as a name.
    if (!name.isEmpty() && name != text)
        html = QStringLiteral("<b>%1</b>").arg(name.toHtmlEscaped());
    return html + paragraph(text) + linkTo(placeOf(control));
}

QString WhatIsThis::explanation(const QAction& entry) {
    QString name = entry.text();
    name.remove(QLatin1Char('&'));
    // Qt's tool tip of an action without its own is the name without the dots at its end.
    QString bare = name;
    if (bare.endsWith(QChar(0x2026))) bare.chop(1);
    const QString text = entry.toolTip();
    if (text.isEmpty() || text == name || text == bare) return {};
    return QStringLiteral("<b>%1</b>").arg(name.toHtmlEscaped()) + paragraph(text) +
           linkTo(pageOf(entry.property("tool").toString()));
}

QString WhatIsThis::placeOf(const QWidget& control) {
    for (const QWidget* widget = &control; widget; widget = widget->parentWidget()) {
        if (!qobject_cast<const QDockWidget*>(widget) && !qobject_cast<const QDialog*>(widget))
            continue;
        if (const QString page = pageOf(widget->objectName()); !page.isEmpty()) return page;
    }
    return {};
}

// Qt shows the own text of an entry for F1 and for a click in the mode.
void WhatIsThis::explainEntries(QMenu* menu) {
    if (!menu) return;
    // Again at each showing: the name of an entry such as Undo changes.
    for (QAction* entry : menu->actions()) entry->setWhatsThis(explanation(*entry));
}

// The key of the main window does not reach its dialogs.
bool WhatIsThis::entersMode(const QWidget& control, const QKeyEvent& key) {
    const bool isAsked = key.key() == Qt::Key_F1 && key.modifiers() == Qt::ShiftModifier &&
                         qobject_cast<const QDialog*>(control.window());
    if (isAsked) QWhatsThis::enterWhatsThisMode();
    return isAsked;
}

bool WhatIsThis::eventFilter(QObject* watched, QEvent* event) {
    if (!watched->isWidgetType()) return false;
    auto* control = static_cast<QWidget*>(watched);
    const bool isQuestion =
        event->type() == QEvent::QueryWhatsThis || event->type() == QEvent::WhatsThis;
    if (event->type() == QEvent::Show) explainEntries(qobject_cast<QMenu*>(control));
    if (event->type() == QEvent::KeyPress)
        return entersMode(*control, *static_cast<QKeyEvent*>(event));
    if (!isQuestion && event->type() != QEvent::WhatsThisClicked) return false;
    if (!isQuestion) {
        MainWindow* window = windowOf(control);
        if (!window) return false;
        window->dialogs().showManualAt(static_cast<QWhatsThisClickedEvent*>(event)->href());
        return true;
    }
    // Qt asks the parent of a control without an explanation next.
    const QString text = explanation(*control);
    if (text.isEmpty()) return false;
    if (event->type() == QEvent::WhatsThis)
        QWhatsThis::showText(static_cast<QHelpEvent*>(event)->globalPos(), text, control);
    event->accept();
    return true;
}

}  // namespace armilla
