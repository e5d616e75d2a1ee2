// SPDX-License-Identifier: GPL-3.0-or-later
#include "panels/operation_panel.h"

#include <QDir>
#include <QDragEnterEvent>
#include <QGridLayout>
#include <QKeyEvent>
#include <QMimeData>
#include <QPushButton>
#include <QRegularExpression>
#include <QSignalBlocker>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>

#include "armilla/core/error.h"
#include "armilla/session/exporter.h"
#include "armilla/session/file_opener.h"
#include "armilla/session/operation_runner.h"
#include "armilla/session/session.h"
#include "armilla/session/stand_in.h"
#include "armilla/session/tool_settings.h"
#include "armilla/ui/icons.h"
#include "armilla/ui/theme.h"
#include "panels/elided_label.h"
#include "panels/form_rows.h"
#include "panels/item_list.h"
#include "panels/operation_rows.h"
#include "panels/small_widgets.h"
#include "tools/tool_table.h"

namespace armilla {
namespace {

// The shown layer; for a live result, its source.
Shown seenOf(const Document& document) {
    const Layer* live = document.live();
    const Shown shown = document.view().shown();
    if (!live || shown.entry != live->id) return shown;
    return {live->parent, live->recipe.field, Quantity::Field};
}

constexpr double kStepShare = 0.1;  // step of the arrow keys, relative to the number

// Users type 60′ and 1°; the parser of the command line accepts ' and deg.
QString ascii(const QString& text) {
    return text.trimmed()
        .replace(QChar(0x2032), QLatin1String("arcmin"))
        .replace(QChar(0x2033), QLatin1String("arcsec"))
        .replace(QChar(0x00B0), QLatin1String("deg"))
        .replace(QChar(0x2212), QLatin1Char('-'));
}

// "30′" for "30arcmin": the same value in the line of an angle.
QString typesetAngle(const QString& text) {
    QString shown = text;
    return shown.replace(QLatin1String("arcmin"), QChar(0x2032))
        .replace(QLatin1String("arcsec"), QChar(0x2033))
        .replace(QLatin1String("deg"), QChar(0x00B0));
}

// Possible input layers: id, revision and name.
std::vector<std::tuple<LayerId, uint64_t, QString>> keptLayers(const Document& document) {
    std::vector<std::tuple<LayerId, uint64_t, QString>> kept;
    for (const Layer& layer : document.entries())
        if (!layer.live) kept.emplace_back(layer.id, layer.revision, layer.name);
    return kept;
}

// Widgets that receive focus by Tab, in layout order.
void addTabStops(const QLayout& layout, std::vector<QWidget*>& stops) {
    for (int i = 0; i < layout.count(); ++i) {
        QLayoutItem* item = layout.itemAt(i);
        if (const QLayout* inner = item->layout()) addTabStops(*inner, stops);
        QWidget* widget = item->widget();
        if (widget && (widget->focusPolicy() & Qt::TabFocus) != 0)
            stops.push_back(widget);
        else if (widget && widget->layout())
            addTabStops(*widget->layout(), stops);
    }
}

}  // namespace

OperationPanel::OperationPanel(Session& session, const Operation& operation, QWidget* parent)
    : QWidget(parent), session_(session), operation_(operation), parameters_(operation.defaults()) {
    setAcceptDrops(true);
    auto* layout = layout_ = new QVBoxLayout(this);
    layout->setContentsMargins(12, 2, 12, 12);
    layout->setSpacing(7);
    auto* help = nameLabel(sentence(operation.help, operation_), this);
    layout->addWidget(help);
    const auto newGrid = [] {
        auto* made = new QGridLayout;
        made->setHorizontalSpacing(8);
        made->setVerticalSpacing(6);
        made->setColumnStretch(1, 1);
        return made;
    };
    const QStringList first = toolFacts(operation.id, {}).firstRows;
    isComposed_ = !first.isEmpty();
    for (QGridLayout*& grid : grids_) grid = newGrid();
    layout->addLayout(grids_[0]);
    layout->addLayout(grids_[1]);
    buildInputs();
    buildParameters(first);
    layout->addWidget(advanced_, 0, Qt::AlignLeft);
    layout->addLayout(grids_[2]);
    advanced_->setVisible(grids_[2]->count() > 0);
    layout->addStretch(1);
    buildFooter();
    Document& document = session_.document();
    for (const auto change : {&Document::entriesChanged, &Document::activeChanged})
        connect(&document, change, this, &OperationPanel::noteLayers);
    connect(&document.view(), &DocumentView::shownChanged, this, &OperationPanel::noteLayers);
    for (const auto end : {&JobRunner::jobFinished, &JobRunner::jobCancelled})
        connect(&session_.jobs(), end, this, [this](int job) { noteEnd(job, {}); });
    connect(&session_.jobs(), &JobRunner::jobFailed, this, &OperationPanel::noteEnd);
    if (isComposed_) orderTabStops();
    buildSettings();
    fillInputs();
}

OperationPanel::~OperationPanel() = default;

// There are dozens of panels and only one is visible; hidden ones update when shown.
void OperationPanel::noteLayers() {
    isStale_ = true;
    if (failure_ &&
        std::any_of(failure_->inputs.begin(), failure_->inputs.end(), [&](LayerId layer) {
            return layer.isValid() && !session_.document().entry(layer);
        }))
        endFailure();
    if (isVisible()) followLayers();
}

void OperationPanel::followLayers() {
    if (!std::exchange(isStale_, false)) return;
    // A live map is no input and changes many times a second, so it is ignored.
    const Document& document = session_.document();
    Kept kept{keptLayers(document), seenOf(document), document.active()};
    if (kept == kept_) return;
    kept_ = std::move(kept);
    fillInputs();
}

// Aligns the label columns of inputs and parameters.
void OperationPanel::alignRows() {
    int width = 0;
    const auto fit = [&](QWidget* label) {
        if (label->isHidden()) return;
        label->ensurePolished();
        width = std::max(width, label->sizeHint().width());
    };
    for (const auto& row : inputs_) fit(row->label);
    for (const auto& row : rows_) fit(row->label);
    for (QGridLayout* grid : grids_)
        if (grid->columnMinimumWidth(0) != width) grid->setColumnMinimumWidth(0, width);
}

void OperationPanel::showEvent(QShowEvent* event) {
    followLayers();
    alignRows();
    isOpen_ = true;
    QWidget::showEvent(event);
}

// A tool that opens again takes the layer that is looked at then.
void OperationPanel::hideEvent(QHideEvent* event) {
    isOpen_ = false;
    QWidget::hideEvent(event);
}

// Suitable layers. A layer chosen by the user stays while it is open. Otherwise the input follows
// the layer that the user selects or opens, but not a result that appears while the tool is open.
void OperationPanel::fillInputs() {
    const Document& document = session_.document();
    const LayerId seen = seenOf(document).entry;
    for (auto& row : inputs_) {
        const QSignalBlocker quiet(row->choice);
        const InputSlot& slot = *row->slot;
        const QString typed = row->choice->isEditable() ? row->choice->currentText() : QString();
        const QVariant before = row->choice->currentData();
        Items items;
        const bool isFree = slot.isOptional || slot.isOption;
        // Choices without a layer: the literals of the slot; "none" if it has no literals.
        const QStringList words = textOf(slot.literals).split(QLatin1Char(','), Qt::SkipEmptyParts);
        for (const QString& word : words) items.emplace_back(shownText(word.toStdString()), word);
        if (isFree && words.isEmpty())
            items.emplace_back(tr("none"), QVariant::fromValue(LayerId()));
        const auto kind = layerKindFor(slot.kind);
        const LayerId lookedAt = kind == LayerKind::Map ? seen : document.active();
        const bool isOther = std::exchange(row->lookedAt, lookedAt) != lookedAt;
        LayerId first, held, followed;
        for (const Layer& layer : document.entries()) {
            if (layer.live || !canServe(slot, layer.kind())) continue;
            items.emplace_back(layer.name, QVariant::fromValue(layer.id));
            if (!first.isValid() && layer.kind() == kind) first = layer.id;
            if (layer.id == before.value<LayerId>()) held = layer.id;
            const bool isResult = layer.parent.isValid() && !known_.contains(layer.id) && isOpen_;
            if (layer.id == lookedAt && !(isResult && held.isValid())) followed = layer.id;
        }
        // The main input follows the layer that is looked at, even if the operation can do without.
        const bool isMain = !slot.isOption && row->slot == &operation_.inputs.front();
        const LayerId preferred = isFree && !isMain                                    ? LayerId()
                                  : followed.isValid() && (isOther || !held.isValid()) ? followed
                                  : held.isValid()                                     ? held
                                                                                       : first;
        setItems(*row->choice, items);
        int index = row->chosen ? row->choice->findData(before) : -1;
        if (index < 0 && (preferred.isValid() || words.isEmpty()))
            index = row->choice->findData(QVariant::fromValue(preferred));
        row->choice->setCurrentIndex(std::max(index, row->choice->count() > 0 ? 0 : -1));
        if (row->chosen && row->choice->isEditable() && !before.isValid())
            row->choice->setEditText(typed);
    }
    // A result is known once it has been looked at: it appears first, and is shown after that.
    for (const Layer& layer : document.entries()) {
        const bool isLookedAt =
            layer.id == (layer.kind() == LayerKind::Map ? seen : document.active());
        if (!layer.live && (!layer.parent.isValid() || !isOpen_ || isLookedAt))
            known_.insert(layer.id);
    }
    if (names_) {
        QStringList lines;
        for (const auto& [name, layer] : namedLayers())
            lines << name + QStringLiteral(" = ") + document.entry(layer)->name;
        names_->setText(breakable(lines.join(QLatin1Char('\n'))));
    }
    takeDropped();
    refresh();
}

QString OperationPanel::inputText() {
    followLayers();
    for (const auto& row : inputs_) {
        const Layer* layer = session_.document().entry(input(textOf(row->slot->name)));
        if (!layer) continue;
        const QString standIn = standInText(*layer);
        return standIn.isEmpty() ? layer->name : tr("%1 · %2").arg(layer->name, standIn);
    }
    return {};
}

std::vector<std::pair<QString, LayerId>> OperationPanel::namedLayers() const {
    std::vector<std::pair<QString, LayerId>> named;
    constexpr int kLetters = 26;
    for (const Layer& layer : session_.document().entries()) {
        if (layer.live || layer.kind() != LayerKind::Map) continue;
        const int index = static_cast<int>(named.size());
        QString name(QChar(static_cast<char16_t>(u'A' + index % kLetters)));
        if (index >= kLetters) name += QString::number(index / kLetters);
        named.emplace_back(name, layer.id);
    }
    return named;
}

void OperationPanel::addNamed(const InputSlot& slot, OperationRequest& request) const {
    ParameterSet parameters = request.parameters;
    QString text;
    for (const Parameter& row : parameters.rows())
        if (row.facts.positional) text += QString::fromStdString(row.text(row.get())) + u' ';
    for (const auto& [name, layer] : namedLayers()) {
        const QRegularExpression word(QStringLiteral("\\b%1\\b").arg(name),
                                      QRegularExpression::CaseInsensitiveOption);
        if (text.contains(word)) request.inputs.push_back({textOf(slot.name), layer, {}, {}, name});
    }
}

OperationRequest OperationPanel::request() {
    followLayers();
    OperationRequest request{&operation_, parameters_, {}, {}};
    const Shown shown = seenOf(session_.document());
    for (const auto& row : inputs_) {
        const QString slot = textOf(row->slot->name);
        const QVariant chosen = row->choice->currentData();
        const bool isItem =
            row->choice->currentIndex() >= 0 &&
            row->choice->currentText() == row->choice->itemText(row->choice->currentIndex());
        if (!isItem || chosen.typeId() == QMetaType::QString) {
            const QString word = isItem ? chosen.toString() : row->choice->currentText().trimmed();
            if (!word.isEmpty()) request.inputs.push_back({slot, {}, {}, word});
            continue;
        }
        const auto layer = chosen.value<LayerId>();
        if (!layer.isValid()) continue;
        OperationRequest::Given given{slot, layer, {}, {}};
        if (layer == shown.entry && shown.quantity == Quantity::Field) given.fields = {shown.field};
        request.inputs.push_back(std::move(given));
    }
    for (const InputSlot& slot : operation_.inputs)
        if (slot.isNamed) addNamed(slot, request);
    for (const auto& [slot, box] : outputs_)
        if (box->isChecked()) request.wanted.insert(std::string(slot));
    return request;
}

bool OperationPanel::take(Row& row, const QString& text) {
    const ParameterKind kind = row.parameter.kind;
    const bool isName = (kind == ParameterKind::Text && !isBins(row.parameter)) ||
                        kind == ParameterKind::File || kind == ParameterKind::Words;
    const QString plain = isName ? text.trimmed() : withShownUnit(row.parameter, ascii(text));
    try {
        row.parameter.assign(plain.isEmpty() ? ParameterValue()
                                             : row.parameter.parse(plain.toStdString()));
        row.hasError = false;
        row.error->hide();
    } catch (const Error& error) {
        row.hasError = true;
        row.wrong = quotingTyped(inWindowWords(QString::fromUtf8(error.what()), &operation_), plain,
                                 text.trimmed());
        row.error->setText(breakable(row.wrong));
        row.error->show();
    }
    refresh();
    return !row.hasError;
}

// Arrow keys change a number by a tenth, an integer by one, and a power of two by a factor of two.
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
    } catch (const Error&) {
        return;  // at the end of the range
    }
    row.line->setModified(false);
    settings_->act(
        shownText(row.parameter.label()),
        [&] {
            row.parameter.assign(next);
            row.hasError = false;
            row.error->hide();
            refresh();
        },
        ToolSettings::Pace::Repeated);
}

