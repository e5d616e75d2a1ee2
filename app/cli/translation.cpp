// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/draw_module.h"

#include <QLocale>
#include <QTranslator>
#include <filesystem>

#include "armilla/core/table_text.h"

namespace armilla::cli {

namespace {

QTranslator& translator() {
    static QTranslator one;
    return one;
}

}  // namespace

void armillaLoadTranslation() {
    std::error_code unknown;
    const auto program = std::filesystem::read_symlink("/proc/self/exe", unknown);
    if (unknown) return;
    const auto folder = program.parent_path() / "../share/armilla/translations";
    if (translator().load(QLocale::system(), QStringLiteral("armilla"), QStringLiteral("_"),
                          QString::fromStdString(folder.string())))
        setTableTranslation([](const std::string& text) {
            return translator().translate(kTableContext, text.c_str()).toStdString();
        });
}

}  // namespace armilla::cli
