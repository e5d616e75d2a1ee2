// SPDX-License-Identifier: GPL-3.0-or-later
#include "panels/remedy_buttons.h"

#include <QFileInfo>
#include <QLineEdit>
#include <QPointer>
#include <QPushButton>
#include <utility>

#include "dialogs/file_chooser.h"
#include "panels/message_bar.h"

namespace armilla {
namespace {

QLineEdit* fieldFor(const Remedy& remedy) {
    constexpr int kWidth = 130;  // logical pixels
    auto* field = new QLineEdit(remedy.suggestion);
    field->setPlaceholderText(remedy.question);
    field->setAccessibleName(remedy.question);
    field->setToolTip(remedy.question);
    field->setMinimumWidth(kWidth);
    // Return presses the button of the message, which is the only one without an icon.
    QObject::connect(field, &QLineEdit::returnPressed, field, [field] {
        if (auto* button = field->parentWidget()->findChild<QPushButton*>()) button->click();
    });
    return field;
}

// "fits.gz" of a packed file.
QString suffixOf(const QString& name) {
    const QFileInfo file(name);
    const bool isPacked = file.suffix().compare(QLatin1String("gz"), Qt::CaseInsensitive) == 0;
    const QString inner = isPacked ? QFileInfo(file.completeBaseName()).suffix() : QString();
    return inner.isEmpty() ? file.suffix() : inner + QLatin1Char('.') + file.suffix();
}

}  // namespace

void showRemedies(MessageBar& bar, const QString& line, bool isError,
                  const std::vector<Remedy>& remedies) {
    QPointer<QLineEdit> field;
    std::vector<MessageAction> actions;
    for (const Remedy& remedy : remedies) {
        MessageAction action{remedy.button, [apply = remedy.apply] { apply({}); }};
        switch (remedy.asks) {
            case Remedy::Asks::Nothing: break;
            case Remedy::Asks::Text:
                if (field) continue;
                field = fieldFor(remedy);
                action.run = [apply = remedy.apply, field] {
                    apply(field ? field->text() : QString());
                };
                break;
            case Remedy::Asks::FileToOpen:
                action.run = [remedy, window = bar.window()] {
                    chooseFilesToOpen(window, remedy.question, {},
                                      [apply = remedy.apply](const QStringList& paths) {
                                          if (!paths.isEmpty()) apply(paths.front());
                                      });
                };
                break;
            case Remedy::Asks::FileToWrite:
                action.run = [remedy, window = bar.window()] {
                    const QString suffix = suffixOf(remedy.suggestion);
                    chooseFileToWrite(
                        window, remedy.question, remedy.suggestion,
                        remedy.kind        ? writeFilter(*remedy.kind, suffix)
                        : suffix.isEmpty() ? QString()
                                           : QStringLiteral("*.") + suffix,
                        suffix.isEmpty() && remedy.kind ? QStringLiteral("fits") : suffix,
                        remedy.apply);
                };
                break;
        }
        actions.push_back(std::move(action));
    }
    bar.show(isError ? MessageTone::Error : MessageTone::Note, line, std::move(actions), field);
}

}  // namespace armilla