bool OperationPanel::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::KeyPress) {
        const int key = static_cast<QKeyEvent*>(event)->key();
        if (key == Qt::Key_Up || key == Qt::Key_Down)
            for (auto& row : rows_)
                if (row->line == watched) {
                    takeLine(*row);
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
    const bool isShown = !parameter.facts.advanced || advanced_->isChecked();
    row.editor->setVisible(isShown);
    row.label->setVisible(isShown && !row.flag);
    row.error->setVisible(isShown && row.hasError);
    if (row.slider) {
        row.slider->setVisible(isShown);
        row.slider->setEnabled(applies);
        row.slider->showValue(value);
    }
    if (row.column) row.column->setTable(table());
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
        const QString text = QString::fromStdString(parameter.text(value));
        row.line->setText(parameter.kind == ParameterKind::Angle ? typesetAngle(text) : text);
        row.line->setCursorPosition(0);
    }
}

// Rows under More that differ from the start: they act without being seen.
int OperationPanel::rowsSet() const {
    const auto isChanged = [](const auto& row) { return isSet(*row); };
    const auto isChosen = [](const auto& row) { return !row->isFirst && row->chosen; };
    const auto isWanted = [this](const auto& output) {
        const QCheckBox* box = output.second;
        return isComposed_ && box->isChecked() != box->property(kStandardOutput).toBool();
    };
    return static_cast<int>(std::count_if(rows_.begin(), rows_.end(), isChanged) +
                            std::count_if(inputs_.begin(), inputs_.end(), isChosen) +
                            std::count_if(outputs_.begin(), outputs_.end(), isWanted));
}

