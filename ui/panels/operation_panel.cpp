// SPDX-License-Identifier: GPL-3.0-or-later
#include "panels/operation_panel.h"

#include <QCheckBox>
#include <QComboBox>
#include <QFileDialog>
#include <QGridLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalBlocker>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>

#include "core/error.h"
#include "session/session.h"
#include "ui/icons.h"
#include "ui/theme.h"

namespace armilla {
namespace {

constexpr double kStepShare = 0.1;  // of a number, for the arrow keys

QString textOf(std::string_view text) {
    return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

// "Width of a Gaussian beam."
QString sentence(std::string_view help) {
    QString text = textOf(help);
    if (!text.isEmpty()) text[0] = text[0].toUpper();
    return text.isEmpty() ? text : text + QLatin1Char('.');
}

// People type 60′ and 1°; the parser of the command line knows ' and deg.
QString ascii(const QString& text) {
    return text.trimmed()
        .replace(QChar(0x2032), QLatin1String("arcmin"))
        .replace(QChar(0x2033), QLatin1String("arcsec"))
        .replace(QChar(0x00B0), QLatin1String("deg"))
        .replace(QChar(0x2212), QLatin1Char('-'));
}

QLabel* nameLabel(const QString& text, QWidget* parent) {
    auto* label = new QLabel(text, parent);
    label->setProperty("role", "muted");
    label->setWordWrap(true);
    return label;
}

bool isText(ParameterKind kind) {
    return kind != ParameterKind::Choice && kind != ParameterKind::Flag &&
           kind != ParameterKind::Frame;
}

// The range, for a tool tip.
QString rangeText(const Parameter& parameter) {
    const ParameterFacts& facts = parameter.facts;
    const bool isNumber = parameter.kind == ParameterKind::Angle ||
                          parameter.kind == ParameterKind::Number ||
                          parameter.kind == ParameterKind::Integer;
    if (!isNumber) return {};
    const auto word = [&](double bound) {
        return parameter.kind == ParameterKind::Integer
                   ? QString::number(static_cast<qint64>(bound))
                   : QString::fromStdString(parameter.text(bound));
    };
    QStringList parts;
    if (std::isfinite(facts.least))
        parts << (facts.aboveLeast ? OperationPanel::tr("above %1") : OperationPanel::tr("from %1"))
                     .arg(word(facts.least));
    if (std::isfinite(facts.most))
        parts << (facts.belowMost ? OperationPanel::tr("below %1") : OperationPanel::tr("to %1"))
                     .arg(word(facts.most));
    if (facts.powerOfTwo) parts << OperationPanel::tr("a power of two");
    return parts.join(QLatin1Char(' '));
}

}  // namespace

struct OperationPanel::Row {
    Parameter parameter;
    QLabel* label = nullptr;
    QWidget* editor = nullptr;
    QLineEdit* line = nullptr;
    QComboBox* choice = nullptr;
    QCheckBox* flag = nullptr;
    QLabel* error = nullptr;
    bool hasError = false;
};

struct OperationPanel::InputRow {
    const InputSlot* slot = nullptr;
    QLabel* label = nullptr;
    QComboBox* choice = nullptr;
    bool chosen = false;  // by the user; else it follows what is looked at
};

OperationPanel::OperationPanel(Session& session, const Operation& operation, QWidget* parent)
    : QWidget(parent), session_(session), operation_(operation), parameters_(operation.defaults()) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(12, 2, 12, 12);
    layout->setSpacing(7);
    auto* help = nameLabel(sentence(operation.help), this);
    layout->addWidget(help);
    auto* grid = new QGridLayout;
    grid->setHorizontalSpacing(8);
    grid->setVerticalSpacing(6);
    grid->setColumnStretch(1, 1);
    layout->addLayout(grid);
    buildInputs(grid);
    std::vector<Parameter> described = parameters_.rows();
    for (Parameter& parameter : described) {
        rows_.push_back(std::make_unique<Row>());
        rows_.back()->parameter = std::move(parameter);
    }
    // Those for every day first, the others on demand.
    for (size_t i = 0; i < rows_.size(); ++i)
        if (!rows_[i]->parameter.facts.advanced) buildRow(grid, i);
    for (const OutputSlot& slot : operation_.outputs) {
        if (!slot.isOption || !layerKindFor(slot.kind)) continue;
        auto* box = new QCheckBox(sentence(slot.help), this);
        box->setToolTip(tr("Make this result, too"));
        grid->addWidget(box, grid->rowCount(), 0, 1, 2);
        outputs_.emplace_back(slot.name, box);
        connect(box, &QCheckBox::toggled, this, [this] { refresh(); });
    }
    const bool hasAdvanced = std::any_of(
        rows_.begin(), rows_.end(), [](const auto& row) { return row->parameter.facts.advanced; });
    if (hasAdvanced) {
        advanced_ = new QToolButton(this);
        advanced_->setText(tr("More"));
        advanced_->setProperty("flat", true);
        advanced_->setCheckable(true);
        advanced_->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
        advanced_->setIcon(lineIcon(QStringLiteral("chevron-right")));
        advanced_->setIconSize({12, 12});
        advanced_->setToolTip(tr("Parameters that are seldom changed"));
        grid->addWidget(advanced_, grid->rowCount(), 0, 1, 2, Qt::AlignLeft);
        connect(advanced_, &QToolButton::toggled, this, [this](bool on) {
            advanced_->setIcon(
                lineIcon(on ? QStringLiteral("chevron-down") : QStringLiteral("chevron-right")));
            refresh();
        });
        for (size_t i = 0; i < rows_.size(); ++i)
            if (rows_[i]->parameter.facts.advanced) buildRow(grid, i);
    }
    problem_ = nameLabel({}, this);
    layout->addWidget(problem_);
    auto* buttons = new QHBoxLayout;
    buttons->setSpacing(6);
    run_ = new QPushButton(tr("Run"), this);
    run_->setProperty("primary", true);
    run_->setToolTip(tr("Runs as a job; the result becomes a layer"));
    copy_ = new QPushButton(tr("Copy command"), this);
    copy_->setToolTip(tr("Copy the armilla command that does the same"));
    buttons->addWidget(run_);
    buttons->addWidget(copy_);
    buttons->addStretch(1);
    layout->addLayout(buttons);
    layout->addStretch(1);
    connect(run_, &QPushButton::clicked, this, &OperationPanel::runNow);
    connect(copy_, &QPushButton::clicked, this, [this] {
        const QString command = session_.commandForOperation(
            request(), textOf(operation_.id) + QStringLiteral("_result.fits"));
        if (!command.isEmpty()) emit commandRequested(command);
    });
    Document& document = session_.document();
    connect(&document, &Document::entriesChanged, this, &OperationPanel::fillInputs);
    connect(&document, &Document::shownChanged, this, &OperationPanel::fillInputs);
    connect(&document, &Document::activeChanged, this, &OperationPanel::fillInputs);
    fillInputs();
}

OperationPanel::~OperationPanel() = default;

void OperationPanel::buildInputs(QGridLayout* grid) {
    for (const InputSlot& slot : operation_.inputs) {
        if (!layerKindFor(slot.kind) && slot.literals.empty() && !slot.takesNumber) continue;
        auto row = std::make_unique<InputRow>();
        row->slot = &slot;
        QString name = textOf(slot.name).toLower().replace(QLatin1Char('-'), QLatin1Char(' '));
        name[0] = name[0].toUpper();
        row->label = nameLabel(name, this);
        row->choice = new QComboBox(this);
        row->choice->setAccessibleName(name);
        row->choice->setToolTip(sentence(slot.help));
        row->choice->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
        row->choice->setMinimumContentsLength(8);
        row->choice->setEditable(slot.takesNumber);
        const int at = grid->rowCount();
        grid->addWidget(row->label, at, 0);
        grid->addWidget(row->choice, at, 1);
        InputRow* held = row.get();
        connect(row->choice, &QComboBox::activated, this, [this, held] {
            held->chosen = true;
            refresh();
        });
        if (slot.takesNumber)
            connect(row->choice->lineEdit(), &QLineEdit::textEdited, this, [this, held] {
                held->chosen = true;
                refresh();
            });
        inputs_.push_back(std::move(row));
    }
}

void OperationPanel::buildRow(QGridLayout* grid, size_t index) {
    Row& row = *rows_[index];
    const Parameter& parameter = row.parameter;
    QString tip = sentence(parameter.help);
    if (const QString range = rangeText(parameter); !range.isEmpty())
        tip += QLatin1Char('\n') + tr("Range: %1").arg(range);
    if (!parameter.facts.standard.empty())
        tip += QLatin1Char('\n') + tr("If empty: %1").arg(textOf(parameter.facts.standard));
    const int at = grid->rowCount();
    QString name = QString::fromStdString(parameter.label());
    // Angles carry their unit in the value.
    if (parameter.kind != ParameterKind::Angle && !parameter.facts.unit.empty() &&
        parameter.facts.unit != "none")
        name += QStringLiteral(" (%1)").arg(textOf(parameter.facts.unit));
    row.label = nameLabel(name, this);
    row.label->setToolTip(tip);
    row.editor = buildEditor(row);
    row.editor->setToolTip(tip);
    row.editor->setAccessibleName(name);
    row.error = new QLabel(this);
    row.error->setProperty("role", "error");
    row.error->setWordWrap(true);
    row.error->hide();
    if (row.flag) {
        row.label->hide();
        grid->addWidget(row.editor, at, 0, 1, 2);
    } else {
        grid->addWidget(row.label, at, 0);
        grid->addWidget(row.editor, at, 1);
    }
    grid->addWidget(row.error, at + 1, 0, 1, 2);
}

QWidget* OperationPanel::buildEditor(Row& row) {
    const Parameter& parameter = row.parameter;
    Row* held = &row;
    if (parameter.kind == ParameterKind::Flag) {
        row.flag = new QCheckBox(QString::fromStdString(parameter.label()), this);
        connect(row.flag, &QCheckBox::clicked, this, [this, held](bool on) {
            held->parameter.assign(on);
            refresh();
        });
        return row.flag;
    }
    if (!isText(parameter.kind)) {
        row.choice = new QComboBox(this);
        const bool canBeEmpty = parameter.kind == ParameterKind::Frame ||
                                std::holds_alternative<std::monostate>(parameter.get());
        if (canBeEmpty) row.choice->addItem(tr("automatic"), QString());
        if (parameter.kind == ParameterKind::Frame)
            for (const Frame frame : {Frame::Galactic, Frame::Equatorial, Frame::Ecliptic})
                row.choice->addItem(textOf(frameName(frame)),
                                    QString(QLatin1Char(frameLetter(frame))));
        for (const ChoiceWord& word : parameter.choices)
            row.choice->addItem(textOf(word.label.empty() ? word.word : word.label),
                                textOf(word.word));
        row.choice->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
        connect(row.choice, &QComboBox::activated, this,
                [this, held](int index) { take(*held, held->choice->itemData(index).toString()); });
        return row.choice;
    }
    row.line = new QLineEdit(this);
    row.line->setPlaceholderText(parameter.facts.standard.empty()
                                     ? QString::fromStdString(parameter.placeholder()).toLower()
                                     : textOf(parameter.facts.standard));
    row.line->installEventFilter(this);
    connect(row.line, &QLineEdit::editingFinished, this, [this, held] {
        if (!held->line->isModified()) return;
        held->line->setModified(false);
        take(*held, held->line->text());
    });
    if (parameter.kind != ParameterKind::File) return row.line;
    QAction* browse =
        row.line->addAction(lineIcon(QStringLiteral("open")), QLineEdit::TrailingPosition);
    browse->setToolTip(tr("Choose a file…"));
    connect(browse, &QAction::triggered, this, [this, held] {
        auto* dialog = new QFileDialog(this, tr("Choose a file"));
        dialog->setAttribute(Qt::WA_DeleteOnClose);
        connect(dialog, &QFileDialog::fileSelected, this,
                [this, held](const QString& path) { take(*held, path); });
        dialog->setModal(false);
        dialog->show();
    });
    return row.line;
}

// The layers that serve, the one looked at first; what the user chose stays while it is open.
void OperationPanel::fillInputs() {
    const Document& document = session_.document();
    for (auto& row : inputs_) {
        const QSignalBlocker quiet(row->choice);
        const InputSlot& slot = *row->slot;
        const QString typed = row->choice->isEditable() ? row->choice->currentText() : QString();
        const QVariant before = row->choice->currentData();
        row->choice->clear();
        const bool isFree = slot.isOptional || slot.isOption;
        if (isFree) row->choice->addItem(tr("none"), -1);
        const auto kind = layerKindFor(slot.kind);
        int preferred = -1;
        for (const Layer& layer : document.entries()) {
            if (layer.live || !kind || layer.kind() != *kind) continue;
            row->choice->addItem(layer.name, layer.id);
            const bool isLookedAt =
                layer.map ? layer.id == document.shown().entry : layer.id == document.active();
            if (!isFree && (preferred < 0 || isLookedAt)) preferred = layer.id;
        }
        for (const QString& word :
             textOf(slot.literals).split(QLatin1Char(','), Qt::SkipEmptyParts))
            row->choice->addItem(word, word);
        int index = row->chosen ? row->choice->findData(before) : -1;
        if (index < 0) index = row->choice->findData(preferred);
        row->choice->setCurrentIndex(std::max(index, row->choice->count() > 0 ? 0 : -1));
        if (row->chosen && row->choice->isEditable() && !before.isValid())
            row->choice->setEditText(typed);
    }
    refresh();
}

OperationRequest OperationPanel::request() const {
    OperationRequest request{&operation_, parameters_, {}, {}};
    const Shown shown = session_.document().shown();
    for (const auto& row : inputs_) {
        const QString slot = textOf(row->slot->name);
        const QVariant chosen = row->choice->currentData();
        const bool isItem =
            row->choice->currentIndex() >= 0 &&
            row->choice->currentText() == row->choice->itemText(row->choice->currentIndex());
        if (!isItem || chosen.typeId() == QMetaType::QString) {
            const QString word = isItem ? chosen.toString() : row->choice->currentText().trimmed();
            if (!word.isEmpty()) request.inputs.push_back({slot, -1, {}, word});
            continue;
        }
        const int layer = chosen.toInt();
        if (layer < 0) continue;
        OperationRequest::Given given{slot, layer, {}, {}};
        if (layer == shown.entry && shown.quantity == Quantity::Field) given.fields = {shown.field};
        request.inputs.push_back(std::move(given));
    }
    for (const auto& [slot, box] : outputs_)
        if (box->isChecked()) request.wanted.insert(std::string(slot));
    return request;
}

bool OperationPanel::take(Row& row, const QString& text) {
    try {
        const QString plain = ascii(text);
        row.parameter.assign(plain.isEmpty() ? ParameterValue()
                                             : row.parameter.parse(plain.toStdString()));
        row.hasError = false;
        row.error->hide();
    } catch (const Error& error) {
        row.hasError = true;
        row.error->setText(QString::fromUtf8(error.what()));
        row.error->show();
    }
    refresh();
    return !row.hasError;
}

// Arrow keys: a tenth up or down, whole numbers by one, powers of two by two.
void OperationPanel::step(Row& row, int direction) {
    const ParameterValue value = row.parameter.get();
    ParameterValue next;
    if (const auto* real = std::get_if<double>(&value)) {
        const double factor = 1.0 + kStepShare;
        next = direction > 0 ? *real * factor : *real / factor;
    } else if (const auto* whole = std::get_if<int64_t>(&value)) {
        if (row.parameter.facts.powerOfTwo)
            next = direction > 0 ? *whole * 2 : *whole / 2;
        else
            next = *whole + direction;
    } else {
        return;
    }
    try {
        row.parameter.check(next, row.parameter.text(next));
        row.parameter.assign(next);
        row.hasError = false;
        row.error->hide();
    } catch (const Error&) {
        return;  // at the end of the range
    }
    row.line->setModified(false);
    refresh();
}

bool OperationPanel::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::KeyPress) {
        const int key = static_cast<QKeyEvent*>(event)->key();
        if (key == Qt::Key_Up || key == Qt::Key_Down)
            for (auto& row : rows_)
                if (row->line == watched) {
                    if (row->line->isModified()) {
                        row->line->setModified(false);
                        take(*row, row->line->text());
                    }
                    step(*row, key == Qt::Key_Up ? 1 : -1);
                    return true;
                }
    }
    return QWidget::eventFilter(watched, event);
}

