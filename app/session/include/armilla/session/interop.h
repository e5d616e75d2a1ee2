// SPDX-License-Identifier: GPL-3.0-or-later
// Exchange of layers, positions and rows with other desktop programs by SAMP. No widgets.
#pragma once

#include <QObject>
#include <QString>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "armilla/core/sky_vector.h"
#include "armilla/samp/samp_client.h"
#include "armilla/session/layer.h"

namespace armilla {

class Session;

// Rows of a catalog layer that another program has selected.
struct ChosenRows {
    LayerId layer;
    std::vector<int64_t> rows;
};

// Used only in the window's thread; jobs write and read the files. Inactive until connectToHub().
// Files sent or received over HTTP lie in Session::exchangeFolder().
//
// A row selected here in an exchanged catalog is sent to the other programs. Rows that other
// programs select are selected here.
class Interop : public QObject {
    Q_OBJECT
public:
    // Formats in which a layer can be sent.
    enum class Form { Layer, Coverage };

    // The session must outlive this object.
    explicit Interop(Session& session, QObject* parent = nullptr);
    ~Interop() override;

    SampClient& client() { return client_; }
    const SampClient& client() const { return client_; }

    // For the start of the program: no message is raised if no hub runs.
    void connectIfPossible();

    // The programs, with names, that accept a layer in this form.
    std::vector<SampPeer> takers(LayerId layer, Form form) const;
    std::vector<SampPeer> takersOf(const QString& mtype) const;
    // Sends a layer to one program, or to all of takers() if `recipient` is empty. Messages report
    // the outcome. Formats:
    // - a catalog or a curve: VOTable, else FITS;
    // - an image or a map: FITS;
    // - a coverage: MOC, of pixels where the shown (or first) field of a map is above one half.
    void sendLayer(LayerId layer, Form form, const QString& recipient = {});
    // Sends the drawn regions as a MOC.
    void sendRegions(const QString& recipient = {});
    // Sends a position on the sky.
    void sendPlace(const Vec3& place, Frame frame, const QString& recipient = {});
    // Sends row selections to programs that have the table.
    void sendRows(LayerId layer, const std::vector<int64_t>& rows);
    // True if the layer was received from another program or sent to one.
    bool isExchanged(LayerId layer) const { return knownAs(layer) != nullptr; }

    // The rows that another program has selected last.
    const ChosenRows& chosen() const { return chosen_; }
    // Clears chosen(), and ignores lists that are still being read.
    void forgetChosen();

signals:
    // A message for the user.
    void messageRaised(const QString& line, bool isError);
    // Longitude and latitude in ICRS, radians.
    void placeReceived(const armilla::LonLat& place);
    // Emitted after the row has become the document's selection.
    void rowReceived(LayerId layer, qint64 row);
    // The rows chosen() have changed.
    void chosenChanged();

private:
    // Identity of an exchanged layer for the other programs; a later value of the layer does not
    // match.
    struct Exchanged {
        QString id, url;
        uint64_t revision = 0;
    };
    void note(LayerId layer, const QString& id, const QString& url);
    bool isCurrent(LayerId layer, const Exchanged& known) const;
    const Exchanged* knownAs(LayerId layer) const;
    struct Parcel {  // a file to send
        QString name, key, mtype, id;
        std::vector<QString> recipients;
        LayerId layer;
    };
    void take(const SampMessage& message);
    void takeFile(const SampMessage& message);
    void open(const SampMessage& message, const QString& path);
    void takePlace(const SampMessage& message);
    void takeRow(const SampMessage& message);
    struct RowList {  // a received row list
        SampMessage asked;
        LayerId layer;
        uint64_t revision = 0;
        int number = 0;
    };
    void takeRows(const SampMessage& message);
    void endReading(RowList list, const QString& failure);
    void choose(const RowList& list, std::vector<int64_t> rows);
    // Throws InvalidArgument if the table is not open here.
    LayerId layerOf(const QVariantMap& parameters) const;
    std::vector<SampPeer> takersOf(const QStringList& mtypes) const;
    // Writes a file in a job, unless it is already written, and notifies the recipients.
    void send(const Parcel& parcel, std::function<void(const std::string&, JobContext&)> write);
    void tell(const Parcel& parcel, const QString& url);
    void tellSelection();
    QString freshPath(const QString& name, const QString& suffix);

    Session& session_;
    SampClient client_;
    int files_ = 0, calls_ = 0;
    // number of received row lists; the list that chosen_ belongs to
    int lists_ = 0, chosenList_ = 0;
    std::map<int, RowList> reading_;          // job id -> list
    std::map<QString, QString> written_;      // key -> path
    std::map<LayerId, Exchanged> exchanged_;  // by layer id
    std::map<QString, QString> callNames_;    // message tag -> name of what was sent
    ChosenRows chosen_;
    bool isTaking_ = false;
    QString identity_;  // distinguishes this object from others in ids of tables
};

}  // namespace armilla