void OperationPanel::refresh() {
    for (auto& row : rows_) refreshRow(*row);
    const bool isOpen = advanced_->isChecked();
    for (const auto& row : inputs_) {
        row->label->setVisible(row->isFirst || isOpen);
        row->choice->setVisible(row->isFirst || isOpen);
    }
    if (isComposed_)
        for (const auto& [slot, box] : outputs_) box->setVisible(isOpen);
    const int set = isOpen ? 0 : rowsSet();
    advanced_->setText(set > 0 ? tr("More · %n set", nullptr, set) : tr("More"));
    const auto [line, cause] = problem();
    // A new problem unfolds the row that causes it; after that the user may fold the row again.
    if (std::exchange(problemLine_, line) != line && cause && cause->parameter.facts.advanced &&
        !advanced_->isChecked())
        return advanced_->setChecked(true);
    // A row above the button shows its own error; one under More may be out of view.
    const bool isSeen = cause && cause->hasError && !cause->parameter.facts.advanced;
    problem_->setText(breakable(cause ? line : withoutBlame(line)));
    problem_->setVisible(!line.isEmpty() && !isSeen);
    run_->setEnabled(line.isEmpty() && !isRunning());
    copy_->setEnabled(line.isEmpty());
    reset_->setEnabled(isAnySet());
    if (failure_ && failure_->request != requestText()) endFailure();
    settings_->follow();
    emit changed();
}