void OperationPanel::refreshRow(Row& row) {
    const Parameter& parameter = row.parameter;
    const ParameterValue value = parameter.get();
    const bool applies = parameter.applies();
    const bool isShown = !parameter.facts.advanced || (advanced_ && advanced_->isChecked());
    row.editor->setVisible(isShown);
    row.label->setVisible(isShown && !row.flag);
    row.error->setVisible(isShown && row.hasError);
    row.editor->setEnabled(applies);
    row.label->setEnabled(applies);
    if (row.flag) {
        const bool* on = std::get_if<bool>(&value);
        row.flag->setChecked(on && *on);
    } else if (row.choice) {
        const QString word = QString::fromStdString(parameter.text(value));
        const int index = row.choice->findData(word, Qt::UserRole, Qt::MatchFixedString);
        row.choice->setCurrentIndex(std::max(0, index));
    } else if (!row.hasError && !row.line->isModified()) {
        row.line->setText(QString::fromStdString(parameter.text(value)));
        row.line->setCursorPosition(0);
    }
}

void OperationPanel::refresh() {
    for (auto& row : rows_) refreshRow(*row);
    const auto wrong =
        std::find_if(rows_.begin(), rows_.end(), [](const auto& row) { return row->hasError; });
    const QString line =
        wrong != rows_.end()
            ? tr("%1: see above").arg(QString::fromStdString((*wrong)->parameter.label()))
            : problemOf(request());
    problem_->setText(line);
    problem_->setVisible(!line.isEmpty() && wrong == rows_.end());
    run_->setEnabled(line.isEmpty());
    copy_->setEnabled(line.isEmpty());
    emit problemChanged(line);
}

