// SPDX-License-Identifier: GPL-3.0-or-later
#include "armilla/session/interop.h"

#include <QDir>
#include <QFileInfo>
#include <QScopedValueRollback>
#include <QUuid>
#include <algorithm>
#include <cmath>
#include <utility>

#include "armilla/core/error.h"
#include "armilla/core/sky_ranges.h"
#include "armilla/io/moc_io.h"
#include "armilla/samp/http_client.h"
#include "armilla/session/file_opener.h"
#include "armilla/session/project_keeper.h"
#include "armilla/session/region_book.h"
#include "armilla/session/session.h"
#include "export_parts.h"
#include "layer_files.h"

namespace armilla {

namespace {

const QString kVoTable = QStringLiteral("table.load.votable");
const QString kFitsTable = QStringLiteral("table.load.fits");
const QString kImage = QStringLiteral("image.load.fits");
const QString kCoverage = QStringLiteral("coverage.load.moc.fits");
const QString kPlace = QStringLiteral("coord.pointAt.sky");
const QString kRow = QStringLiteral("table.highlight.row");
const QString kRows = QStringLiteral("table.select.rowList");

constexpr qint64 kMostDownload = qint64{64} << 30;
// Messages that were sent and may be answered.
constexpr size_t kMostCalls = 1000;

QVariantMap ownMetadata() {
    return {{QStringLiteral("samp.name"), QStringLiteral("Armilla")},
            {QStringLiteral("samp.description.text"),
             QStringLiteral("Explores and analyzes HEALPix maps of the whole sky")},
            {QStringLiteral("armilla.version"), QStringLiteral(ARMILLA_VERSION)}};
}

// The message types for a kind of layer, the best first. TOPCAT accepts HEALPix maps as tables.
QStringList carriersOf(LayerKind kind) {
    switch (kind) {
        case LayerKind::Map: return {kImage, kFitsTable};
        case LayerKind::Image: return {kImage};
        case LayerKind::Catalog:
        case LayerKind::Curve: return {kVoTable, kFitsTable};
    }
    return {};
}

QString idNameOf(const QString& mtype) {
    if (mtype == kImage) return QStringLiteral("image-id");
    return mtype == kCoverage ? QStringLiteral("coverage-id") : QStringLiteral("table-id");
}

QString suffixOf(const QString& mtype) {
    return mtype == kVoTable ? QStringLiteral("vot") : QStringLiteral("fits");
}

// The file of a URL, empty if the file is not on this machine.
QString fileOf(const QUrl& url) {
    const bool isHere = url.host().isEmpty() || isThisMachine(url.host());
    return url.scheme() == QLatin1String("file") && isHere ? url.path(QUrl::FullyDecoded)
                                                           : QString();
}

double angleIn(const QVariantMap& parameters, const char* name, double most) {
    bool isRead = false;
    const QString text = parameters.value(QString::fromLatin1(name)).toString();
    const double degrees = text.toDouble(&isRead);
    if (!isRead || !(std::abs(degrees) <= most))
        throw InvalidArgument(std::string("expected ") + name + " in degrees, found \"" +
                              text.left(40).toStdString() + '"');
    return degrees * kDegree;
}

int64_t rowIn(const QVariant& value, int64_t rows) {
    bool isRead = false;
    const qlonglong row = value.toString().toLongLong(&isRead);
    if (!isRead || row < 0 || row >= rows)
        throw InvalidArgument("expected a row from 0 to " + std::to_string(rows - 1) +
                              ", found \"" + value.toString().left(40).toStdString() + '"');
    return row;
}

std::vector<int64_t> rowsIn(const QVariantList& list, int64_t rows, JobContext& job) {
    std::vector<int64_t> read;
    read.reserve(static_cast<size_t>(list.size()));
    for (const QVariant& row : list) {
        if (read.size() % 4096 == 0) job.poll();
        read.push_back(rowIn(row, rows));
    }
    return read;
}

}  // namespace

Interop::Interop(Session& session, QObject* parent)
    : QObject(parent),
      session_(session),
      client_(ownMetadata(), {kVoTable, kFitsTable, kImage, kCoverage, kPlace, kRow, kRows}),
      identity_(QUuid::createUuid().toString(QUuid::WithoutBraces).left(8)) {
    connect(&client_, &SampClient::received, this, &Interop::take);
    connect(&client_, &SampClient::failed, this,
            [this](const QString& line) { emit messageRaised(line, true); });
    connect(&client_, &SampClient::answered, this,
            [this](const QString& tag, const QString& peer, const QString& failure) {
                const auto found = callNames_.find(tag);
                if (found == callNames_.end()) return;
                const QString what = found->second, who = client_.nameOf(peer);
                callNames_.erase(found);
                if (failure.isEmpty())
                    emit messageRaised(tr("%1 has taken %2").arg(who, what), false);
                else
                    emit messageRaised(
                        tr("%1 did not take %2: %3").arg(who, what, failure.left(300)), true);
            });
    Document& document = session_.document();
    connect(&document.view(), &DocumentView::selectionChanged, this, &Interop::tellSelection);
    connect(&session_.jobs(), &JobRunner::jobCancelled, this, [this](int job) {
        if (const auto found = reading_.find(job); found != reading_.end())
            endReading(found->second, tr("cancelled"));
    });
    connect(&document, &Document::entriesChanged, this, [this] {
        if (chosen_.layer.isValid() && !session_.document().entry(chosen_.layer)) forgetChosen();
    });
}

Interop::~Interop() = default;

void Interop::connectIfPossible() {
    client_.connectToHub(SampClient::Failure::Silent);
}

std::vector<SampPeer> Interop::takersOf(const QStringList& mtypes) const {
    std::vector<SampPeer> takers;
    for (const SampPeer& peer : client_.peers())
        if (std::any_of(mtypes.begin(), mtypes.end(),
                        [&](const QString& mtype) { return peer.takes(mtype); }))
            takers.push_back(peer);
    return takers;
}

std::vector<SampPeer> Interop::takersOf(const QString& mtype) const {
    return takersOf(QStringList{mtype});
}

std::vector<SampPeer> Interop::takers(LayerId id, Form form) const {
    const Layer* layer = session_.document().entry(id);
    if (!layer || (form == Form::Coverage && !layer->map)) return {};
    return takersOf(form == Form::Coverage ? QStringList{kCoverage} : carriersOf(layer->kind()));
}

QString Interop::freshPath(const QString& name, const QString& suffix) {
    QString stem;
    for (const QChar c : QFileInfo(name).completeBaseName().left(60))
        stem += (c.isLetterOrNumber() && c < QChar(0x80)) || c == QLatin1Char('-')
                    ? c
                    : QLatin1Char('_');
    const QDir folder(session_.project().exchangeFolder());
    // A restored session has files already, so numbers in use are skipped.
    for (;;) {
        QString path = folder.filePath(QStringLiteral("%1-%2.%3").arg(++files_).arg(stem, suffix));
        if (!QFileInfo::exists(path)) return path;
    }
}

void Interop::sendLayer(LayerId id, Form form, const QString& recipient) {
    try {
        const Layer* layer = session_.document().entry(id);
        if (!layer) throw InvalidArgument("expected an open layer to send, found none");
        const bool isCoverage = form == Form::Coverage;
        const QStringList carriers =
            isCoverage ? QStringList{kCoverage} : carriersOf(layer->kind());
        // One file for all recipients that accept the same type.
        std::map<QString, std::vector<QString>> recipients;
        for (const SampPeer& peer : takers(id, form))
            if (recipient.isEmpty() || peer.id == recipient)
                recipients[*std::find_if(carriers.begin(), carriers.end(), [&](const QString& m) {
                    return peer.takes(m);
                })].push_back(peer.id);
        if (recipients.empty())
            throw InvalidArgument("expected another program that takes this layer (" +
                                  factsOf(layer->kind()).noun().toStdString() +
                                  ") by SAMP, found none");
        const Shown shown = session_.document().view().shown();
        const int field = shown.entry == id && layer->map && shown.field < layer->map->fieldCount()
                              ? shown.field
                              : 0;
        for (auto& [mtype, to] : recipients) {
            Parcel parcel;
            parcel.name = layer->name;
            parcel.mtype = mtype;
            parcel.recipients = std::move(to);
            parcel.layer = isCoverage ? LayerId() : id;
            parcel.id = QStringLiteral("armilla-%1-%2").arg(identity_).arg(id.number());
            parcel.key =
                QStringLiteral("%1/%2/%3").arg(id.number()).arg(layer->revision).arg(mtype);
            if (isCoverage) parcel.key += QStringLiteral("/%1").arg(field);
            const LayerValue value = layer->value();
            if (isCoverage)
                send(parcel, [map = value.map, field](const std::string& path, JobContext& job) {
                    writeMoc(rangesWhere(*map, field, job), path, {}, job);
                });
            else
                send(parcel, [value](const std::string& path, JobContext& job) {
                    writeLayer(value, path, false, {}, job);
                });
        }
    } catch (const Error& error) {
        emit messageRaised(QString::fromUtf8(error.what()), true);
    }
}

void Interop::sendRegions(const QString& recipient) {
    try {
        const std::vector<NamedRegion> regions = session_.regions().named();
        if (regions.empty()) throw InvalidArgument("expected a region to send, found none");
        Parcel parcel;
        parcel.name = tr("regions");
        parcel.mtype = kCoverage;
        parcel.id = QStringLiteral("armilla-%1-regions").arg(identity_);
        for (const SampPeer& peer : takersOf(kCoverage))
            if (recipient.isEmpty() || peer.id == recipient) parcel.recipients.push_back(peer.id);
        if (parcel.recipients.empty())
            throw InvalidArgument(
                "expected another program that takes a coverage by SAMP, found none");
        send(parcel, [regions](const std::string& path, JobContext& job) {
            writeMoc(rangesOf(regions, job), path, {}, job);
        });
    } catch (const Error& error) {
        emit messageRaised(QString::fromUtf8(error.what()), true);
    }
}

void Interop::send(const Parcel& parcel,
                   std::function<void(const std::string&, JobContext&)> write) {
    if (const auto known = written_.find(parcel.key);
        !parcel.key.isEmpty() && known != written_.end() && QFileInfo::exists(known->second))
        return tell(parcel, known->second);
    const QString path = freshPath(parcel.name, suffixOf(parcel.mtype));
    session_.jobs().run<bool>(
        tr("Send %1").arg(parcel.name), JobLane::Io, {}, this,
        [path, write = std::move(write)](JobContext& job) {
            write(path.toStdString(), job);
            return true;
        },
        [this, parcel, path](bool) {
            if (!parcel.key.isEmpty()) written_[parcel.key] = path;
            tell(parcel, path);
        },
        [this](const QString& line) { emit messageRaised(line, true); });
}

void Interop::tell(const Parcel& parcel, const QString& path) {
    const QString url = QUrl::fromLocalFile(path).toString(QUrl::FullyEncoded);
    if (parcel.layer.isValid()) note(parcel.layer, parcel.id, url);
    const QVariantMap parameters{{QStringLiteral("url"), url},
                                 {QStringLiteral("name"), parcel.name},
                                 {idNameOf(parcel.mtype), parcel.id}};
    for (const QString& recipient : parcel.recipients) {
        const QString tag = QStringLiteral("armilla-%1").arg(++calls_);
        // Calls that are never answered are dropped.
        if (callNames_.size() >= kMostCalls) callNames_.clear();
        callNames_[tag] = parcel.name;
        client_.call(recipient, parcel.mtype, parameters, tag);
    }
}

void Interop::note(LayerId layer, const QString& id, const QString& url) {
    const Document& document = session_.document();
    std::erase_if(exchanged_,
                  [&](const auto& each) { return !isCurrent(each.first, each.second); });
    if (const Layer* open = document.entry(layer)) exchanged_[layer] = {id, url, open->revision};
}

bool Interop::isCurrent(LayerId layer, const Exchanged& known) const {
    const Layer* open = session_.document().entry(layer);
    return open && open->revision == known.revision;
}

const Interop::Exchanged* Interop::knownAs(LayerId layer) const {
    const auto known = exchanged_.find(layer);
    return known != exchanged_.end() && isCurrent(layer, known->second) ? &known->second : nullptr;
}

void Interop::sendPlace(const Vec3& place, Frame frame, const QString& recipient) {
    if (frame == Frame::Unknown) {
        emit messageRaised(tr("expected a view in a frame that is known, to send a position of "
                              "it, found none"),
                           true);
        return;
    }
    const LonLat icrs = lonLat(frameRotation(Frame::Equatorial, frame) * place);
    const auto degrees = [](double angle) { return QString::number(angle / kDegree, 'f', 9); };
    client_.notify(
        recipient, kPlace,
        {{QStringLiteral("ra"), degrees(icrs.lon)}, {QStringLiteral("dec"), degrees(icrs.lat)}});
}

void Interop::tellSelection() {
    const RowSelection selection = session_.document().view().selection();
    const Exchanged* known = knownAs(selection.layer);
    if (isTaking_ || selection.row < 0 || !known || client_.state() != SampClient::State::Connected)
        return;
    client_.notify({}, kRow,
                   {{QStringLiteral("table-id"), known->id},
                    {QStringLiteral("url"), known->url},
                    {QStringLiteral("row"), QString::number(selection.row)}});
}

void Interop::sendRows(LayerId layer, const std::vector<int64_t>& rows) {
    const Exchanged* known = knownAs(layer);
    if (!known) {
        emit messageRaised(tr("expected a catalog that the other programs know, found one that "
                              "was not sent yet"),
                           true);
        return;
    }
    QVariantList list;
    list.reserve(static_cast<qsizetype>(rows.size()));
    for (const int64_t row : rows) list.append(QString::number(row));
    client_.notify({}, kRows,
                   {{QStringLiteral("table-id"), known->id},
                    {QStringLiteral("url"), known->url},
                    {QStringLiteral("row-list"), list}});
}

void Interop::forgetChosen() {
    chosenList_ = ++lists_;  // also invalidates lists that are still being read
    if (!chosen_.layer.isValid()) return;
    chosen_ = {};
    emit chosenChanged();
}

void Interop::take(const SampMessage& message) {
    try {
        if (message.mtype == kPlace)
            takePlace(message);
        else if (message.mtype == kRow)
            takeRow(message);
        else if (message.mtype == kRows)
            return takeRows(message);
        else
            return takeFile(message);
        client_.reply(message);
    } catch (const Error& error) {
        const QString line = QString::fromUtf8(error.what());
        client_.reply(message, line);
        // Rows of tables that are not open here are no error.
        if (message.mtype != kRow && message.mtype != kRows)
            emit messageRaised(tr("From %1: %2").arg(client_.nameOf(message.sender), line), true);
    }
}

LayerId Interop::layerOf(const QVariantMap& parameters) const {
    const QString id = parameters.value(QStringLiteral("table-id")).toString();
    const QString url = parameters.value(QStringLiteral("url")).toString();
    for (const auto& [layer, known] : exchanged_) {
        if (!isCurrent(layer, known) || !session_.document().entry(layer)->catalog) continue;
        if ((!id.isEmpty() && known.id == id) || (!url.isEmpty() && known.url == url)) return layer;
    }
    throw InvalidArgument("expected a table that is open here, found \"" +
                          (id.isEmpty() ? url : id).left(200).toStdString() + '"');
}

void Interop::takePlace(const SampMessage& message) {
    const double ra = angleIn(message.parameters, "ra", 360.0);
    emit placeReceived({ra, angleIn(message.parameters, "dec", 90.0)});
}

void Interop::takeRow(const SampMessage& message) {
    const LayerId layer = layerOf(message.parameters);
    const int64_t row = rowIn(message.parameters.value(QStringLiteral("row")),
                              session_.document().entry(layer)->catalog->rows());
    {
        const QScopedValueRollback guard(isTaking_, true);
        session_.document().view().setSelection({layer, row});
    }
    emit rowReceived(layer, row);
}

// A long list may have a million rows, so a job reads and frees it. The sender gets a reply at its
// end, whatever the outcome.
void Interop::takeRows(const SampMessage& message) {
    constexpr qsizetype kReadAtOnce = 4096;  // less than a millisecond
    const LayerId layer = layerOf(message.parameters);
    const Layer& open = *session_.document().entry(layer);
    const RowList list{
        {message.sender, message.mtype, {}, message.id}, layer, open.revision, ++lists_};
    const int64_t count = open.catalog->rows();
    const QVariantList rows = message.parameters.value(QStringLiteral("row-list")).toList();
    if (rows.size() <= kReadAtOnce) {
        JobContext job({}, {}, 1);
        choose(list, rowsIn(rows, count, job));
        return client_.reply(list.asked, {});
    }
    struct Read {
        std::vector<int64_t> rows;
        QString failure;  // failure of received data; no job of the user has failed
    };
    const int job = session_.jobs().run<Read>(
        tr("Rows from %1").arg(client_.nameOf(message.sender)), JobLane::Io, {}, this,
        [rows, count](JobContext& context) -> Read {
            try {
                return {rowsIn(rows, count, context), {}};
            } catch (const InvalidArgument& error) {
                return {{}, QString::fromUtf8(error.what())};
            }
        },
        [this, list](Read read) {
            if (!read.failure.isEmpty()) return endReading(list, read.failure);
            try {
                choose(list, std::move(read.rows));
                endReading(list, {});
            } catch (const InvalidArgument& error) {
                endReading(list, QString::fromUtf8(error.what()));
            }
        },
        [this, list](const QString& line) { endReading(list, line); });
    reading_.emplace(job, list);
}

void Interop::endReading(RowList list, const QString& failure) {
    std::erase_if(reading_, [&](const auto& each) { return each.second.number == list.number; });
    client_.reply(list.asked, failure);
}

// Throws InvalidArgument if the table has changed.
void Interop::choose(const RowList& list, std::vector<int64_t> rows) {
    const Layer* now = session_.document().entry(list.layer);
    if (!now || now->revision != list.revision)
        throw InvalidArgument("expected a table that is open here, found it closed");
    // A short list may overtake a long one that was sent earlier.
    if (list.number < chosenList_) return;
    chosenList_ = list.number;
    chosen_ = {list.layer, std::move(rows)};
    emit chosenChanged();
}

void Interop::takeFile(const SampMessage& message) {
    const QUrl url(message.parameters.value(QStringLiteral("url")).toString(), QUrl::TolerantMode);
    if (const QString path = fileOf(url); !path.isEmpty()) {
        if (!QFileInfo(path).isFile())
            throw IoError(path.left(300).toStdString() + ": expected a file, found none");
        return open(message, path);
    }
    if (!isOfThisMachine(url))
        throw InvalidArgument("expected a file or an address of this machine, found " +
                              url.toDisplayString().left(200).toStdString() +
                              "; this program fetches nothing from the network");
    const QString path = freshPath(QStringLiteral("received"), suffixOf(message.mtype));
    client_.download(url, path, kMostDownload, [this, message, path](const QString& failure) {
        if (failure.isEmpty()) return open(message, path);
        client_.reply(message, failure);
        emit messageRaised(tr("From %1: %2").arg(client_.nameOf(message.sender), failure), true);
    });
}

void Interop::open(const SampMessage& message, const QString& path) {
    const QString url = message.parameters.value(QStringLiteral("url")).toString();
    const QString id = message.parameters.value(idNameOf(message.mtype)).toString();
    QString name = message.parameters.value(QStringLiteral("name")).toString().simplified();
    if (name.isEmpty()) name = QFileInfo(QUrl(url).path()).fileName();
    session_.files().openReceived(path, name.left(200),
                                  [this, message, url, id](LayerId layer, const QString& failure) {
                                      if (layer.isValid())
                                          note(layer, id.isEmpty() ? url : id, url);
                                      client_.reply(message, failure);
                                  });
}

}  // namespace armilla

#include "armilla/session/moc_interop.cpp"
