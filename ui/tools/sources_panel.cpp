// SPDX-License-Identifier: GPL-3.0-or-later
#include "tools/sources_panel.h"

#include <QAction>
#include <QCheckBox>
#include <QComboBox>
#include <QHBoxLayout>
#include <QHideEvent>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QSignalBlocker>
#include <QToolButton>
#include <QVBoxLayout>
#include <cmath>
#include <optional>
#include <utility>
#include <variant>

#include "armilla/figure/unit_text.h"
#include "armilla/session/english_plurals.h"
#include "armilla/session/operation_runner.h"
#include "armilla/session/session.h"
#include "armilla/session/shown_text.h"
#include "armilla/session/source_review.h"
#include "armilla/ui/icons.h"
#include "models/verdict_looks.h"
#include "panels/item_list.h"
#include "panels/operation_panel.h"
#include "panels/small_widgets.h"
#include "panels/tool_footer.h"
#include "panels/widget_role.h"
#include "tools/stamp_strip.h"
#include "tools/threshold_histogram.h"

namespace armilla {
namespace {

// The search goes below the usual significance of a source; the slider then raises the threshold.
const char* const kLowThreshold = "3.5";
constexpr double kMaskBeams[] = {2.0, 3.0, 5.0};
constexpr double kFillBeams = 3.0;
QLabel* muted(QWidget* parent) {
    QLabel* label = mutedLabel({}, parent);
    label->setWordWrap(true);
    return label;
}

// The controls below stay where they are, whether the text has one line or two.
void keepTwoLines(QLabel& label) {
    label.setWordWrap(true);
    label.setAlignment(Qt::AlignLeft | Qt::AlignTop);
    label.ensurePolished();
    label.setMinimumHeight(2 * label.fontMetrics().lineSpacing());
}

// The threshold of the search that made the candidates; none for an opened catalog.
std::optional<double> searchThreshold(const SourceReview& review) {
    const auto& request = review.search().request;
    const ParameterValue value =
        request ? request->parameters.value("threshold") : ParameterValue();
    const auto* threshold = std::get_if<double>(&value);
    return threshold ? std::optional(*threshold) : std::nullopt;
}

}  // namespace

SourcesPanel::SourcesPanel(Session& session, OperationPanel* search, QWidget* parent)
    : QWidget(parent), session_(session), review_(session.review()), search_(search) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(4);
    reviewPart_ = buildReview();
    layout->addWidget(reviewPart_);
    searchToggle_ =
        foldButton(tr("Find candidates"), tr("The search that makes candidates of a map"), this);
    searchToggle_->setChecked(true);
    layout->addWidget(searchToggle_);
    layout->addWidget(search_);
    layout->addStretch(1);
    search_->setStandard(QStringLiteral("threshold"), QString::fromLatin1(kLowThreshold));
    for (const char* slot : {"snr", "residual"})
        search_->setOutput(QString::fromLatin1(slot), true);
    for (QWidget* part :
         {static_cast<QWidget*>(search_), static_cast<QWidget*>(&search_->footer())})
        connect(searchToggle_, &QToolButton::toggled, part, &QWidget::setVisible);
    buildKeys();
    Document& document = session_.document();
    connect(&session_.operations(), &OperationRunner::operationFinished, this,
            &SourcesPanel::takeResults);
    connect(&document, &Document::entriesChanged, this, [this] {
        if (isVisible()) fillLayers();
    });
    connect(&document.view(), &DocumentView::selectionChanged, this, &SourcesPanel::showCurrent);
    connect(&review_, &SourceReview::layerChanged, this, [this] {
        if (blinked_ && review_.search().significance != blinked_->second.compared.entry)
            endBlink();
        fillLayers();
        histogram_->setVisible(!review_.significance().values().empty());
        histogram_->setSignificances(review_.significance().values());
        reviewPart_->setVisible(review_.layer().isValid() || layers_->count() > 1);
        // Without a catalog to go through, the search is all that the tool has.
        searchToggle_->setChecked(!review_.layer().isValid());
        showThreshold();
        showCurrent();
        enableKeys();
    });
    connect(&review_.thresholds(), &CandidateThresholds::changed, this,
            &SourcesPanel::showThreshold);
    connect(&review_, &SourceReview::rowsChanged, this, &SourcesPanel::showCounts);
    connect(&review_, &SourceReview::judgementsChanged, this, &SourcesPanel::showCurrent);
    connect(&review_.falseCandidates(), &FalseCandidates::changed, this,
            &SourcesPanel::showThreshold);
    connect(&review_.partners(), &CandidatePartners::changed, this, &SourcesPanel::showMatch);
    connect(&review_.partners(), &CandidatePartners::failed, this, [this](const QString& line) {
        setRole(matched_, "error");
        matched_->setText(line);
    });
    fillLayers();
    showThreshold();
    showCurrent();
    enableKeys();
}

