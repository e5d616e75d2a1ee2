// SPDX-License-Identifier: GPL-3.0-or-later
// The page in place of the empty sky: files to open again, sample skies, and where to begin
// reading.
#pragma once

#include <QAbstractButton>
#include <QIcon>
#include <QStringList>
#include <QWidget>
#include <vector>

class QBoxLayout;
class QGridLayout;
class QLabel;
class QScrollArea;
class QVBoxLayout;

namespace armilla {

class Session;

// A button with an icon, a title and a second line, in the look of a card.
class StartCard : public QAbstractButton {
    Q_OBJECT
public:
    StartCard(const QString& icon, const QString& title, const QString& line, QWidget* parent);
    QString line() const { return line_; }
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    QString line_;
};

class StartPage : public QWidget {
    Q_OBJECT
public:
    // The simulated skies, in the order of the page.
    enum class Sample { Microwave, Sources, Scans, Probability };

    // Hidden until follow().
    StartPage(Session& session, QWidget* parent);

    // Shows the page if no layer is open or awaited and no job runs that may open one; hides the
    // page as soon as a layer is open. Called by itself when layers or jobs change.
    void follow();

signals:
    // The page appears or goes.
    void shownChanged(bool isShown);
    void openRequested();
    void fileRequested(const QString& path);
    void reopenRequested();
    void sampleRequested(armilla::StartPage::Sample sample);
    void tourRequested();
    // A page of the manual.
    void manualRequested(const QString& place);

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void showEvent(QShowEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    QWidget* buildContent();
    QLayout* buildHead(QWidget* middle);
    void buildOpen(QWidget* middle);
    void buildSkies(QWidget* middle);
    void buildLearn(QWidget* middle);
    QVBoxLayout* column(const QString& heading);
    void fillRecent();
    // Puts the columns beside each other if every title fits, else below each other.
    void arrange();
    void fitContent();

    Session& session_;
    StartCard* reopen_ = nullptr;
    QVBoxLayout* recent_ = nullptr;
    QScrollArea* scroll_ = nullptr;
    QGridLayout* grid_ = nullptr;
    QVBoxLayout *open_ = nullptr, *skies_ = nullptr, *learn_ = nullptr;
    QBoxLayout* pages_ = nullptr;  // the cards of learn_
    bool isNarrow_ = false;
    QStringList shownFiles_;
};

}  // namespace armilla
