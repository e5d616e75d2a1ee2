// SPDX-License-Identifier: GPL-3.0-or-later
#include "dialogs/file_preview.h"

#include <QCoreApplication>
#include <QDateTime>
#include <QFileInfo>
#include <QLabel>
#include <QLocale>
#include <QPointer>
#include <QScrollArea>
#include <QThreadPool>
#include <QVBoxLayout>

#include "armilla/session/file_summary.h"
#include "panels/elided_label.h"
#include "panels/small_widgets.h"

namespace armilla {

FilePreview::FilePreview(QWidget* parent)
    : QWidget(parent),
      name_(new ElidedLabel(this)),
      facts_(mutedLabel({}, this)),
      content_(new QLabel(this)) {
    setAccessibleName(tr("About the file"));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(8, 4, 4, 4);
    layout->addWidget(name_);
    layout->addWidget(facts_);
    facts_->setWordWrap(true);
    content_->setTextFormat(Qt::PlainText);
    content_->setWordWrap(true);
    content_->setAlignment(Qt::AlignTop | Qt::AlignLeft);
    content_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    auto* area = new QScrollArea(this);
    area->setFrameShape(QFrame::NoFrame);
    area->setWidgetResizable(true);
    area->setWidget(content_);
    layout->addWidget(area, 1);
}

QString FilePreview::text() const {
    return content_->text();
}

void FilePreview::show(const QString& path) {
    const int request = ++request_;
    const QFileInfo file(path);
    name_->setText(file.isFile() ? file.fileName() : QString());
    facts_->setText(file.isFile() ? tr("%1, %2").arg(locale().formattedDataSize(file.size()),
                                                     locale().toString(file.lastModified().date(),
                                                                       QLocale::ShortFormat))
                                  : QString());
    content_->clear();
    if (!file.isFile()) return;
    QThreadPool::globalInstance()->start([path, request, self = QPointer(this)] {
        const QStringList lines = fileSummary(path);
        QMetaObject::invokeMethod(
            qApp,
            [self, request, lines] {
                if (self) self->take(request, lines);
            },
            Qt::QueuedConnection);
    });
}

void FilePreview::take(int request, const QStringList& lines) {
    if (request == request_) content_->setText(lines.join(QLatin1Char('\n')));
}

}  // namespace armilla
