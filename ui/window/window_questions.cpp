// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/window_questions.h"

#include <QComboBox>
#include <QFileInfo>
#include <QLineEdit>
#include <algorithm>

#include "armilla/session/file_opener.h"
#include "armilla/session/notices.h"
#include "armilla/session/operation_runner.h"
#include "armilla/session/project_keeper.h"
#include "armilla/session/session.h"
#include "armilla/session/stated_frame.h"
#include "panels/message_bar.h"

namespace armilla {

WindowQuestions::WindowQuestions(Session& session, MessageBar& messages, QObject* parent)
    : QObject(parent), session_(session), messages_(messages) {
    connect(&session_.files(), &FileOpener::moreFound, this, &WindowQuestions::offerMore);
    connect(&session_.files(), &FileOpener::fileFactNeeded, this, &WindowQuestions::askFile);
    connect(&session_.notices(), &Notices::frameNeeded, this, &WindowQuestions::askFrame);
    connect(&session_.document(), &Document::entriesChanged, this,
            &WindowQuestions::withdrawFrameQuestions);
}

bool WindowQuestions::offerRecovery() {
    if (!session_.project().hasCrashedSession()) return false;
    const LeftBehind why = session_.project().leftBehind();
    messages_.show(MessageTone::Question,
                   why == LeftBehind::EndFromOutside
                       ? tr("The program was ended from outside the last time, and its work was "
                            "saved. Its maps and views can be made again.")
                   : why == LeftBehind::OpenResults
                       ? tr("The last session had results that were not exported. They can be "
                            "made again from their files and recipes.")
                       : tr("The program ended unexpectedly the last time. Its maps and views can "
                            "be made again from their files and recipes."),
                   {{tr("&Restore"), [this] { session_.project().recoverCrashedSession(); }},
                    {tr("&Discard"), [this] {
                         session_.project().discardCrashedSession();
                         if (session_.document().entries().empty())
                             session_.files().openSampleSky();
                     }}});
    return true;
}

// Files with several maps, images or catalogs: the first one is open, the message offers the
// others.
void WindowQuestions::offerMore(const QString& path, const QList<QPair<QString, QString>>& others) {
    constexpr qsizetype kMostButtons = 3;
    QStringList names, all;
    std::vector<MessageAction> actions;
    for (const auto& [selector, what] : others) {
        names << what;
        all << selector;
        if (all.size() > kMostButtons) continue;
        // Uses the name if it is short. The remaining HDUs are offered again.
        constexpr qsizetype kLongest = 12;
        const QString name = what.section(QStringLiteral(": "), 0, -2);
        const bool isNamed = !name.isEmpty() && name.size() <= kLongest;
        actions.push_back(
            {tr("Open %1").arg(isNamed ? name : selector.mid(selector.lastIndexOf(u'['))),
             [this, path, one = selector, rest = others]() mutable {
                 session_.files().openFiles({one});
                 rest.removeIf([&](const auto& other) { return other.first == one; });
                 if (!rest.isEmpty()) offerMore(path, rest);
             }});
    }
    if (all.size() > 1)
        actions.push_back({tr("Open &all"), [this, all] { session_.files().openFiles(all); }});
    messages_.show(MessageTone::Note,
                   tr("%1 holds %n more: ", nullptr, static_cast<int>(others.size()))
                           .arg(QFileInfo(path).fileName()) +
                       names.join(QStringLiteral(", ")),
                   std::move(actions));
}

void WindowQuestions::askFrame(LayerId layer) {
    const Layer* unframed = session_.document().entry(layer);
    if (!unframed) return;
    const QString line = tr("%1 does not say its frame.").arg(unframed->name);
    std::vector<MessageAction> frames;
    const std::pair<QString, Frame> choices[] = {{tr("Galactic"), Frame::Galactic},
                                                 {tr("Equatorial"), Frame::Equatorial},
                                                 {tr("Ecliptic"), Frame::Ecliptic}};
    for (const auto& [name, frame] : choices)
        frames.push_back({name, [this, layer, frame = frame] {
                              session_.operations().answerFrame(layer, frame);
                          }});
    frameLines_[layer] = line;
    messages_.show(MessageTone::Error, line, std::move(frames));
}

namespace {

// A choice beside the buttons of a question, with a name for screen readers.
QComboBox* namedChoice(const QString& name, const QStringList& words) {
    auto* choice = new QComboBox;
    choice->addItems(words);
    choice->setAccessibleName(name);
    choice->setToolTip(name);
    return choice;
}

// A field for the names of columns, with those of most files of spectra.
QLineEdit* columnsField(const QString& name) {
    auto* field = new QLineEdit(QStringLiteral("L, TT, EE, BB, TE"));
    constexpr int kMargins = 24;  // logical pixels of the frame and the cursor
    field->setMinimumWidth(field->fontMetrics().horizontalAdvance(field->text()) + kMargins);
    field->setAccessibleName(name);
    field->setToolTip(name);
    return field;
}

QStringList namesIn(const QString& text) {
    QStringList names;
    for (const QString& each : text.split(QLatin1Char(','), Qt::SkipEmptyParts))
        names << each.trimmed();
    return names;
}

QStringList nsidesFrom(int64_t least) {
    constexpr int64_t kLargest = 8192;  // larger maps name theirs
    QStringList words;
    for (int64_t nside = least; nside <= std::max(kLargest, least); nside *= 2)
        words << QString::number(nside);
    return words;
}

}  // namespace

// Asks for the fact that a file does not name; the answer opens the file.
void WindowQuestions::askFile(const FileQuestion& question) {
    const QString name = QFileInfo(question.path).fileName();
    std::vector<MessageAction> actions;
    const auto offer = [&](const QString& text, std::function<void(StatedFile&)> state) {
        actions.push_back({text, [this, question, state = std::move(state)] {
                               StatedFile facts = question.stated;
                               state(facts);
                               session_.files().openStated(question.path, facts);
                           }});
    };
    QString line;
    QWidget* form = nullptr;
    switch (question.fact) {
        case FileFact::Nside: {
            line = tr("%1 does not say its resolution (nside).").arg(name);
            auto* choice = namedChoice(tr("Resolution nside"), nsidesFrom(question.leastNside));
            form = choice;
            offer(tr("Open"), [choice](StatedFile& facts) {
                facts.nside = choice->currentText().toLongLong();
            });
            break;
        }
        case FileFact::Ordering:
            line = tr("%1 does not say the ordering of its pixels.").arg(name);
            offer(tr("RING"), [](StatedFile& facts) { facts.ordering = Ordering::Ring; });
            offer(tr("NESTED"), [](StatedFile& facts) { facts.ordering = Ordering::Nested; });
            break;
        case FileFact::Index: {
            line = tr("%1 does not say which column holds the pixel numbers.").arg(name);
            auto* choice = namedChoice(tr("Column of the pixel numbers"), question.columns);
            choice->setEditable(question.columns.isEmpty());
            form = choice;
            offer(tr("Open"), [choice](StatedFile& facts) { facts.index = choice->currentText(); });
            break;
        }
        case FileFact::Columns: {
            line = tr("%1 does not name the spectra in its columns.").arg(name);
            auto* names = columnsField(tr("Columns in the order of the file; - leaves one out"));
            form = names;
            for (const bool isDl : {false, true})
                offer(isDl ? tr("Open as Dₗ") : tr("Open as Cₗ"), [names, isDl](StatedFile& facts) {
                    facts.columns = namesIn(names->text());
                    facts.isDl = isDl;
                });
            break;
        }
        case FileFact::SpectrumForm:
            line = tr("%1 does not say whether it holds Cₗ or Dₗ = ℓ(ℓ+1)Cₗ/2π.").arg(name);
            offer(tr("Cₗ"), [](StatedFile& facts) { facts.isDl = false; });
            offer(tr("Dₗ"), [](StatedFile& facts) { facts.isDl = true; });
            break;
    }
    messages_.show(MessageTone::Error, line, std::move(actions), form);
}

// A question goes when its layer is closed or has a frame.
void WindowQuestions::withdrawFrameQuestions() {
    std::erase_if(frameLines_, [this](const auto& question) {
        const Layer* layer = session_.document().entry(question.first);
        const bool isOpen = layer && takesStatedFrame(*layer) &&
                            factsOf(layer->kind()).frame(*layer) == Frame::Unknown;
        if (!isOpen) messages_.withdraw(question.second);
        return !isOpen;
    });
}

bool WindowQuestions::askToClose(const std::function<void(bool mayClose)>& answered) {
    const std::vector<JobInfo> jobs = session_.jobs().jobs();
    // Previews end with the window; only work that the user started is worth a question.
    const auto running =
        static_cast<int>(std::count_if(jobs.begin(), jobs.end(), [](const JobInfo& job) {
            return !job.hasSlot &&
                   (job.state == JobState::Queued || job.state == JobState::Running);
        }));
    const auto unsaved = static_cast<int>(session_.project().unsavedResults().size());
    if (running == 0 && unsaved == 0) return false;
    QStringList parts;
    if (running > 0) parts << tr("%n running job(s) would be cancelled.", nullptr, running);
    if (unsaved > 0) parts << tr("Not exported: %n result(s).", nullptr, unsaved);
    parts << tr("The session is saved: File, Reopen last session makes it again.");
    messages_.show(MessageTone::Question, parts.join(QLatin1Char(' ')),
                   {{tr("Close"), [answered] { answered(true); }},
                    {tr("Stay"), [answered] { answered(false); }}});
    return true;
}

}  // namespace armilla

#include "window/moc_window_questions.cpp"
