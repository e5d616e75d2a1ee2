// SPDX-License-Identifier: GPL-3.0-or-later
// The rows of the Spectrum tool that choose a theory and a spectrum to compare with.
#pragma once

#include <QJsonObject>
#include <QWidget>
#include <memory>

#include "armilla/session/session.h"
#include "armilla/session/spectrum_comparison.h"

class QComboBox;
class QLabel;

namespace armilla {

class SpectrumReference : public QWidget {
    Q_OBJECT
public:
    // The session must outlive the rows.
    explicit SpectrumReference(Session& session, QWidget* parent = nullptr);

    // The layers of the theory and of the compared spectrum; null if none is chosen or open.
    const Layer* theory() const;
    const Layer* other() const;
    void chooseTheory(LayerId layer);
    void chooseOther(LayerId layer);
    // Opens a file as the theory, or chooses its layer if it is open already.
    void openTheory(const QString& path);
    // The factor from the unit of the theory to that of the data. The question about a missing unit
    // appears or goes.
    UnitMatch match(const std::string& dataUnit);
    // A line about the file or the unit of the theory; empty if there is none.
    const QString& remark() const { return remark_; }
    // The layer shown, which is no choice for the comparison.
    void setShown(LayerId layer);
    // Files used as theories, the latest first.
    QStringList recent() const;

    QJsonObject choices() const;
    void restore(const QJsonObject& choices);
    // The controls in the order of the keyboard focus.
    std::vector<QWidget*> controls() const;

signals:
    void changed();

private:
    void fill();
    void takeOpened();
    bool isComing(LayerId layer) const;
    void remember(const QString& path);
    void activate(int index);
    void showUnits(bool ofTheory);

    Session& session_;
    QComboBox *theoryChoice_, *otherChoice_, *unit_;
    QLabel* unitName_;
    LayerId theory_, other_, shown_;
    QString pending_;       // file that is being opened as the theory
    LayerId activeBefore_;  // the active layer before that
    QString remark_;
};

}  // namespace armilla
