#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes the list of what a bundle contains, as SPDX 2.3 in JSON (lib/sbom.spdx.json).

sbom.write(FOLDER): FOLDER holds the programs and lib/copyright, one file for each Debian package that a library, a
plugin or a font comes from. Libraries that the programs contain by static linking or as headers are listed too. The same
contents give the same bytes; SOURCE_DATE_EPOCH gives the date.
"""
import datetime
import hashlib
import json
import os
import pathlib
import re
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[2]
NAME = "lib/sbom.spdx.json"
# Names in copyright files of Debian, and what SPDX calls them. All others become references of the document.
LICENSES = {
    "GPL-2": "GPL-2.0-only", "GPL-2+": "GPL-2.0-or-later", "GPL-3": "GPL-3.0-only", "GPL-3+": "GPL-3.0-or-later",
    "LGPL-2": "LGPL-2.0-only", "LGPL-2+": "LGPL-2.0-or-later", "LGPL-2.1": "LGPL-2.1-only",
    "LGPL-2.1+": "LGPL-2.1-or-later", "LGPL-3": "LGPL-3.0-only", "LGPL-3+": "LGPL-3.0-or-later",
    "Apache-2.0": "Apache-2.0", "BSD-2-clause": "BSD-2-Clause", "BSD-3-clause": "BSD-3-Clause", "Expat": "MIT",
    "MIT": "MIT", "Zlib": "Zlib", "zlib": "Zlib",
}
# Part of the programs, not files of their own: name, Debian package that knows the version, license.
INSIDE = (("Highway", "libhwy-dev", "Apache-2.0"), ("CLI11", "libcli11-dev", "BSD-3-Clause"),
          ("nlohmann-json", "nlohmann-json3-dev", "MIT"))


def version_of(package):
    """The installed version of a Debian package; empty if it is not installed."""
    return subprocess.run(["dpkg-query", "-W", "-f=${Version}", package], check=False, capture_output=True,
                          text=True).stdout


def license_of(text):
    """The license of the files of a package by its copyright file, as an expression of SPDX."""
    stanza = re.search(r"^Files: \*\n(?:.+\n)*?License: *(.+)$", text, re.M)
    named = LICENSES.get(stanza[1].strip()) if stanza else None
    return named or "NOASSERTION"


def identifier(name):
    """A name of an element in SPDX."""
    return "SPDXRef-" + re.sub(r"[^A-Za-z0-9.-]", "-", name)


def element(name, version, license_name, copyright_text="NOASSERTION"):
    """A package in SPDX."""
    return {"SPDXID": identifier(name), "name": name, "versionInfo": version or "unknown",
            "downloadLocation": "NOASSERTION", "filesAnalyzed": False, "licenseConcluded": "NOASSERTION",
            "licenseDeclared": license_name, "copyrightText": copyright_text}


def document(folder):
    """The list, as a dictionary."""
    program = re.search(r"project\(Armilla VERSION ([0-9.]+)", (ROOT / "CMakeLists.txt").read_text())[1]
    own = element("armilla", program, "GPL-3.0-or-later")
    elements, links = [own], []
    for path in sorted((folder / "lib/copyright").iterdir()):
        text = path.read_text(encoding="utf-8", errors="replace")
        elements.append(element(path.name, version_of(path.name), license_of(text)))
        links.append((own["SPDXID"], "CONTAINS", elements[-1]["SPDXID"]))
    for name, package, license_name in INSIDE:
        elements.append(element(name, version_of(package), license_name))
        links.append((own["SPDXID"], "STATIC_LINK", elements[-1]["SPDXID"]))
    files = []
    for path in sorted(folder.rglob("*")):
        if not path.is_file() or path.is_symlink() or path == folder / NAME:
            continue
        name, content = path.relative_to(folder).as_posix(), path.read_bytes()
        files.append({"SPDXID": identifier("file-" + hashlib.sha1(name.encode()).hexdigest()), "fileName": "./" + name,
                      "checksums": [{"algorithm": "SHA1", "checksumValue": hashlib.sha1(content).hexdigest()},
                                    {"algorithm": "SHA256", "checksumValue": hashlib.sha256(content).hexdigest()}],
                      "licenseConcluded": "NOASSERTION", "copyrightText": "NOASSERTION"})
        links.append((own["SPDXID"], "CONTAINS", files[-1]["SPDXID"]))
    sums = sorted(each["checksums"][0]["checksumValue"] for each in files)
    own["filesAnalyzed"] = True
    own["packageVerificationCode"] = {
        "packageVerificationCodeValue": hashlib.sha1("".join(sums).encode()).hexdigest(),
        "packageVerificationCodeExcludedFiles": ["./" + NAME]}
    epoch = int(os.environ.get("SOURCE_DATE_EPOCH", "0"))
    created = datetime.datetime.fromtimestamp(epoch, datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
    digest = hashlib.sha256(json.dumps([elements, files], sort_keys=True).encode()).hexdigest()
    return {"spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", "SPDXID": "SPDXRef-DOCUMENT",
            "name": f"armilla-{program}", "documentNamespace": f"https://armilla.invalid/spdx/{program}/{digest}",
            "creationInfo": {"created": created, "creators": ["Tool: packaging/wheel/sbom.py"]},
            "packages": elements, "files": files,
            "relationships": [{"spdxElementId": "SPDXRef-DOCUMENT", "relationshipType": "DESCRIBES",
                               "relatedSpdxElement": own["SPDXID"]}] +
                             [{"spdxElementId": first, "relationshipType": kind, "relatedSpdxElement": second}
                              for first, kind, second in links]}


def write(folder):
    """Writes the list into the folder."""
    (folder / NAME).write_text(json.dumps(document(folder), indent=1) + "\n", encoding="utf-8")
