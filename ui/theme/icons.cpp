// SPDX-License-Identifier: GPL-3.0-or-later
#include "armilla/ui/icons.h"

#include <QFile>
#include <QGuiApplication>
#include <QIconEngine>
#include <QPainter>
#include <QPalette>
#include <QPixmap>
#include <QPixmapCache>
#include <QSvgRenderer>

// Otherwise the linker drops the resources of a static library. The macro must stand outside of
// namespaces.
static void loadIconResources() {
    Q_INIT_RESOURCE(icons);
}

namespace armilla {
namespace {

// Paints the SVG with `currentColor` replaced by the palette's color at the time of painting, so
// that a change of theme needs no new icons.
class LineIconEngine : public QIconEngine {
public:
    explicit LineIconEngine(QString name) : name_(std::move(name)) {
        loadIconResources();
        QFile file(QStringLiteral(":/icons/%1.svg").arg(name_));
        if (file.open(QIODevice::ReadOnly)) svg_ = file.readAll();
    }

    void paint(QPainter* painter, const QRect& rect, QIcon::Mode mode, QIcon::State) override {
        if (svg_.isEmpty()) return;
        const auto group = mode == QIcon::Disabled ? QPalette::Disabled : QPalette::Active;
        const QColor color = QGuiApplication::palette().color(
            // Selected rows keep the color of text on their light or dark accent.
            group, mode == QIcon::Selected ? QPalette::Text : QPalette::ButtonText);
        QByteArray colored = svg_;
        colored.replace("currentColor", color.name(QColor::HexRgb).toLatin1());
        QSvgRenderer renderer(colored);
        painter->save();
        painter->setOpacity(painter->opacity() * color.alphaF());
        renderer.render(painter, rect);
        painter->restore();
    }

    QPixmap pixmap(const QSize& size, QIcon::Mode mode, QIcon::State state) override {
        const QString key = QStringLiteral("armilla:%1:%2x%3:%4:%5")
                                .arg(name_)
                                .arg(size.width())
                                .arg(size.height())
                                .arg(mode)
                                .arg(QGuiApplication::palette().cacheKey());
        QPixmap result;
        if (QPixmapCache::find(key, &result)) return result;
        result = QPixmap(size);
        result.fill(Qt::transparent);
        QPainter painter(&result);
        paint(&painter, QRect(QPoint(0, 0), size), mode, state);
        painter.end();
        QPixmapCache::insert(key, result);
        return result;
    }

    QIconEngine* clone() const override { return new LineIconEngine(*this); }
    bool isNull() override { return svg_.isEmpty(); }

private:
    QString name_;
    QByteArray svg_;
};

}  // namespace

QIcon lineIcon(const QString& name) {
    return QIcon(new LineIconEngine(name));
}

QIcon applicationIcon() {
    loadIconResources();
    return QIcon(QStringLiteral(":/icons/armilla.svg"));
}

}  // namespace armilla