void OperationPanel::runNow() {
    if (QWidget* focus = focusWidget()) focus->clearFocus();  // what is being typed counts
    session_.runOperation(request());
}

QString OperationPanel::text(const QString& name) const {
    for (const auto& row : rows_)
        if (row->parameter.isNamed(name.toStdString()))
            return row->line ? row->line->text()
                             : QString::fromStdString(row->parameter.text(row->parameter.get()));
    return {};
}

bool OperationPanel::setText(const QString& name, const QString& text) {
    for (const auto& row : rows_)
        if (row->parameter.isNamed(name.toStdString())) return take(*row, text);
    return false;
}

void OperationPanel::setInput(const QString& slot, int layer) {
    for (const auto& row : inputs_) {
        if (textOf(row->slot->name) != slot) continue;
        const int index = row->choice->findData(layer);
        if (index >= 0) row->choice->setCurrentIndex(index);
        row->chosen = true;
    }
    refresh();
}

void OperationPanel::setOutput(const QString& slot, bool wanted) {
    for (const auto& [name, box] : outputs_)
        if (textOf(name) == slot) box->setChecked(wanted);
}

QStringList OperationPanel::parameters() const {
    QStringList names;
    for (const auto& row : rows_) names << textOf(row->parameter.name);
    return names;
}

}  // namespace armilla
