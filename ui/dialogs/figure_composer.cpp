// SPDX-License-Identifier: GPL-3.0-or-later
#include "dialogs/figure_composer.h"

#include <QApplication>
#include <QCheckBox>
#include <QClipboard>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QDoubleSpinBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QProgressBar>
#include <QPushButton>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QUndoStack>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>

#include "armilla/core/error.h"
#include "armilla/core/units.h"
#include "armilla/figure/unit_text.h"
#include "armilla/operations/figure_content.h"
#include "armilla/session/document.h"
#include "armilla/session/job_runner.h"
#include "armilla/session/tool_settings.h"
#include "dialogs/file_chooser.h"

namespace armilla {

namespace {

// The words of typed contours, such as "50 %, 90 %"; none for text that is no level.
std::optional<std::vector<std::string>> contourWords(const QString& text) {
    std::vector<std::string> words;
    for (const QString& part : text.split(QLatin1Char(','), Qt::SkipEmptyParts)) {
        QString word = part.trimmed();
        const bool isShare = word.endsWith(QLatin1Char('%'));
        if (word == QLatin1String("credible")) {
            words.push_back(word.toStdString());
            continue;
        }
        if (isShare) word.chop(1);
        const auto value = numberFromText(word);
        if (!value) return std::nullopt;
        words.push_back(exactNumber(*value) + (isShare ? "%" : ""));
    }
    try {
        contourLevels(words);
    } catch (const InvalidArgument&) {
        return std::nullopt;
    }
    return words;
}

QStringList textsOf(const QString& text) {
    QStringList texts = text.split(QLatin1Char(','));
    for (QString& each : texts) each = each.trimmed();
    return texts;
}

}  // namespace

FigureComposer::FigureComposer(Exporter& exporter, JobRunner& jobs, const Document& document,
                               QSize viewSize, QWidget* parent)
    : QDialog(parent),
      exporter_(exporter),
      jobs_(jobs),
      document_(document),
      undo_(new QUndoStack(this)) {
    setAttribute(Qt::WA_DeleteOnClose);
    setWindowTitle(tr("Figure"));
    setObjectName(QStringLiteral("figure"));  // names its page of the manual
    preview_ = new QLabel(this);
    preview_->setAlignment(Qt::AlignCenter);
    preview_->setMinimumSize(360, 260);
    preview_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Ignored);
    preview_->setAccessibleName(tr("Preview of the figure"));
    progress_ = new QProgressBar(this);
    progress_->setTextVisible(false);
    progress_->setFixedHeight(3);
    progress_->setRange(0, 1000);
    // The space stays, so that nothing moves when a preview begins.
    QSizePolicy kept = progress_->sizePolicy();
    kept.setRetainSizeWhenHidden(true);
    progress_->setSizePolicy(kept);
    progress_->hide();
    note_ = new QLabel(this);
    note_->setObjectName(QStringLiteral("note"));
    note_->setProperty("role", "muted");
    note_->setWordWrap(true);

    auto* left = new QVBoxLayout;
    left->addWidget(preview_, 1);
    left->addWidget(progress_);
    left->addWidget(note_);
    auto* form = buildForm();
    form->setFixedWidth(340);
    // Until the first preview, the page has the shape of the view.
    const double height = kFigureColumn * viewSize.height() / std::max(1, viewSize.width());
    height_->setValue(std::round(height));
    auto* both = new QHBoxLayout;
    both->setSpacing(16);
    both->addLayout(left, 1);
    both->addWidget(form);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
    auto* copy = buttons->addButton(tr("Copy as command"), QDialogButtonBox::ActionRole);
    copy->setToolTip(tr("Copy the armilla command that makes the same file"));
    connect(copy, &QPushButton::clicked, this, [this] {
        if (!isReadable()) return;
        const QString command = exporter_.commandForFigure(QStringLiteral("figure.png"), setup());
        if (!command.isEmpty()) emit commandCopied(command);
    });
    auto* write = buttons->addButton(tr("Save…"), QDialogButtonBox::AcceptRole);
    write->setDefault(true);
    write->setToolTip(tr("Choose a file: its suffix, png, pdf or svg, sets the format"));
    connect(buttons, &QDialogButtonBox::accepted, this, &FigureComposer::save);
    connect(buttons, &QDialogButtonBox::rejected, this, &QWidget::close);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(16, 16, 16, 14);
    layout->setSpacing(12);
    layout->addLayout(both, 1);
    layout->addWidget(buttons);
    resize(940, 640);

    const auto follow = [this] {
        followLayers();
        refresh();
    };
    offerLayers();
    buildSettings();
    auto* reset = buttons->addButton(tr("Reset"), QDialogButtonBox::ResetRole);
    reset->setToolTip(tr("Put every setting of this dialog back to its first value"));
    connect(reset, &QPushButton::clicked, this, [this] { settings_->reset(); });
    connect(&document.view(), &DocumentView::cameraChanged, this, &FigureComposer::refresh);
    connect(&document.view(), &DocumentView::shownChanged, this, follow);
    connect(&document, &Document::entriesChanged, this, follow);
    connect(&document.drawings(), &LayerDrawings::colorScaleChanged, this, [this] { refresh(); });
    connect(&document.drawings(), &LayerDrawings::drawableChanged, this, [this] { refresh(); });
    connect(&document.overlays(), &Overlays::changed, this, &FigureComposer::refresh);
    connect(&jobs_, &JobRunner::jobsChanged, this, &FigureComposer::showProgress);
    refresh();
}

