// SPDX-License-Identifier: GPL-3.0-or-later
// A tour of the window: a card beside one part after the other, with a frame around the part. The
// window stays usable, and the tour can be left at any time.
#pragma once

#include <QFrame>
#include <QPointer>
#include <functional>
#include <vector>

class QLabel;
class QPushButton;

namespace armilla {

struct TourStep {
    QPointer<QWidget> part;
    QString title, text;
    std::function<void()> prepare = {};  // opens the part
};

// Shows the first step. Deletes itself at the end, or when the user leaves.
class Tour : public QFrame {
    Q_OBJECT
public:
    Tour(std::vector<TourStep> steps, QWidget* window);
    ~Tour() override;

    int step() const { return step_; }
    int steps() const { return static_cast<int>(steps_.size()); }
    void showStep(int step);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void leave();
    void place();

    std::vector<TourStep> steps_;
    QPointer<QWidget> frame_;  // around the part
    QLabel *title_, *text_, *count_;
    QPushButton *back_, *next_;
    int step_ = 0;
};

}  // namespace armilla
