// SPDX-License-Identifier: GPL-3.0-or-later
// `armilla convert MAP OUT`: ordering, resolution, frame, fields, full and partial.
#include "cli/command.h"
#include "cli/files.h"
#include "ops/resample.h"

namespace armilla::cli {

namespace {

class Convert : public Command {
public:
    std::string_view name() const override { return "convert"; }
    std::string_view summary() const override {
        return "another ordering, resolution, frame, choice of fields; full or partial";
    }

    void addOptions(CLI::App& app) override {
        app.add_option("MAP", input_, "the map")->required();
        app.add_option("OUT", output_, "the new map")->required();
        addChoice<std::optional<Ordering>>(app, "--ordering", ordering_,
                                           {{"ring", Ordering::Ring}, {"nested", Ordering::Nested}},
                                           "order of the pixels");
        addNside(app, nside_, "resolution: mean of the good children down, copies up");
        addFrame(app, "--frame", frame_, "turn the map, and its polarization, into this frame");
        app.add_option_function<std::string>(
               "--fields", [this](const std::string& text) { fields_ = splitAtCommas(text); },
               "the columns to keep, in this order (all)")
            ->type_name("A,B,...");
        app.add_flag("--sparse", sparse_, "write only pixels with a value (partial map)");
    }

    void check() const override {
        for (const std::string& field : fields_)
            if (field.empty())
                throw UsageError("--fields: expected names or numbers between the commas");
    }

    void execute(Run& run) override {
        checkOutput(output_, run.options().overwrite);
        run.result().set("device", run.device().label());
        JobContext reading = run.job().part(0.0, 0.3);
        JobContext working = run.job().part(0.3, 0.8);
        JobContext writing = run.job().part(0.8, 1.0);
        if (fields_.empty() && !run.options().field.empty()) fields_ = {run.options().field};
        HealpixMap map = withFile(input_, [&] { return convert(read(reading), working); });
        const std::string description = describe(map);
        withFile(output_, [&] {
            writeMap(map, output_, mapOptions(run, StoredPrecision::AsRead), writing);
        });
        report(run, map);
        run.print("wrote " + output_ + ": " + description);
    }

private:
    // A turn of the frame needs Q and U both, so then all fields are read and some dropped later.
    HealpixMap read(JobContext& job) const {
        MapReadOptions options;
        if (!frame_) options.fields = fields_;
        return readMap(input_, options, job);
    }

    HealpixMap convert(HealpixMap map, JobContext& job) const {
        const Ordering ordering = ordering_.value_or(map.ordering());
        if (map.coverage() == Coverage::MultiOrder && !(sparse_ && keepsPixels()))
            map = flattened(map, nside_.value_or(0), job);
        // The frame first: at the input's own resolution the turn loses least.
        if (frame_ && *frame_ != map.frame()) {
            refuseHalfPolarization(map);
            map = rotatedFrame(map, *frame_, job);
        }
        if (frame_ && !fields_.empty()) {
            std::vector<int> indices;
            for (const std::string& field : fields_) indices.push_back(map.fieldIndex(field));
            map = withFields(map, indices);
        }
        if (nside_ && *nside_ != map.nside()) map = regraded(map, *nside_, job);
        if (ordering != map.ordering()) map = reordered(map, ordering, job);
        if (!sparse_ && map.coverage() == Coverage::Partial) map = toFull(map, job);
        if (sparse_ && map.coverage() == Coverage::Full) map = toPartial(map, job);
        if (map.elementCount() == 0)
            throw InvalidArgument("expected pixels with a value to write, found no good pixel");
        return map;
    }

    // Q without U, or U without Q, cannot be turned.
    static void refuseHalfPolarization(const HealpixMap& map) {
        if (map.polarizationPair()) return;
        for (const Field& field : map.fields()) {
            const std::string start = field.name.substr(0, 2);
            for (const char* half : {"Q", "U", "Q_", "U_", "Q-", "U-"})
                if (start == half)
                    throw InvalidArgument("expected Q and U both, which turn together, found " +
                                          field.name + " alone");
        }
    }

    bool keepsPixels() const { return !ordering_ && !nside_ && !frame_; }

    void report(Run& run, const HealpixMap& map) const {
        Json& json = run.result();
        json.set("output", output_);
        json.set("nside", map.nside());
        json.set("ordering",
                 map.coverage() == Coverage::MultiOrder ? "NUNIQ" : orderingName(map.ordering()));
        json.set("frame", frameJson(map.frame()));
        json.set("pixels", map.elementCount());
        Json fields = Json::array();
        for (const Field& field : map.fields()) fields.add(field.name);
        json.set("fields", std::move(fields));
    }

    std::string input_, output_;
    std::optional<Ordering> ordering_;
    std::optional<int64_t> nside_;
    std::optional<Frame> frame_;
    std::vector<std::string> fields_;
    bool sparse_ = false;
};

}  // namespace

std::unique_ptr<Command> makeConvert() {
    return std::make_unique<Convert>();
}

}  // namespace armilla::cli
