// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/draw_module.h"

#include "armilla/core/loaded_module.h"
#include "cli/translation.h"

namespace armilla::cli {

namespace {

// Proxy of the command in the module, which is loaded when its options are needed.
class Render : public Command {
public:
    std::string_view name() const override { return "render"; }
    std::string_view summary() const override { return kRenderSummary; }
    void fill(Form& form) override {
        command_.reset(
            reinterpret_cast<ArmillaMakeRender>(moduleSymbol(kDrawModule, "armillaMakeRender"))());
        command_->fill(form);
    }
    void check() const override { command_->check(); }
    void execute(Run& run) override { command_->execute(run); }

private:
    std::unique_ptr<Command> command_;
};

}  // namespace

std::unique_ptr<Command> makeRender() {
    return std::make_unique<Render>();
}

void loadTranslation() {
    // Without the module, help is in English.
    if (modulePath(kDrawModule).empty()) return;
    reinterpret_cast<ArmillaLoadTranslation>(moduleSymbol(kDrawModule, "armillaLoadTranslation"))();
}

}  // namespace armilla::cli
