// SPDX-License-Identifier: GPL-3.0-or-later
#include "armilla/session/recipe.h"

#include <QCoreApplication>
#include <QFileInfo>
#include <QRegularExpression>
#include <algorithm>
#include <cmath>

#include "armilla/core/error.h"
#include "armilla/core/units.h"
#include "armilla/operations/known_operations.h"
#include "armilla/operations/record.h"
#include "armilla/session/shown_text.h"
#include "enum_names.h"
#include "operation_values.h"

namespace armilla {

namespace {

constexpr qsizetype kLongestPath = 8192, kLongestProfile = 1 << 20;
constexpr int kMaxLmax = 1 << 17, kMaxFields = 10000;
constexpr qsizetype kMostSources = 64, kLongestOperation = 64, kLongestTitle = 1000;
constexpr int kMostOutputs = 1000;
constexpr qsizetype kMostRows = 10000000;

QJsonObject smoothToJson(const SmoothParameters& smooth) {
    QJsonObject json{{"fwhm", smooth.fwhm},
                     {"method", json::nameOf(kSmoothMethods, smooth.method)},
                     {"lmax", smooth.lmax},
                     {"iterations", smooth.iterations},
                     {"weights", json::nameOf(kWeights, smooth.weights)},
                     {"masked", json::nameOf(kMasked, smooth.masked)},
                     {"polarization", smooth.polarization}};
    if (smooth.beam)
        json["beam"] = QJsonObject{{"t", json::fromNumbers(smooth.beam->bl[0])},
                                   {"e", json::fromNumbers(smooth.beam->bl[1])},
                                   {"b", json::fromNumbers(smooth.beam->bl[2])}};
    if (smooth.kernel)
        json["kernel"] = QJsonObject{{"angle", json::fromNumbers(smooth.kernel->angle)},
                                     {"value", json::fromNumbers(smooth.kernel->value)}};
    return json;
}

RadialKernel kernelFromJson(const QJsonObject& json) {
    RadialKernel kernel{json::numbers(json, "angle", kLongestProfile),
                        json::numbers(json, "value", kLongestProfile)};
    bool isAscending = !kernel.angle.empty() && kernel.angle.front() == 0.0;
    for (size_t i = 1; i < kernel.angle.size(); ++i)
        isAscending = isAscending && kernel.angle[i] > kernel.angle[i - 1];
    if (!isAscending || kernel.angle.size() != kernel.value.size())
        json::fail(QStringLiteral("kernel"),
                   QStringLiteral("angles ascending from 0 and as many values"), json);
    return kernel;
}

SmoothParameters smoothFromJson(const QJsonObject& json) {
    SmoothParameters smooth;
    smooth.fwhm = json::number(json, "fwhm", 0.0, kTwoPi);
    smooth.method = json::enumeration(kSmoothMethods, json, "method");
    smooth.lmax = static_cast<int>(json::integer(json, "lmax", -1, kMaxLmax));
    smooth.iterations = static_cast<int>(json::integer(json, "iterations", 0, 100));
    smooth.weights = json::enumeration(kWeights, json, "weights");
    smooth.masked = json::enumeration(kMasked, json, "masked");
    smooth.polarization = json::boolean(json, "polarization");
    if (json.contains("beam")) {
        const QJsonObject beam = json::child(json, "beam");
        smooth.beam.emplace();
        smooth.beam->bl = {json::numbers(beam, "t", kLongestProfile),
                           json::numbers(beam, "e", kLongestProfile),
                           json::numbers(beam, "b", kLongestProfile)};
        if (smooth.beam->bl[0].empty())
            json::fail(QStringLiteral("beam"), QStringLiteral("values of B_l from l = 0"), beam);
    }
    if (json.contains("kernel")) smooth.kernel = kernelFromJson(json::child(json, "kernel"));
    return smooth;
}

}  // namespace

std::vector<LayerId> Recipe::inputs() const {
    std::vector<LayerId> all;
    for (const LayerId one : {input, other})
        if (one.isValid()) all.push_back(one);
    for (const QJsonValue given : record["inputs"].toArray())
        if (const LayerId layer(given["layer"].toInt(-1)); layer.isValid()) all.push_back(layer);
    return all;
}

QJsonObject Recipe::toJson() const {
    QJsonObject json{{"kind", json::nameOf(kRecipeKinds, kind)}};
    switch (kind) {
        case RecipeKind::Open:
            json["path"] = path;
            json["fields"] = QJsonArray::fromStringList(fields);
            if (statedFile.any()) json["stated"] = statedFile.toJson();
            break;
        case RecipeKind::SampleSky: json["nside"] = static_cast<qint64>(sampleNside); break;
        case RecipeKind::Smooth:
        case RecipeKind::MaskedDifference:
            json["input"] = input.number();
            json["field"] = field;
            json["smooth"] = smoothToJson(smooth);
            json["profilePath"] = profilePath;
            break;
        case RecipeKind::Difference:
            json["input"] = input.number();
            json["field"] = field;
            json["quantity"] = json::nameOf(kQuantities, quantity);
            json["other"] = other.number();
            json["otherField"] = otherField;
            json["otherQuantity"] = json::nameOf(kQuantities, otherQuantity);
            break;
        case RecipeKind::Rows:
        case RecipeKind::Operation:
            json["record"] = record;
            json["title"] = recordTitle;
            break;
    }
    if (output != 0) json["output"] = output;
    if (statedFrame != Frame::Unknown) json["inputFrame"] = json::nameOf(kFrames, statedFrame);
    return json;
}

Recipe Recipe::fromJson(const QJsonObject& json) {
    Recipe recipe;
    recipe.kind = json::enumeration(kRecipeKinds, json, "kind");
    if (json.contains("output"))
        recipe.output = static_cast<int>(json::integer(json, "output", 0, kMostOutputs));
    if (json.contains("inputFrame"))
        recipe.statedFrame = json::enumeration(kFrames, json, "inputFrame");
    if (recipe.kind == RecipeKind::Smooth || recipe.kind == RecipeKind::Difference ||
        recipe.kind == RecipeKind::MaskedDifference) {
        recipe.input = json::layerId(json, "input");
        recipe.field = static_cast<int>(json::integer(json, "field", 0, kMaxFields));
    }
    switch (recipe.kind) {
        case RecipeKind::Open:
            recipe.path = json::text(json, "path", kLongestPath);
            for (const QJsonValue field : json::array(json, "fields", kMaxFields)) {
                if (!field.isString())
                    json::fail(QStringLiteral("fields"), QStringLiteral("names of fields"), field);
                recipe.fields << field.toString();
            }
            if (json.contains("stated"))
                recipe.statedFile = StatedFile::fromJson(json::child(json, "stated"));
            break;
        case RecipeKind::SampleSky:
            recipe.sampleNside = json::integer(json, "nside", 1, 8192);
            if (!isPowerOfTwoNside(recipe.sampleNside))
                json::fail(QStringLiteral("nside"), QStringLiteral("a power of two"),
                           json["nside"]);
            break;
        case RecipeKind::Smooth:
        case RecipeKind::MaskedDifference:
            recipe.smooth = smoothFromJson(json::child(json, "smooth"));
            recipe.profilePath = json::text(json, "profilePath", kLongestPath);
            break;
        case RecipeKind::Difference:
            recipe.quantity = json::enumeration(kQuantities, json, "quantity");
            recipe.other = json::layerId(json, "other");
            recipe.otherField = static_cast<int>(json::integer(json, "otherField", 0, kMaxFields));
            recipe.otherQuantity = json::enumeration(kQuantities, json, "otherQuantity");
            break;
        case RecipeKind::Operation:
            // The operation checks its record when the layer is recomputed. A record of an
            // operation unknown to this program stays unchanged.
            recipe.record = json::child(json, "record");
            recipe.recordTitle = json::text(json, "title", kLongestTitle);
            json::text(recipe.record, "operation", kLongestOperation);
            for (const QJsonValue given : json::array(recipe.record, "inputs", kMostSources))
                if (given.toObject().contains("layer")) json::layerId(given.toObject(), "layer");
            break;
        case RecipeKind::Rows: {
            recipe.record = json::child(json, "record");
            recipe.recordTitle = json::text(json, "title", kLongestTitle);
            const QJsonArray inputs = json::array(recipe.record, "inputs", 1);
            json::layerId(inputs.first().toObject(), "layer");
            for (const double row : json::numbers(recipe.record, "rows", kMostRows))
                if (row < 0.0 || row != std::floor(row))
                    json::fail(QStringLiteral("rows"), QStringLiteral("numbers of rows"), row);
            break;
        }
    }
    return recipe;
}

namespace {

// The title, whose words `translated` translates; a record has its own title.
QString titleIn(const Recipe& recipe, QString (*translated)(const char*)) {
    switch (recipe.kind) {
        case RecipeKind::Open:
            return translated(QT_TRANSLATE_NOOP("Recipe", "open %1"))
                .arg(QFileInfo(recipe.path).fileName());
        case RecipeKind::SampleSky:
            return translated(QT_TRANSLATE_NOOP("Recipe", "sample sky nside %1"))
                .arg(recipe.sampleNside);
        case RecipeKind::MaskedDifference: {
            Recipe plain = recipe;
            plain.kind = RecipeKind::Smooth;
            return translated(QT_TRANSLATE_NOOP("Recipe", "%1, normalized minus ignored mask"))
                .arg(titleIn(plain, translated));
        }
        case RecipeKind::Smooth: {
            const SmoothParameters& smooth = recipe.smooth;
            if (!smooth.beam && !smooth.kernel)
                return translated(QT_TRANSLATE_NOOP("Recipe", "smooth %1"))
                    .arg(QString::fromStdString(formatAngle(smooth.fwhm)));
            if (recipe.profilePath.isEmpty())
                return translated(smooth.beam
                                      ? QT_TRANSLATE_NOOP("Recipe", "smooth with a beam")
                                      : QT_TRANSLATE_NOOP("Recipe", "smooth with a kernel"));
            return translated(smooth.beam ? QT_TRANSLATE_NOOP("Recipe", "smooth with beam %1")
                                          : QT_TRANSLATE_NOOP("Recipe", "smooth with kernel %1"))
                .arg(QFileInfo(recipe.profilePath).fileName());
        }
        case RecipeKind::Difference: return translated(QT_TRANSLATE_NOOP("Recipe", "difference"));
        case RecipeKind::Rows: return translated(recipe.recordTitle.toUtf8().constData());
        case RecipeKind::Operation: break;
    }
    return recipe.recordTitle;
}

}  // namespace

QString Recipe::title() const {
    return titleIn(*this, [](const char* text) { return QString::fromUtf8(text); });
}

QString Recipe::shownTitle() const {
    if (kind == RecipeKind::Operation) try {
            const Record made = recordFromJson(fromQt(record));
            return QString::fromStdString(shownTitleOf(*made.operation, made.parameters));
        } catch (const Error&) {
            // An operation of another program has the title that it was saved with.
        }
    return titleIn(*this,
                   [](const char* text) { return QCoreApplication::translate("Recipe", text); });
}

QString Recipe::statedText() const {
    QString text;
    if (statedFrame != Frame::Unknown) {
        const std::string_view name = frameName(statedFrame);
        text = QStringLiteral(", frame stated: ") +
               QString::fromUtf8(name.data(), static_cast<qsizetype>(name.size()));
    }
    if (statedFile.any())
        text += QStringLiteral(", stated: ") + statedFile.words().join(QLatin1Char(' '));
    return text;
}

QString shellQuoted(const QString& word) {
    return QString::fromStdString(shellQuoted(word.toStdString()));
}

QString shellPath(const QString& path) {
    return shellQuoted(path.startsWith(QLatin1Char('-')) ? QStringLiteral("./") + path : path);
}

QString fileStem(QString name) {
    static const QRegularExpression suffix(
        QStringLiteral("(?:\\.[A-Za-z][A-Za-z0-9]{0,6}){1,2}(?=\\[|$)"));
    name.remove(suffix);
    name.replace(QChar(0x00B0), QStringLiteral("deg"))
        .replace(QChar(0x2032), QStringLiteral("arcmin"))
        .replace(QChar(0x2033), QStringLiteral("arcsec"));
    if (name.endsWith(QLatin1Char(']'))) name.chop(1);
    QString result;
    for (qsizetype i = 0; i < name.size(); ++i) {
        const bool isPoint = name[i] == QLatin1Char('.') && i > 0 && name[i - 1].isDigit() &&
                             i + 1 < name.size() && name[i + 1].isDigit();
        const bool isKept = name[i].isLetterOrNumber() || name[i] == QLatin1Char('-') || isPoint;
        if (isKept)
            result += name[i];
        else if (!result.endsWith(QLatin1Char('_')))
            result += QLatin1Char('_');
    }
    return result.isEmpty() ? QStringLiteral("map") : result;
}

QString smoothCommand(const QString& inputPath, const QString& outputPath, int field,
                      const SmoothParameters& parameters, const QString& profilePath) {
    const bool isFromFile = parameters.beam || parameters.kernel;
    if (isFromFile && profilePath.isEmpty()) return {};
    QStringList words{QStringLiteral("armilla"), textOf(operations::smooth().id),
                      shellPath(inputPath), shellPath(outputPath)};
    if (isFromFile)
        words << (parameters.beam ? QStringLiteral("--beam") : QStringLiteral("--kernel"))
              << shellPath(profilePath);
    else
        words << QStringLiteral("--fwhm")
              << shellQuoted(QString::fromStdString(angleArgument(parameters.fwhm)));
    words << QStringLiteral("--method") << json::nameOf(kSmoothMethods, parameters.method);
    if (parameters.lmax >= 0) words << QStringLiteral("--lmax") << QString::number(parameters.lmax);
    if (parameters.iterations > 0)
        words << QStringLiteral("--iterations") << QString::number(parameters.iterations);
    words << QStringLiteral("--weights") << json::nameOf(kWeights, parameters.weights)
          << QStringLiteral("--masked") << json::nameOf(kMasked, parameters.masked);
    // With polarization the three fields are found by name.
    if (parameters.polarization)
        words << QStringLiteral("--polarization");
    else
        words << QStringLiteral("--field") << QString::number(field + 1);
    return words.join(QLatin1Char(' '));
}

}  // namespace armilla