void OperationPanel::takeLine(Row& row) {
    if (!row.line || !row.line->isModified()) return;
    row.line->setModified(false);
    settings_->act(shownText(row.parameter.label()), [&] { take(row, row.line->text()); });
}

// Applies pending edits; returns false if the request is invalid.
bool OperationPanel::takeTyped() {
    for (auto& row : rows_) takeLine(*row);
    refresh();  // a line that was reverted clears its error
    return copy_->isEnabled();
}

QString OperationPanel::text(const QString& name) const {
    for (const auto& row : rows_) {
        if (!row->parameter.isNamed(name.toStdString())) continue;
        if (row->line && row->parameter.kind == ParameterKind::Angle)
            return ascii(row->line->text());
        if (row->line) return row->line->text();
        if (row->choice) return row->choice->currentData().toString();
        return row->flag->isChecked() ? QStringLiteral("true") : QStringLiteral("false");
    }
    return {};
}

bool OperationPanel::setText(const QString& name, const QString& text) {
    for (const auto& row : rows_)
        if (row->parameter.isNamed(name.toStdString())) return take(*row, text);
    return false;
}

void OperationPanel::setInput(const QString& slot, LayerId layer) {
    followLayers();
    for (const auto& row : inputs_) {
        if (textOf(row->slot->name) != slot) continue;
        const int index = row->choice->findData(QVariant::fromValue(layer));
        if (index >= 0) row->choice->setCurrentIndex(index);
        row->chosen = true;
    }
    refresh();
}

