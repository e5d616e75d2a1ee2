// SPDX-License-Identifier: GPL-3.0-or-later
// `armilla devices`: lists usable devices, and the reason why others cannot be used.
#include <array>
#include <cstdio>

#include "cli/command.h"
#include "cli/run.h"

namespace armilla::cli {

namespace {

std::string gibibytes(int64_t bytes) {
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), "%.1f GiB",
                  static_cast<double>(bytes) / (1024.0 * 1024.0 * 1024.0));
    return text.data();
}

class Devices : public Command {
public:
    std::string_view name() const override { return "devices"; }
    std::string_view summary() const override {
        return "list the devices that the program can use, and reasons against the others";
    }
    void fill(Form& /*form*/) override {}

    void execute(Run& run) override {
        Json devices = Json::array();
        for (const Device& device : Device::available()) {
            Json entry = Json::object();
            entry.set("device", device.label());
            entry.set("name", device.name);
            entry.set("driver", device.driver.empty() ? Json() : Json(device.driver));
            entry.set("memory_bytes", device.memoryBytes);
            entry.set("free_bytes", device.freeBytes);
            devices.add(std::move(entry));
            run.print(device.label() + ": " + device.name + ", " + gibibytes(device.memoryBytes) +
                      " (" + gibibytes(device.freeBytes) + " free)" +
                      (device.driver.empty() ? "" : ", " + device.driver));
        }
        Json unusable = Json::array();
        for (const std::string& reason : Device::unusable()) {
            unusable.add(reason);
            run.print("not usable: " + reason);
        }
        run.result().set("devices", std::move(devices));
        run.result().set("unusable", std::move(unusable));
    }
};

}  // namespace

std::unique_ptr<Command> makeDevices() {
    return std::make_unique<Devices>();
}

}  // namespace armilla::cli