QWidget* SourcesPanel::buildReview() {
    auto* part = new QWidget(this);
    auto* layout = new QVBoxLayout(part);
    layout->setContentsMargins(12, 2, 12, 4);
    layout->setSpacing(7);
    layers_ = new NameChoice(part);
    layers_->setAccessibleName(tr("Catalog to go through"));
    layers_->setToolTip(tr("The catalog whose rows are gone through"));
    layers_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    layers_->setMinimumContentsLength(8);
    layers_->setMinimumWidth(kLeastChoice);
    connect(layers_, &QComboBox::activated, this,
            [this] { review_.setLayer(layers_->currentData().value<LayerId>()); });
    layout->addWidget(layers_);
    histogram_ = new ThresholdHistogram(part);
    histogram_->hide();  // hidden until there is data
    connect(histogram_, &ThresholdHistogram::thresholdMoved, &review_.thresholds(),
            &CandidateThresholds::move);
    connect(histogram_, &ThresholdHistogram::editingFinished, &review_.thresholds(),
            &CandidateThresholds::endGesture);
    layout->addWidget(histogram_);
    above_ = new QLabel(part);
    keepTwoLines(*above_);
    layout->addWidget(above_);
    layout->addWidget(buildVerdicts());
    layout->addWidget(buildMatch());
    stamps_ = new StampStrip(session_.document(), review_, part);
    layout->addWidget(stamps_);
    return part;
}

QWidget* SourcesPanel::buildVerdicts() {
    auto* part = new QWidget(this);
    auto* layout = new QVBoxLayout(part);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(6);
    counts_ = muted(part);
    layout->addWidget(counts_);
    current_ = new QLabel(part);
    current_->setTextFormat(Qt::PlainText);
    keepTwoLines(*current_);
    layout->addWidget(current_);
    auto* bar = new QHBoxLayout;
    bar->setSpacing(4);
    const auto button = [&](const QString& text, const QString& tip, Verdict verdict) {
        QToolButton* made = wideToggle(text, tip, part);
        bar->addWidget(made);
        connect(made, &QToolButton::clicked, this,
                [this, verdict] { decide([this, verdict] { review_.judge(verdict, false); }); });
        return made;
    };
    accept_ = button(tr("Accept"), tr("Accept (A), and on to the next"), Verdict::Accepted);
    reject_ = button(tr("Reject"), tr("Reject (R), and on to the next"), Verdict::Rejected);
    unsure_ = button(tr("Unsure"), tr("Unsure (U), and on to the next"), Verdict::Unsure);
    layout->addLayout(bar);
    note_ = new QLineEdit(part);
    note_->setPlaceholderText(tr("Note (N)"));
    note_->setAccessibleName(tr("Note on the selected candidate"));
    note_->setMaxLength(1000);
    connect(note_, &QLineEdit::editingFinished, this, [this] {
        if (!note_->isModified()) return;
        note_->setModified(false);
        review_.annotate(note_->text());
    });
    connect(note_, &QLineEdit::returnPressed, this, [this] { note_->clearFocus(); });
    layout->addWidget(note_);
    fit_ = muted(part);
    fit_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    fit_->hide();
    layout->addWidget(fit_);
    layout->addWidget(buildHome(part), 0, Qt::AlignLeft);
    return part;
}