LayerId OperationPanel::input(const QString& slot) {
    followLayers();
    for (const auto& row : inputs_)
        if (textOf(row->slot->name) == slot) return row->choice->currentData().value<LayerId>();
    return {};
}

QPushButton* OperationPanel::runButton() {
    followLayers();
    return run_;
}

void OperationPanel::insertPart(QWidget* part) {
    layout_->insertWidget(isComposed_ ? 3 : 2, part);
    orderTabStops();
}

// Tab follows the layout order, not the order of creation.
void OperationPanel::orderTabStops() {
    std::vector<QWidget*> stops;
    addTabStops(*layout_, stops);
    for (size_t i = 1; i < stops.size(); ++i) setTabOrder(stops[i - 1], stops[i]);
}

std::shared_ptr<const Catalog> OperationPanel::table() const {
    for (const auto& row : inputs_) {
        if (layerKindFor(row->slot->kind) != LayerKind::Catalog) continue;
        const Layer* layer = session_.document().entry(row->choice->currentData().value<LayerId>());
        return layer ? layer->catalog : nullptr;
    }
    return nullptr;
}

void OperationPanel::dragEnterEvent(QDragEnterEvent* event) {
    const QList<QUrl> urls = event->mimeData()->urls();
    const bool hasFile =
        std::any_of(urls.begin(), urls.end(), [](const QUrl& url) { return url.isLocalFile(); });
    if (hasFile && !inputs_.empty()) event->acceptProposedAction();
}

void OperationPanel::dropEvent(QDropEvent* event) {
    QStringList paths;
    for (const QUrl& url : event->mimeData()->urls())
        if (url.isLocalFile()) paths += url.toLocalFile();
    if (paths.isEmpty()) return;
    event->acceptProposedAction();
    takeFiles(paths, event->position().toPoint());
}

void OperationPanel::takeFiles(const QStringList& paths, QPoint at) {
    followLayers();
    InputRow* under = nullptr;
    for (const auto& row : inputs_)
        if (!row->choice->isHidden() &&
            row->choice->geometry().united(row->label->geometry()).contains(at))
            under = row.get();
    QStringList opened;
    for (const QString& path : paths) {
        const QString absolute = QDir::cleanPath(QDir::current().absoluteFilePath(path));
        dropped_[absolute] = under;
        const auto& layers = session_.document().entries();
        if (std::none_of(layers.begin(), layers.end(), [&](const Layer& layer) {
                return layer.recipe.kind == RecipeKind::Open && layer.recipe.path == absolute;
            }))
            opened << absolute;
    }
    if (!opened.isEmpty()) session_.files().openFiles(opened);
    fillInputs();
}

// Uses those of the dropped files that are open by now.
void OperationPanel::takeDropped() {
    if (dropped_.isEmpty()) return;
    for (const Layer& layer : session_.document().entries()) {
        if (layer.recipe.kind != RecipeKind::Open || !dropped_.contains(layer.recipe.path))
            continue;
        InputRow* under = dropped_.take(layer.recipe.path);
        for (const auto& row : inputs_) {
            if (!canServe(*row->slot, layer.kind()) || (under && under != row.get())) continue;
            row->choice->setCurrentIndex(row->choice->findData(QVariant::fromValue(layer.id)));
            row->chosen = true;
            break;
        }
    }
}

void OperationPanel::setOutput(const QString& slot, bool wanted) {
    for (const auto& [name, box] : outputs_)
        if (textOf(name) == slot) {
            const QSignalBlocker quiet(box);
            box->setProperty(kStandardOutput, wanted);
            box->setChecked(wanted);
        }
    refresh();
}

QStringList OperationPanel::parameters() const {
    QStringList names;
    for (const auto& row : rows_) names << textOf(row->parameter.name);
    return names;
}

}  // namespace armilla
