// SPDX-License-Identifier: GPL-3.0-or-later
// Rows of a description, each bound to the member of the options that it reads and writes.
#include <cmath>
#include <utility>

#include "armilla/operations/parameter.h"

namespace armilla {

Parameter Description::make(ParameterKind kind, std::string_view name, ParameterFacts facts,
                            std::string_view help) {
    Parameter row;
    row.kind = kind;
    row.name = name;
    row.facts = std::move(facts);
    row.help = help;
    return row;
}

void Description::addText(ParameterKind kind, std::string_view name, std::string& member,
                          ParameterFacts facts, std::string_view help) {
    Parameter row = make(kind, name, std::move(facts), help);
    row.get = [&member]() -> ParameterValue {
        if (member.empty()) return {};
        return member;
    };
    row.put = [&member](const ParameterValue& value) {
        const auto* text = std::get_if<std::string>(&value);
        member = text != nullptr ? *text : std::string();
    };
    rows_.push_back(std::move(row));
}

void Description::words(std::string_view name, std::vector<std::string>& member,
                        ParameterFacts facts, std::string_view help) {
    Parameter row = make(ParameterKind::Words, name, std::move(facts), help);
    row.get = [&member]() -> ParameterValue {
        if (member.empty()) return {};
        return member;
    };
    row.put = [&member](const ParameterValue& value) {
        const auto* words = std::get_if<std::vector<std::string>>(&value);
        member = words != nullptr ? *words : std::vector<std::string>();
    };
    rows_.push_back(std::move(row));
}

void Description::angles(std::string_view name, std::vector<double>& member, ParameterFacts facts,
                         std::string_view help) {
    numbers(name, member, std::move(facts), help);
    rows_.back().kind = ParameterKind::Angles;
}

void Description::numbers(std::string_view name, std::vector<double>& member, ParameterFacts facts,
                          std::string_view help) {
    Parameter row = make(ParameterKind::Numbers, name, std::move(facts), help);
    row.get = [&member]() -> ParameterValue {
        if (member.empty()) return {};
        return member;
    };
    row.put = [&member](const ParameterValue& value) {
        const auto* numbers = std::get_if<std::vector<double>>(&value);
        member = numbers != nullptr ? *numbers : std::vector<double>();
    };
    rows_.push_back(std::move(row));
}

void Description::position(std::string_view name, std::optional<Place>& member,
                           ParameterFacts facts, std::string_view help) {
    if (facts.unit.empty()) facts.unit = "deg";
    Parameter row = make(ParameterKind::Position, name, std::move(facts), help);
    row.get = [&member]() -> ParameterValue {
        if (!member) return {};
        std::vector<double> value{member->at.lon, member->at.lat};
        if (member->frame != armilla::Frame::Unknown)
            value.push_back(static_cast<double>(member->frame));
        return value;
    };
    row.put = [&member](const ParameterValue& value) {
        member.reset();
        if (const auto* both = std::get_if<std::vector<double>>(&value))
            member = Place{{(*both)[0], (*both)[1]},
                           both->size() == 3 ? static_cast<armilla::Frame>(std::lround((*both)[2]))
                                             : armilla::Frame::Unknown};
    };
    rows_.push_back(std::move(row));
}

void Description::frame(std::string_view name, std::optional<Frame>& member, ParameterFacts facts,
                        std::string_view help) {
    Parameter row = make(ParameterKind::Frame, name, std::move(facts), help);
    row.get = [&member]() -> ParameterValue {
        if (!member) return {};
        const char letter = frameLetter(*member);
        if (letter == 0) return {};
        return std::string(1, letter);
    };
    row.put = [&member](const ParameterValue& value) {
        member.reset();
        if (const auto* word = std::get_if<std::string>(&value)) member = frameFromText(*word);
    };
    rows_.push_back(std::move(row));
}

void Description::statedFrame(std::string_view name, std::optional<StatedFrame>& member,
                              ParameterFacts facts, std::string_view help) {
    Parameter row = make(ParameterKind::Frame, name, std::move(facts), help);
    row.facts.takesOldFrames = true;
    row.get = [&member]() -> ParameterValue {
        if (!member) return {};
        return statedFrameWord(*member);
    };
    row.put = [&member](const ParameterValue& value) {
        member.reset();
        if (const auto* word = std::get_if<std::string>(&value))
            member = statedFrameFromText(*word);
    };
    rows_.push_back(std::move(row));
}

void Description::size(std::string_view name, std::optional<PixelSize>& member,
                       ParameterFacts facts, std::string_view help) {
    Parameter row = make(ParameterKind::Size, name, std::move(facts), help);
    row.get = [&member]() -> ParameterValue {
        if (!member) return {};
        return std::vector<double>{static_cast<double>(member->width),
                                   static_cast<double>(member->height)};
    };
    row.put = [&member](const ParameterValue& value) {
        member.reset();
        if (const auto* both = std::get_if<std::vector<double>>(&value))
            member = PixelSize{std::llround((*both)[0]), std::llround((*both)[1])};
    };
    rows_.push_back(std::move(row));
}

void Description::bins(std::string_view name, std::optional<AngleBins>& member,
                       ParameterFacts facts, std::string_view help) {
    Parameter row = make(ParameterKind::Bins, name, std::move(facts), help);
    row.get = [&member]() -> ParameterValue {
        if (!member) return {};
        return std::vector<double>{member->least, member->most, static_cast<double>(member->count)};
    };
    row.put = [&member](const ParameterValue& value) {
        member.reset();
        if (const auto* three = std::get_if<std::vector<double>>(&value))
            member = AngleBins{(*three)[0], (*three)[1], std::llround((*three)[2])};
    };
    rows_.push_back(std::move(row));
}

}  // namespace armilla
