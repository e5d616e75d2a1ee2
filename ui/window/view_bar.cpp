// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/view_bar.h"

#include <QAbstractItemView>
#include <QActionGroup>
#include <QCompleter>
#include <QLayout>
#include <QLineEdit>
#include <QMenu>
#include <QToolBar>
#include <QToolButton>
#include <algorithm>
#include <iterator>

#include "armilla/session/sky_names.h"
#include "armilla/ui/icons.h"
#include "armilla/ui/main_window.h"
#include "armilla/ui/sky_view_widget.h"
#include "panels/widget_role.h"
#include "window/place_search.h"

namespace armilla {
namespace {

constexpr int kTightWidth = 900;
constexpr int kLeastSearchWidth = 110;
constexpr int kMenuArrow = 12;
// Width of the search box beyond its text (icon, clear button, padding, border), and margin of the
// bar.
constexpr int kSearchEdges = 70, kSearchMargin = 12;

}  // namespace

ViewBar::ViewBar(MainWindow& window, const Content& content)
    : QObject(&window), window_(window), content_(content), bar_(window.addToolBar(tr("View"))) {
    bar_->setObjectName(QStringLiteral("viewBar"));
    bar_->setMovable(false);
    bar_->setContextMenuPolicy(Qt::PreventContextMenu);
    bar_->setIconSize({16, 16});
    projectionButton_ = new QToolButton(bar_);
    projectionButton_->setMenu(new QMenu(projectionButton_));
    projectionButton_->menu()->addActions(content_.projections->actions());
    projectionButton_->setPopupMode(QToolButton::InstantPopup);
    projectionButton_->setAccessibleName(tr("Projection"));
    for (QAction* action : content_.projections->actions()) {
        auto* button = new QToolButton(bar_);
        button->setDefaultAction(action);
        projectionNames_.push_back(bar_->addWidget(button));
    }
    projectionMenu_ = bar_->addWidget(projectionButton_);
    projectionMenu_->setVisible(false);
    bar_->addSeparator();
    frameButton_ = new QToolButton(bar_);
    frameButton_->setIcon(lineIcon(QStringLiteral("frame")));
    frameButton_->setMenu(content_.frameMenu);
    frameButton_->setPopupMode(QToolButton::InstantPopup);
    frameButton_->setAccessibleName(tr("Frame of the view"));
    bar_->addWidget(frameButton_);
    bar_->addAction(content_.graticule);
    bar_->addAction(content_.rods);
    bar_->addSeparator();
    bar_->addActions(content_.comparisons->actions());
    bar_->addAction(content_.difference);
    auto* space = new QWidget(bar_);
    space->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    bar_->addWidget(space);
    search_ = new QLineEdit(bar_);
    search_->addAction(lineIcon(QStringLiteral("search")), QLineEdit::LeadingPosition);
    search_->setClearButtonEnabled(true);
    search_->setAccessibleName(tr("Go to position or name"));
    search_->setToolTip(
        tr("Two numbers: degrees in the frame of the view. 05:35:17 −05:23:28 or "
           "05h35m17s −5d23m28s: equatorial (ICRS). Or a name."));
    auto* completer = new QCompleter(skyNames(), search_);
    completer->setCaseSensitivity(Qt::CaseInsensitive);
    completer->setFilterMode(Qt::MatchContains);
    search_->setCompleter(completer);
    // A popup grabs the keyboard, and clearing the text from code does not close it.
    connect(search_, &QLineEdit::textChanged, completer, [completer](const QString& text) {
        if (text.isEmpty()) completer->popup()->hide();
    });
    connect(search_, &QLineEdit::returnPressed, this, [this] {
        if (window_.search().goTo(search_->text())) window_.skyView()->setFocus();
    });
    bar_->addWidget(search_);
    setCompact(false);
}

void ViewBar::setCompact(bool compact) {
    // In a very narrow window icons stand closer, so that the search box fits.
    if (const bool isTight = window_.width() < kTightWidth;
        bar_->property("tight").toBool() != isTight) {
        bar_->setProperty("tight", isTight);
        for (QAction* action : bar_->actions())
            if (QWidget* widget = bar_->widgetForAction(action)) restyle(*widget);
    }
    bar_->setToolButtonStyle(compact ? Qt::ToolButtonIconOnly : Qt::ToolButtonTextOnly);
    frameButton_->setToolButtonStyle(Qt::ToolButtonTextOnly);
    for (QAction* name : projectionNames_)
        static_cast<QToolButton*>(bar_->widgetForAction(name))
            ->setToolButtonStyle(Qt::ToolButtonTextOnly);
    fitSearch();
}

void ViewBar::place(Projections how) {
    for (QAction* name : projectionNames_) name->setVisible(how == Projections::Names);
    projectionMenu_->setVisible(how != Projections::Names);
    projectionButton_->setToolButtonStyle(how == Projections::Icon ? Qt::ToolButtonIconOnly
                                                                   : Qt::ToolButtonTextOnly);
    // As wide as for the longest name, so that nothing moves with another projection.
    projectionButton_->setMinimumWidth(how == Projections::Icon ? 0 : widthOfButton());
}

// The width that the button has with the longest name.
int ViewBar::widthOfButton() const {
    const QFontMetrics metrics = frameButton_->fontMetrics();
    int longest = 0;
    for (const QAction* action : content_.projections->actions())
        longest = std::max(longest, metrics.horizontalAdvance(action->iconText()));
    // The button of the frame has the same look.
    return longest + frameButton_->sizeHint().width() -
           metrics.horizontalAdvance(frameButton_->text());
}

// The search box shrinks before it moves into the overflow arrow of the bar, and shows the longest
// placeholder that fits. The bar's own size hint is outdated here.
void ViewBar::fitSearch() {
    const QMargins edges = bar_->layout()->contentsMargins();
    const int between = std::max(0, bar_->layout()->spacing());
    const auto widthOfOthers = [&] {
        int others = edges.left() + edges.right() + kSearchMargin;
        for (QAction* action : bar_->actions())
            if (const QWidget* widget = bar_->widgetForAction(action);
                widget && widget != search_ && action->isVisible() && action != projectionMenu_ &&
                std::find(projectionNames_.begin(), projectionNames_.end(), action) ==
                    projectionNames_.end())
                others += std::max(0, widget->sizeHint().width()) + between;
        return others;
    };
    const QFontMetrics metrics = search_->fontMetrics();
    const QString texts[] = {tr("83.63 −5.39, 12h34m…, M42"), tr("12h34m −5d23m, M42"),
                             tr("position, M42"), tr("M42")};
    const auto widthOf = [&](const QString& text) {
        return metrics.horizontalAdvance(text) + kSearchEdges;
    };
    const int most = widthOf(texts[0]), least = std::min(kLeastSearchWidth, most);
    const int room = window_.width() - widthOfOthers();
    int names = 0;
    for (QAction* name : projectionNames_)
        names += bar_->widgetForAction(name)->sizeHint().width() + between;
    const int button = widthOfButton() + between;
    const int icon = bar_->widgetForAction(content_.graticule)->sizeHint().width() + between;
    const Projections how = room - names >= widthOf(texts[2]) ? Projections::Names
                            : room - button >= least          ? Projections::Button
                                                              : Projections::Icon;
    place(how);
    const int projections = how == Projections::Names    ? names
                            : how == Projections::Button ? button
                                                         : icon + kMenuArrow;
    const int width = std::clamp(room - projections, least, most);
    search_->setFixedWidth(width);
    const auto fits = std::find_if(std::begin(texts), std::prev(std::end(texts)),
                                   [&](const QString& text) { return widthOf(text) <= width; });
    search_->setPlaceholderText(*fits);
}

void ViewBar::beginSearch() {
    search_->setFocus(Qt::ShortcutFocusReason);
    search_->selectAll();
}

void ViewBar::showProjection() {
    const QAction* projection = content_.projections->checkedAction();
    if (!projection) return;
    projectionButton_->setIcon(projection->icon());
    projectionButton_->setText(projection->iconText());
    projectionButton_->setToolTip(tr("Projection: %1").arg(projection->toolTip()));
}

void ViewBar::showFrame(const QString& frame, const QString& tip) {
    frameButton_->setToolTip(tip);
    if (frame == frameButton_->text()) return;
    frameButton_->setText(frame);
    fitSearch();  // the frame button may have another width
}

}  // namespace armilla