QToolButton* SourcesPanel::buildHome(QWidget* part) {
    auto* home = new QToolButton(part);
    home->setText(tr("Take home"));
    home->setToolTip(tr("Catalogs and masks of what was decided"));
    home->setPopupMode(QToolButton::InstantPopup);
    home->setFocusPolicy(Qt::TabFocus);
    auto* menu = new QMenu(home);
    connect(menu->addAction(tr("&All candidates with their verdicts…")), &QAction::triggered, this,
            [this] { emit exportRequested(false); });
    menu->actions().back()->setToolTip(tr("All rows to a file, with a column of the verdicts"));
    connect(menu->addAction(tr("Catalog of the &accepted…")), &QAction::triggered, this,
            [this] { emit exportRequested(true); });
    menu->actions().back()->setToolTip(tr("The accepted rows alone, to a file"));
    connect(menu->addAction(tr("Accepted as a &layer")), &QAction::triggered, this,
            [this] { whileReviewed([this] { session_.operations().addAccepted(); }); });
    menu->actions().back()->setToolTip(tr("A catalog of the accepted rows in this window"));
    menu->addSeparator();
    for (const double beams : kMaskBeams) {
        QAction* mask = menu->addAction(tr("Mask of the accepted, discs of %1 beams").arg(beams));
        mask->setToolTip(tr("A mask that is 0 in a disc around each accepted source, as a layer"));
        connect(mask, &QAction::triggered, this, [this, beams] {
            whileReviewed([this, beams] { session_.operations().maskAccepted(beams); });
        });
    }
    connect(
        menu->addAction(tr("C&overage (MOC) of the accepted, discs of %1 beams…").arg(kFillBeams)),
        &QAction::triggered, this, [this] { emit mocRequested(kFillBeams); });
    const auto without = [this](bool inpaint) {
        whileReviewed(
            [this, inpaint] { session_.operations().removeAccepted(inpaint, kFillBeams); });
    };
    connect(menu->addAction(tr("The map without the accepted, &subtracted")), &QAction::triggered,
            this, [without] { without(false); });
    connect(menu->addAction(
                tr("The map without the accepted, discs of %1 beams &filled").arg(kFillBeams)),
            &QAction::triggered, this, [without] { without(true); });
    menu->addSeparator();
    connect(menu->addAction(tr("Accept all that are listed")), &QAction::triggered, this,
            [this] { review_.judgeAll(Verdict::Accepted); });
    connect(menu->addAction(tr("Reject all that are listed")), &QAction::triggered, this,
            [this] { review_.judgeAll(Verdict::Rejected); });
    home->setMenu(menu);
    return home;
}

// New layers become active; the reviewed catalog and its candidate stay.
void SourcesPanel::whileReviewed(const std::function<void()>& act) {
    const LayerId reviewed = review_.layer();
    const int64_t row = review_.current();
    act();
    review_.setLayer(reviewed);
    if (row >= 0) review_.setCurrent(row);
}

QAction* SourcesPanel::key(const QString& text, const QKeySequence& keys,
                           std::function<void()> act) {
    auto* action = new QAction(text, this);
    action->setShortcut(keys);
    // Active in the whole window, because the focus may be on the sky, in the list or here.
    action->setShortcutContext(Qt::WindowShortcut);
    connect(action, &QAction::triggered, this, std::move(act));
    addAction(action);
    keys_.push_back(action);
    return action;
}

void SourcesPanel::buildKeys() {
    const auto verdict = [this](Verdict of) {
        return [this, of] { decide([this, of] { review_.judge(of); }); };
    };
    key(tr("Accept the candidate"), Qt::Key_A, verdict(Verdict::Accepted));
    key(tr("Reject the candidate"), Qt::Key_R, verdict(Verdict::Rejected));
    key(tr("Unsure about the candidate"), Qt::Key_U, verdict(Verdict::Unsure));
    for (int group = 1; group <= kMostGroup; ++group)
        key(tr("Class %1").arg(group), QKeySequence(Qt::Key_0 + group),
            [this, group] { decide([this, group] { review_.classify(group); }); });
    key(tr("Write a note"), Qt::Key_N, [this] {
        note_->setFocus(Qt::ShortcutFocusReason);
        note_->selectAll();
    });
    key(tr("Next candidate"), Qt::Key_Space, [this] { goTo(1); });
    key(tr("Previous candidate"), Qt::Key_Backspace, [this] { goTo(-1); });
    key(tr("Blink map and filtered map"), Qt::Key_B, [this] { blink(); });
    key(tr("Fit the candidate"), Qt::Key_F, [this] { fitCurrent(); });
    key(tr("Match with another catalog"), Qt::Key_M, [this] { nextMatch(); });
    key(tr("Candidates as stamps"), Qt::Key_G, [this] { emit gridRequested(); });
}