FigureSetup FigureComposer::setup() const {
    FigureSetup setup;
    FigureOptions& options = setup.options;
    options.width = width_->value();
    if (!fits_->isChecked()) options.height = height_->value();
    options.dpi = dpi_->value();
    options.look.cropped = crop_->isChecked();
    options.look.bar = static_cast<BarPlace>(bar_->currentData().toInt());
    options.look.background = static_cast<FigureBackground>(background_->currentData().toInt());
    options.look.family = font_->currentData().toString().toStdString();
    options.look.textPoints = text_->value();
    if (const QVariant step = graticule_->currentData(); step.isValid()) {
        setup.hasGraticuleOfView = false;
        options.graticule = step.toDouble();
    }
    // Texts that are still being typed count as none.
    options.contours = contourWords(contours_->text()).value_or(std::vector<std::string>());
    options.legend = legend_->text().trimmed().toStdString();
    options.columns = columns_->value();
    setup.markers = markers_->currentData().value<LayerId>();
    setup.panels = checkedPanels();
    if (!setup.panels.empty() && !panelTitles_->text().trimmed().isEmpty()) {
        setup.panelTitles = textsOf(panelTitles_->text());
        while (setup.panelTitles.size() <= std::ssize(setup.panels)) setup.panelTitles << QString();
    }
    setup.title = title_->text().trimmed();
    setup.label = label_->text().trimmed();
    setup.unit = unit_->text().trimmed();
    for (const QString& word : ticks_->text().split(QLatin1Char(','), Qt::SkipEmptyParts))
        if (const auto value = numberFromText(word.trimmed())) setup.ticks.push_back(*value);
    if (const QString at = inset_->text().trimmed(); !at.isEmpty()) {
        try {
            setup.inset =
                InsetSetup{parseTypedPosition(at.toStdString(), document_.view().camera().frame),
                           insetWidth_->value() * kDegree,
                           static_cast<FigureCorner>(corner_->currentData().toInt())};
        } catch (const Error&) {
            // A position that is still being typed is no inset yet.
            setup.inset.reset();
        }
    }
    return setup;
}

// Texts that are still being typed count as none in setup().
QString FigureComposer::unreadable() const {
    for (const QString& word : ticks_->text().split(QLatin1Char(','), Qt::SkipEmptyParts))
        if (!numberFromText(word.trimmed()))
            return tr("Ticks: expected numbers between commas, found \"%1\".").arg(word.trimmed());
    if (!contourWords(contours_->text()))
        return tr("Contours: expected levels as 0.5, 2 or 50 %, 90 % between commas, found \"%1\".")
            .arg(contours_->text().trimmed());
    const QStringList titles = setup().panelTitles;
    if (titles.contains(QString()) || titles.size() > std::ssize(checkedPanels()) + 1)
        return tr("Titles: expected one for the shown map and one for each panel, between commas.");
    const QString at = inset_->text().trimmed();
    if (!at.isEmpty() && !setup().inset)
        return tr("Inset: expected a position, found \"%1\".").arg(at);
    return {};
}

bool FigureComposer::isReadable() {
    const QString problem = unreadable();
    if (!problem.isEmpty()) note_->setText(problem);
    return problem.isEmpty();
}

// Changes of one event are one preview.
void FigureComposer::refresh() {
    height_->setEnabled(!fits_->isChecked());
    legend_->setEnabled(markers_->currentIndex() > 0);
    panelTitles_->setEnabled(!checkedPanels().empty());
    columns_->setEnabled(!checkedPanels().empty());
    if (isWaiting_) return;
    isWaiting_ = true;
    QMetaObject::invokeMethod(
        this,
        [this] {
            isWaiting_ = false;
            const qreal ratio = devicePixelRatioF();
            const QSize most(static_cast<int>(preview_->width() * ratio),
                             static_cast<int>(preview_->height() * ratio));
            exporter_.previewFigure(setup(), most, this,
                                    [this](const QImage& image, const QString& failure) {
                                        // The last good picture stays beside the reason.
                                        note_->setText(failure.isEmpty() ? unreadable() : failure);
                                        if (image.isNull()) return showPicture();
                                        picture_ = image;
                                        if (fits_->isChecked()) showFittedHeight();
                                        showPicture();
                                    });
        },
        Qt::QueuedConnection);
}

void FigureComposer::showPicture() {
    if (picture_.isNull()) return;
    QPixmap shown = QPixmap::fromImage(picture_);
    shown.setDevicePixelRatio(devicePixelRatioF());
    preview_->setPixmap(shown);
}

// The disabled height is that of the page, from which the person may then deviate.
void FigureComposer::showFittedHeight() {
    const QSignalBlocker quiet(height_);
    constexpr double kTenths = 10.0;
    height_->setValue(std::round(kTenths * width_->value() * picture_.height() / picture_.width()) /
                      kTenths);
}

void FigureComposer::showProgress() {
    const QString name = Exporter::tr("Preview of the figure");
    for (const JobInfo& job : jobs_.jobs())
        if (job.name == name && job.state == JobState::Running) {
            progress_->setValue(static_cast<int>(std::lround(1000.0 * job.fraction)));
            return progress_->show();
        }
    progress_->hide();
}

void FigureComposer::save() {
    if (!isReadable()) return;
    const FigureSetup now = setup();
    const QString filter = tr("PNG files (*.png);;PDF files (*.pdf);;SVG files (*.svg)");
    chooseFormatToWrite(this, tr("Save figure"), QStringLiteral("figure.png"), filter,
                        QStringLiteral("png"), [this, now](const QString& path, const QString&) {
                            exporter_.exportFigure(path, now, true);
                        });
}

void FigureComposer::showMessage(const QString& line) {
    note_->setText(line);
}

void FigureComposer::resizeEvent(QResizeEvent* event) {
    QDialog::resizeEvent(event);
    refresh();
}

}  // namespace armilla
