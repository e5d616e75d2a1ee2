#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# try.sh FOLDER: as root in a clean Debian, installs the packages of a folder, uses them as a new user, validates the
# installed files and removes the packages again. FOLDER/source is a checkout, which has the examples of the manual.
# `./dev try-package` runs this in a chroot; it ends at the first failure.
set -euo pipefail
folder=$1
export DEBIAN_FRONTEND=noninteractive

fail() { printf 'try.sh: %s\n' "$*" >&2; exit 1; }
step() { printf 'try.sh: %s\n' "$*"; }
install() { apt-get install -y -qq --no-install-recommends "$@" >/dev/null; }

# Packages of an earlier, failed run would hide missing dependencies.
apt-get purge -y -qq --autoremove '*armilla*' >/dev/null 2>&1 || true
apt-get autoremove -y -qq --purge >/dev/null
apt-get update -qq
id visitor >/dev/null 2>&1 || useradd --create-home visitor
home=$(getent passwd visitor | cut -d : -f 6)
rm -rf "${home:?}/try" "$home/consumer"

step "installing $(cd "$folder" && echo *.deb)"
install "$folder"/*.deb
mapfile -t packages < <(for file in "$folder"/*.deb; do dpkg-deb -f "$file" Package; done)

step "the programs, the module and the manual, as a new user"
su - visitor -c "bash $folder/source/packaging/debian/use.sh $folder/source"

step "a program with find_package(Armilla)"
install cmake g++ make
su - visitor -c "cp -r $folder/source/tests/library/consumer ."
su - visitor -c 'cmake -S consumer -B consumer/build >/dev/null && cmake --build consumer/build >/dev/null &&
    consumer/build/consumer && consumer/build/headers'

step "the manual pages, the desktop file, the metadata, the completions"
install man-db desktop-file-utils appstream shared-mime-info
for page in armilla armilla-gui; do
    warnings=$(man --warnings -E UTF-8 -l -Tutf8 -Z "/usr/share/man/man1/$page.1.gz" 2>&1 >/dev/null)
    [ -z "$warnings" ] || fail "$page.1: $warnings"
done
desktop-file-validate /usr/share/applications/io.github.armilla.Armilla.desktop
# The project has no home page; versions before 1.0 do not know the override.
appstreamcli validate --no-net --override=url-homepage-missing=info /usr/share/metainfo/io.github.armilla.Armilla.metainfo.xml >/dev/null 2>&1 ||
    appstreamcli validate --no-net /usr/share/metainfo/io.github.armilla.Armilla.metainfo.xml
update-mime-database /usr/share/mime
bash -c 'source /usr/share/bash-completion/completions/armilla && complete -p armilla'

step "removing ${packages[*]}"
mapfile -t files < <(dpkg -L "${packages[@]}" | sort -u)
apt-get purge -y -qq "${packages[@]}" >/dev/null
for file in "${files[@]}"; do
    # Folders may belong to other packages as well.
    if [ -e "$file" ] && [ ! -d "$file" ]; then fail "expected no $file after the removal, found one"; fi
done
left=$(find /usr /etc /var -iname '*armilla*' -not -path '*/dpkg/*' -not -path '/var/cache/*' | head)
[ -z "$left" ] || fail "left behind: $left"
step "all packages were installed, used, validated and removed"
