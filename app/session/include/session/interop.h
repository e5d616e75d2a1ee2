// SPDX-License-Identifier: GPL-3.0-or-later
// Layers, places and rows to and from other programs of the desktop, by SAMP. No widgets.
#pragma once

#include <QObject>
#include <QString>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "core/sky_vector.h"
#include "samp/samp_client.h"
#include "session/layer.h"

namespace armilla {

class Session;

// Rows of a catalog layer that another program has chosen.
struct ChosenRows {
    int layer = -1;
    std::vector<int64_t> rows;
};

// Lives in the window's thread; files are written and read in jobs. Off until connectToHub. What is
// sent or received over HTTP lies in Session::exchangeFolder(). A row that is selected here in a
// catalog that was exchanged is told to the others, and theirs are selected here.
class Interop : public QObject {
    Q_OBJECT
public:
    // What a layer can be sent as.
    enum class Form { Layer, Coverage };

    // The session must outlive it.
    explicit Interop(Session& session, QObject* parent = nullptr);
    ~Interop() override;

    SampClient& client() { return client_; }
    const SampClient& client() const { return client_; }

    // For starts: nothing is said where no hub runs.
    void connectIfPossible();

    // Who takes a layer in this form, by name.
    std::vector<SampPeer> takers(int layer, Form form) const;
    std::vector<SampPeer> takersOf(const QString& mtype) const;
    // To one, or to all of takers() (empty recipient). A catalog and a curve go as VOTable, else
    // FITS; an image and a map as FITS; a coverage (where the shown field of a map, or its first,
    // is above one half) as MOC. Messages tell how it went.
    void sendLayer(int layer, Form form, const QString& recipient = {});
    // The regions that are drawn, as a MOC.
    void sendRegions(const QString& recipient = {});
    void sendPlace(const Vec3& place, Frame frame, const QString& recipient = {});
    // To those who know the table.
    void sendRows(int layer, const std::vector<int64_t>& rows);
    // The others may know this layer: it came from them or was sent to them.
    bool isExchanged(int layer) const { return knownAs(layer) != nullptr; }

    const ChosenRows& chosen() const { return chosen_; }
    void forgetChosen();

signals:
    void messageRaised(const QString& line, bool isError);
    // ICRS, radians.
    void placeReceived(const armilla::LonLat& place);
    // The row is the document's selection by then.
    void rowReceived(int layer, qint64 row);
    void chosenChanged();

private:
    // What the others know a layer as; another value of it they do not know.
    struct Exchanged {
        QString id, url;
        uint64_t revision = 0;
    };
    void note(int layer, const QString& id, const QString& url);
    bool isCurrent(int layer, const Exchanged& known) const;
    const Exchanged* knownAs(int layer) const;
    struct Parcel {  // a file that is sent
        QString name, key, mtype, id;
        std::vector<QString> recipients;
        int layer = -1;
    };
    void take(const SampMessage& message);
    void takeFile(const SampMessage& message);
    void open(const SampMessage& message, const QString& path);
    void takePlace(const SampMessage& message);
    void takeRow(const SampMessage& message);
    struct RowList {  // that came
        SampMessage asked;
        int layer = -1;
        uint64_t revision = 0;
        int number = 0;
    };
    void takeRows(const SampMessage& message);
    void endReading(RowList list, const QString& failure);
    void choose(const RowList& list, std::vector<int64_t> rows);
    // Throws InvalidArgument for a table that is not open here.
    int layerOf(const QVariantMap& parameters) const;
    std::vector<SampPeer> takersOf(const QStringList& mtypes) const;
    // Writes a file in a job, unless it was written before, and tells the recipients.
    void send(const Parcel& parcel, std::function<void(const std::string&, JobContext&)> write);
    void tell(const Parcel& parcel, const QString& url);
    void tellSelection();
    QString freshPath(const QString& name, const QString& suffix);

    Session& session_;
    SampClient client_;
    int files_ = 0, calls_ = 0;
    int lists_ = 0, chosenList_ = 0;        // of rows: that came; the one that chosen_ is of
    std::map<int, RowList> reading_;        // by job
    std::map<QString, QString> written_;    // by key: paths
    std::map<int, Exchanged> exchanged_;    // by layer
    std::map<QString, QString> callNames_;  // by tag: what was sent
    ChosenRows chosen_;
    bool isTaking_ = false;
    QString identity_;  // of this object among all, for ids of tables
};

}  // namespace armilla