void SourcesPanel::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    fillLayers();
    // A restored session waits for its catalog.
    if (!review_.layer().isValid() && !review_.awaited().isValid() && layers_->count() > 0 &&
        session_.document().active().isValid() &&
        layers_->findData(QVariant::fromValue(session_.document().active())) >= 0)
        review_.setLayer(session_.document().active());
    enableKeys();
}

void SourcesPanel::hideEvent(QHideEvent* event) {
    QWidget::hideEvent(event);
    // Another tool was opened, not a window minimized.
    if (blinked_ && !event->spontaneous() && window()->isVisible()) endBlink();
    enableKeys();
}

// Single-letter keys are active only while the tool is open and has a catalog.
void SourcesPanel::enableKeys() {
    for (QAction* action : keys_) action->setEnabled(isVisible() && review_.layer().isValid());
}

void SourcesPanel::fillLayers() {
    const QSignalBlocker quiet(layers_);
    Items items{{tr("No catalog"), QVariant::fromValue(LayerId())}};
    for (const Layer& layer : session_.document().entries())
        if (layer.catalog) items.emplace_back(layer.name, QVariant::fromValue(layer.id));
    setItems(*layers_, items);
    layers_->setCurrentIndex(std::max(0, layers_->findData(QVariant::fromValue(review_.layer()))));
    showMatch();
    reviewPart_->setVisible(layers_->count() > 1);
}

// The result of a search becomes the reviewed catalog; its source map stays in the picture.
void SourcesPanel::takeResults(const QString& operation, const std::vector<LayerId>& layers) {
    if (operation != textOf(search_->operation().id)) return;
    if (blinked_) endBlink();
    Document& document = session_.document();
    for (const LayerId id : layers) {
        const Layer* layer = document.entry(id);
        if (!layer || !layer->catalog) continue;
        review_.setLayer(id);
        // Adds no history step if the view does not change. Images are in the picture as they are.
        const Shown searched{review_.search().map, review_.search().field, Quantity::Field};
        const Layer* of = document.entry(searched.entry);
        if (of && of->map &&
            (document.view().shown() != searched ||
             document.view().comparison() != Comparison::Single))
            document.view().compare(searched, document.view().compared(), Comparison::Single);
        document.setActive(id);
        review_.step(1);
        return;
    }
}

void SourcesPanel::showThreshold() {
    histogram_->setThreshold(review_.thresholds().value());
    const auto expected = review_.falseCandidates().above(review_.thresholds().value());
    histogram_->setFalse(expected ? std::optional(review_.falseCandidates().significances())
                                  : std::nullopt);
    showCounts();
}

void SourcesPanel::showCounts() {
    const CandidateCounts& counts = review_.list().counts();
    if (!review_.layer().isValid()) {
        above_->setText(tr("Choose a catalog to go through, or find candidates in a map."));
    } else if (review_.significance().values().empty()) {
        above_->setText(
            tr("%1 row(s); no column of signal to noise", nullptr, pluralOf(counts.candidates))
                .arg(groupedDigits(counts.candidates)));
    } else {
        const bool ofBoth = review_.significance().hasNegative();
        QString line =
            (ofBoth ? tr("|SNR| ≥ %1: %2 candidate(s)", nullptr, pluralOf(counts.candidates))
                    : tr("SNR ≥ %1: %2 candidate(s)", nullptr, pluralOf(counts.candidates)))
                .arg(review_.thresholds().value(), 0, 'f', 2)
                .arg(groupedDigits(counts.candidates));
        if (const auto expected = review_.falseCandidates().above(review_.thresholds().value()))
            line += tr(", %1 expected to be false").arg(groupedDigits(*expected));
        above_->setText(line);
    }
    const auto searched = searchThreshold(review_);
    above_->setToolTip(
        searched
            ? tr("The search takes maxima S of the filtered map, in units of its noise, above %1. "
                 "The SNR of a candidate is √(S² − 2), which corrects for the choice of a "
                 "maximum.")
                  .arg(*searched)
            : QString());
    QStringList parts{tr("%1 undecided").arg(groupedDigits(counts.undecided))};
    if (counts.accepted > 0) parts << tr("%1 accepted").arg(groupedDigits(counts.accepted));
    if (counts.rejected > 0) parts << tr("%1 rejected").arg(groupedDigits(counts.rejected));
    if (counts.unsure > 0) parts << tr("%1 unsure").arg(groupedDigits(counts.unsure));
    if (counts.orphans > 0)
        parts << tr("%1 without a candidate now").arg(groupedDigits(counts.orphans));
    counts_->setText(parts.join(QStringLiteral(" · ")));
    counts_->setVisible(review_.layer().isValid());
    QStringList orphans;
    constexpr size_t kMostNamed = 20;
    for (const Judgement& each : review_.verdicts().orphans(kMostNamed))
        orphans << QStringLiteral("%1: %2").arg(each.name, verdictText(each.verdict));
    counts_->setToolTip(orphans.isEmpty() ? QString()
                                          : tr("Decided places that no row lies at any more:\n%1")
                                                .arg(orphans.join(QLatin1Char('\n'))));
    emit statusChanged(!review_.layer().isValid() ? QString() : groupedDigits(counts.candidates));
}

