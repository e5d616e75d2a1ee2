// SPDX-License-Identifier: GPL-3.0-or-later
#include "dialogs/figure_composer.h"

#include <QApplication>
#include <QCheckBox>
#include <QClipboard>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QDoubleSpinBox>
#include <QFile>
#include <QFontDatabase>
#include <QFormLayout>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QProgressBar>
#include <QPushButton>
#include <QSaveFile>
#include <QSettings>
#include <QSignalBlocker>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>

#include "armilla/core/error.h"
#include "armilla/core/units.h"
#include "armilla/figure/unit_text.h"
#include "armilla/session/document.h"
#include "armilla/session/job_runner.h"
#include "dialogs/file_chooser.h"

namespace armilla {

namespace {

constexpr double kColumnWidth = 88.0, kPageWidth = 180.0;  // millimeters, of most journals
const auto kPresets = QStringLiteral("figure/presets/");

QDoubleSpinBox* numberBox(double least, double most, double value, const QString& suffix) {
    auto* box = new QDoubleSpinBox;
    box->setRange(least, most);
    box->setDecimals(suffix == QLatin1String(" dpi") ? 0 : 1);
    box->setValue(value);
    box->setSuffix(suffix);
    box->setKeyboardTracking(false);
    return box;
}

void select(QComboBox* box, int value) {
    box->setCurrentIndex(std::max(0, box->findData(value)));
}

}  // namespace

FigureComposer::FigureComposer(Exporter& exporter, JobRunner& jobs, const Document& document,
                               QSize viewSize, QWidget* parent)
    : QDialog(parent), exporter_(exporter), jobs_(jobs), document_(document) {
    setAttribute(Qt::WA_DeleteOnClose);
    setWindowTitle(tr("Figure"));
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
    form->setFixedWidth(320);
    // Without a fitted height, the page has the shape of the view.
    height_->setValue(kColumnWidth * viewSize.height() / std::max(1, viewSize.width()));
    auto* both = new QHBoxLayout;
    both->setSpacing(16);
    both->addLayout(left, 1);
    both->addWidget(form);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
    auto* copy = buttons->addButton(tr("Copy as command"), QDialogButtonBox::ActionRole);
    copy->setToolTip(tr("Copy the armilla command that makes the same file"));
    connect(copy, &QPushButton::clicked, this, [this] {
        if (!isReadable()) return;
        const QString command = exporter_.commandForFigure(QStringLiteral("figure.png"), wish());
        if (!command.isEmpty()) emit commandCopied(command);
    });
    auto* write = buttons->addButton(tr("Save…"), QDialogButtonBox::AcceptRole);
    write->setDefault(true);
    connect(buttons, &QDialogButtonBox::accepted, this, &FigureComposer::save);
    connect(buttons, &QDialogButtonBox::rejected, this, &QWidget::close);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(16, 16, 16, 14);
    layout->setSpacing(12);
    layout->addLayout(both, 1);
    layout->addWidget(buttons);
    resize(940, 640);

    const auto follow = [this] { refresh(); };
    connect(&document.view(), &DocumentView::cameraChanged, this, follow);
    connect(&document.view(), &DocumentView::shownChanged, this, follow);
    connect(&document, &Document::entriesChanged, this, follow);
    connect(&document.drawings(), &LayerDrawings::colorScaleChanged, this, follow);
    connect(&document.drawings(), &LayerDrawings::drawableChanged, this, follow);
    connect(&document.overlays(), &Overlays::changed, this, follow);
    connect(&jobs_, &JobRunner::jobsChanged, this, &FigureComposer::showProgress);
    refresh();
}

QWidget* FigureComposer::buildPresets() {
    auto* row = new QWidget;
    auto* layout = new QGridLayout(row);
    layout->setContentsMargins(0, 0, 0, 0);
    preset_ = new QComboBox;
    preset_->setEditable(true);
    preset_->setInsertPolicy(QComboBox::NoInsert);
    preset_->lineEdit()->setPlaceholderText(tr("Name"));
    // Otherwise a typed name of a preset loads it as soon as the box loses the focus, and *Keep*
    // would keep the loaded values.
    disconnect(preset_->lineEdit(), &QLineEdit::editingFinished, preset_, nullptr);
    preset_->setAccessibleName(tr("Preset"));
    preset_->setToolTip(tr("Size and look by name; type a name and keep the present ones"));
    auto* keep = new QPushButton(tr("Keep"));
    keep->setAutoDefault(false);
    auto* more = new QPushButton(tr("Write…"));
    more->setAutoDefault(false);
    more->setToolTip(tr("Write the preset to a file for armilla render --preset"));
    auto* read = new QPushButton(tr("Read…"));
    read->setAutoDefault(false);
    layout->addWidget(preset_, 0, 0, 1, 3);
    int column = 0;
    for (QPushButton* button : {keep, more, read}) layout->addWidget(button, 1, column++);
    connect(preset_, &QComboBox::activated, this, [this] { loadPreset(preset_->currentText()); });
    connect(keep, &QPushButton::clicked, this, &FigureComposer::keepPreset);
    connect(more, &QPushButton::clicked, this, &FigureComposer::exportPreset);
    connect(read, &QPushButton::clicked, this, &FigureComposer::importPreset);
    refreshPresets();
    return row;
}

QWidget* FigureComposer::buildForm() {
    auto* box = new QWidget;
    auto* form = new QFormLayout(box);
    form->setContentsMargins(0, 0, 0, 0);
    form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    size_ = new QComboBox;
    size_->addItem(tr("Column, 88 mm"), kColumnWidth);
    size_->addItem(tr("Page, 180 mm"), kPageWidth);
    size_->addItem(tr("Free"));
    width_ = numberBox(10.0, 2000.0, kColumnWidth, tr(" mm"));
    height_ = numberBox(10.0, 2000.0, 60.0, tr(" mm"));
    fits_ = new QCheckBox(tr("as tall as the content"));
    crop_ = new QCheckBox(tr("narrow margins"));
    fits_->setChecked(true);
    crop_->setChecked(true);
    dpi_ = numberBox(30.0, 2400.0, 300.0, tr(" dpi"));
    title_ = new QLineEdit;
    title_->setPlaceholderText(tr("none"));
    label_ = new QLineEdit;
    label_->setPlaceholderText(tr("name of the field"));
    unit_ = new QLineEdit;
    unit_->setPlaceholderText(tr("unit of the field"));
    ticks_ = new QLineEdit;
    ticks_->setPlaceholderText(tr("round values"));
    ticks_->setToolTip(tr("Values labeled at the color bar, between commas"));
    bar_ = new QComboBox;
    bar_->addItem(tr("below the sky"), static_cast<int>(BarPlace::Below));
    bar_->addItem(tr("right of the sky"), static_cast<int>(BarPlace::Right));
    bar_->addItem(tr("none"), static_cast<int>(BarPlace::None));
    background_ = new QComboBox;
    background_->addItem(tr("white"), static_cast<int>(FigureBackground::Light));
    background_->addItem(tr("transparent"), static_cast<int>(FigureBackground::Transparent));
    background_->addItem(tr("dark"), static_cast<int>(FigureBackground::Dark));
    font_ = new QComboBox;
    font_->addItem(tr("automatic"), QString());
    for (const QString& family : QFontDatabase::families()) font_->addItem(family, family);
    font_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    text_ = numberBox(3.0, 72.0, 7.0, tr(" pt"));
    form->addRow(tr("&Preset"), buildPresets());
    form->addRow(tr("&Size"), size_);
    form->addRow(tr("&Width"), width_);
    form->addRow(tr("&Height"), height_);
    form->addRow(QString(), fits_);
    form->addRow(QString(), crop_);
    form->addRow(tr("&Resolution"), dpi_);
    form->addRow(tr("&Title"), title_);
    form->addRow(tr("&Label"), label_);
    form->addRow(tr("&Unit"), unit_);
    form->addRow(tr("Tic&ks"), ticks_);
    form->addRow(tr("Color &bar"), bar_);
    form->addRow(tr("Back&ground"), background_);
    form->addRow(tr("&Font"), font_);
    form->addRow(tr("T&ext"), text_);
    inset_ = new QLineEdit;
    inset_->setPlaceholderText(tr("none; center as 209.0, −19.4"));
    inset_->setToolTip(tr("Center of an enlarged view, in the frame of the sky, degrees or hours"));
    insetWidth_ = numberBox(0.1, 90.0, 10.0, tr("°"));
    insetWidth_->setAccessibleName(tr("Width of the inset"));
    corner_ = new QComboBox;
    corner_->addItem(tr("top right"), static_cast<int>(FigureCorner::TopRight));
    corner_->addItem(tr("top left"), static_cast<int>(FigureCorner::TopLeft));
    corner_->addItem(tr("bottom right"), static_cast<int>(FigureCorner::BottomRight));
    corner_->addItem(tr("bottom left"), static_cast<int>(FigureCorner::BottomLeft));
    corner_->setAccessibleName(tr("Corner of the inset"));
    auto* insetRow = new QHBoxLayout;
    insetRow->addWidget(insetWidth_);
    insetRow->addWidget(corner_, 1);
    form->addRow(tr("&Inset"), inset_);
    form->addRow(QString(), insetRow);
    connect(size_, &QComboBox::activated, this, [this] {
        if (size_->currentData().isValid()) width_->setValue(size_->currentData().toDouble());
        refresh();
    });
    connect(width_, &QDoubleSpinBox::valueChanged, this, [this](double width) {
        const int known = size_->findData(width);
        size_->setCurrentIndex(known < 0 ? size_->count() - 1 : known);
    });
    for (QDoubleSpinBox* number : {width_, height_, dpi_, text_, insetWidth_})
        connect(number, &QDoubleSpinBox::valueChanged, this, &FigureComposer::refresh);
    for (QComboBox* choice : {bar_, background_, font_, corner_})
        connect(choice, &QComboBox::currentIndexChanged, this, &FigureComposer::refresh);
    for (QCheckBox* choice : {fits_, crop_})
        connect(choice, &QCheckBox::toggled, this, &FigureComposer::refresh);
    for (QLineEdit* text : {title_, label_, unit_, ticks_, inset_})
        connect(text, &QLineEdit::textChanged, this, &FigureComposer::refresh);
    return box;
}

FigureWish FigureComposer::wish() const {
    FigureWish wish;
    FigureOptions& options = wish.options;
    options.width = width_->value();
    if (!fits_->isChecked()) options.height = height_->value();
    options.dpi = dpi_->value();
    options.look.cropped = crop_->isChecked();
    options.look.bar = static_cast<BarPlace>(bar_->currentData().toInt());
    options.look.background = static_cast<FigureBackground>(background_->currentData().toInt());
    options.look.family = font_->currentData().toString().toStdString();
    options.look.textPoints = text_->value();
    wish.title = title_->text().trimmed();
    wish.label = label_->text().trimmed();
    wish.unit = unit_->text().trimmed();
    for (const QString& word : ticks_->text().split(QLatin1Char(','), Qt::SkipEmptyParts))
        if (const auto value = numberFromText(word.trimmed())) wish.ticks.push_back(*value);
    if (const QString at = inset_->text().trimmed(); !at.isEmpty()) {
        try {
            wish.inset =
                InsetWish{parseTypedPosition(at.toStdString(), document_.view().camera().frame),
                          insetWidth_->value() * kDegree,
                          static_cast<FigureCorner>(corner_->currentData().toInt())};
        } catch (const Error&) {
            // A position that is still being typed is no inset yet.
            wish.inset.reset();
        }
    }
    return wish;
}

// Texts that are still being typed count as none in wish().
QString FigureComposer::unreadable() const {
    for (const QString& word : ticks_->text().split(QLatin1Char(','), Qt::SkipEmptyParts))
        if (!numberFromText(word.trimmed()))
            return tr("Ticks: expected numbers between commas, found \"%1\".").arg(word.trimmed());
    const QString at = inset_->text().trimmed();
    if (!at.isEmpty() && !wish().inset)
        return tr("Inset: expected a position, found \"%1\".").arg(at);
    return {};
}

bool FigureComposer::isReadable() {
    const QString problem = unreadable();
    if (!problem.isEmpty()) note_->setText(problem);
    return problem.isEmpty();
}

void FigureComposer::usePreset(const FigureOptions& options) {
    {
        std::vector<QSignalBlocker> quiet;
        for (QObject* each : {static_cast<QObject*>(width_), static_cast<QObject*>(height_),
                              static_cast<QObject*>(dpi_), static_cast<QObject*>(text_)})
            quiet.emplace_back(each);
        width_->setValue(options.width.value_or(kColumnWidth));
        height_->setValue(options.height.value_or(height_->value()));
        dpi_->setValue(options.dpi);
        text_->setValue(options.look.textPoints);
    }
    const int known = size_->findData(width_->value());
    size_->setCurrentIndex(known < 0 ? size_->count() - 1 : known);
    fits_->setChecked(!options.height);
    crop_->setChecked(options.look.cropped);
    select(bar_, static_cast<int>(options.look.bar));
    select(background_, static_cast<int>(options.look.background));
    font_->setCurrentIndex(
        std::max(0, font_->findData(QString::fromStdString(options.look.family))));
    refresh();
}

void FigureComposer::refreshPresets() {
    const QString name = preset_->currentText();
    QSettings stored;
    stored.beginGroup(kPresets.chopped(1));
    preset_->clear();
    preset_->addItems(stored.childKeys());
    preset_->setCurrentText(name);
}

void FigureComposer::loadPreset(const QString& name) {
    try {
        usePreset(presetFrom(QSettings().value(kPresets + name).toString().toStdString()));
    } catch (const Error& error) {
        note_->setText(QString::fromStdString(error.message()));
    }
}

void FigureComposer::keepPreset() {
    QString name = preset_->currentText().trimmed();
    name.remove(QLatin1Char('/')).remove(QLatin1Char('\\'));  // separators of settings
    if (name.isEmpty()) return preset_->setFocus();
    QSettings().setValue(kPresets + name, QString::fromStdString(presetText(wish().options)));
    refreshPresets();
    preset_->setCurrentText(name);
}

void FigureComposer::exportPreset() {
    chooseFileToWrite(
        this, tr("Write preset"), QStringLiteral("figure.json"), tr("Presets (*.json)"),
        QStringLiteral("json"), [this](const QString& path) {
            QSaveFile file(path);
            const QByteArray text = QByteArray::fromStdString(presetText(wish().options)) + '\n';
            if (!file.open(QIODevice::WriteOnly) || file.write(text) != text.size() ||
                !file.commit())
                note_->setText(tr("The preset is not written: %1").arg(file.errorString()));
        });
}

void FigureComposer::importPreset() {
    chooseFilesToOpen(this, tr("Read preset"), tr("Presets (*.json)"),
                      [this](const QStringList& paths) {
                          if (paths.isEmpty()) return;
                          QFile file(paths.front());
                          try {
                              if (!file.open(QIODevice::ReadOnly))
                                  throw IoError(file.errorString().toStdString());
                              usePreset(presetFrom(file.readAll().toStdString()));
                          } catch (const Error& error) {
                              note_->setText(QString::fromStdString(error.message()));
                          }
                      });
}

// Changes of one event are one preview.
void FigureComposer::refresh() {
    height_->setEnabled(!fits_->isChecked());
    if (isWaiting_) return;
    isWaiting_ = true;
    QMetaObject::invokeMethod(
        this,
        [this] {
            isWaiting_ = false;
            const qreal ratio = devicePixelRatioF();
            const QSize most(static_cast<int>(preview_->width() * ratio),
                             static_cast<int>(preview_->height() * ratio));
            exporter_.previewFigure(wish(), most, this,
                                    [this](const QImage& image, const QString& failure) {
                                        // The last good picture stays beside the reason.
                                        note_->setText(failure.isEmpty() ? unreadable() : failure);
                                        if (!image.isNull()) picture_ = image;
                                        showPicture();
                                        if (!image.isNull()) emit previewShown();
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
    const FigureWish now = wish();
    const QString filter = tr("PNG files (*.png);;PDF files (*.pdf);;SVG files (*.svg)");
    chooseFormatToWrite(this, tr("Save figure"), QStringLiteral("figure.png"), filter,
                        QStringLiteral("png"), [this, now](const QString& path, const QString&) {
                            exporter_.exportFigure(path, now, true);
                        });
}

void FigureComposer::resizeEvent(QResizeEvent* event) {
    QDialog::resizeEvent(event);
    refresh();
}

}  // namespace armilla
