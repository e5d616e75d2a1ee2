// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/what_is_this.h"

#include <QAbstractButton>
#include <QApplication>
#include <QHelpEvent>
#include <QLabel>
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

QString paragraph(const QString& text) {
    return QStringLiteral("<p>") +
           (Qt::mightBeRichText(text)
                ? text
                : text.toHtmlEscaped().replace(QLatin1Char('\n'), QLatin1String("<br>"))) +
           QStringLiteral("</p>");
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
    const QString text = control.whatsThis().isEmpty() ? control.toolTip() : control.whatsThis();
    if (text.isEmpty()) return {};
    const QString name = nameOf(control);
    QString html;
    // Buttons without a text have their tool tip as a name.
    if (!name.isEmpty() && name != text)
        html = QStringLiteral("<b>%1</b>").arg(name.toHtmlEscaped());
    html += paragraph(text);
    if (const QString place = placeOf(control); !place.isEmpty())
        html += QStringLiteral("<p><a href=\"%1\">%2</a></p>")
                    .arg(place, tr("More in the manual").toHtmlEscaped());
    return html;
}

QString WhatIsThis::placeOf(const QWidget& control) {
    const QString mark = QStringLiteral("operation-");
    for (const QWidget* widget = &control; widget; widget = widget->parentWidget()) {
        if (!widget->objectName().startsWith(mark)) continue;
        const QString page =
            QStringLiteral("commands/%1.md").arg(widget->objectName().mid(mark.size()));
        return Manual::has(page) ? page : QString();
    }
    return {};
}

bool WhatIsThis::eventFilter(QObject* watched, QEvent* event) {
    const bool isQuestion =
        event->type() == QEvent::QueryWhatsThis || event->type() == QEvent::WhatsThis;
    if (!watched->isWidgetType() || (!isQuestion && event->type() != QEvent::WhatsThisClicked))
        return false;
    auto* control = static_cast<QWidget*>(watched);
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