void SourcesPanel::showCurrent() {
    const int64_t row = review_.current();
    if (row != fitted_) fit_->hide();
    const Judgement* judged = review_.judgement(row);
    const Verdict verdict = judged ? judged->verdict : Verdict::None;
    accept_->setChecked(verdict == Verdict::Accepted);
    reject_->setChecked(verdict == Verdict::Rejected);
    unsure_->setChecked(verdict == Verdict::Unsure);
    for (QToolButton* button : {accept_, reject_, unsure_}) button->setEnabled(row >= 0);
    note_->setEnabled(row >= 0);
    if (!note_->isModified() || !note_->hasFocus())
        note_->setText(judged ? judged->note : QString());
    current_->setVisible(row >= 0);
    if (row < 0) return;
    const Table& table = review_.catalog()->table;
    const auto name = table.find("NAME");
    QString text = name
                       ? QString::fromStdString(table.columns[static_cast<size_t>(*name)].text(row))
                       : tr("Row %1").arg(row + 1);
    if (!review_.significance().values().empty())
        text += tr(" · SNR %1").arg(review_.significance().text(row));
    if (const QString flags = review_.significance().flagsText(row); !flags.isEmpty())
        text += QStringLiteral(" · ") + flags;
    if (judged && judged->group > 0) text += tr(" · class %1").arg(judged->group);
    current_->setText(text);
}

void SourcesPanel::goTo(int by) {
    review_.step(by);
    if (review_.current() >= 0) emit rowChosen(review_.layer(), review_.current());
}

void SourcesPanel::decide(const std::function<void()>& act) {
    const int64_t before = review_.current();
    if (before < 0) return goTo(1);
    act();
    if (review_.current() >= 0 && review_.current() != before)
        emit rowChosen(review_.layer(), review_.current());
}

SourcesPanel::Look SourcesPanel::look() const {
    const Document& document = session_.document();
    return {document.view().shown(), document.view().compared(), document.view().comparison()};
}

// A blink is no edit, so undo ignores it.
void SourcesPanel::blink() {
    if (look().comparison == Comparison::Blink) return endBlink();
    if (!review_.search().map.isValid() || !review_.search().significance.isValid()) return;
    const Look before = look();
    const Look blinking{{review_.search().map, review_.search().field, Quantity::Field},
                        {review_.search().significance, 0, Quantity::Field},
                        Comparison::Blink};
    session_.document().view().glance(blinking.shown, blinking.compared, blinking.comparison);
    blinked_ = {before, blinking};
}

// Restores the previous view, unless the view has changed meanwhile.
void SourcesPanel::endBlink() {
    Document& document = session_.document();
    const auto blinked = std::exchange(blinked_, {});
    Look back = look();
    if (back.comparison != Comparison::Blink) return;
    if (blinked && back == blinked->second && document.entry(blinked->first.shown.entry) &&
        (!blinked->first.compared.entry.isValid() || document.entry(blinked->first.compared.entry)))
        back = blinked->first;
    else
        back.comparison = Comparison::Single;
    document.view().glance(back.shown, back.compared, back.comparison);
}

}  // namespace armilla
