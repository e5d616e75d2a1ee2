#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# reproducible.sh BUILD FOLDER: packs the Debian packages of a build folder twice, and compiles parts of this commit in
# two folders of different names, under the scratch folder FOLDER. Fails if any byte differs.
#
# Sources of CUDA are not compiled in two folders: nvcc names the kernels of a source by a hash of its path. Packages
# with CUDA are equal if both builds use the same folder.
set -euo pipefail
build=$(readlink -f "$1")
mkdir -p "$2"
folder=$(readlink -f "$2")
source=$(git rev-parse --show-toplevel)
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct)
export SOURCE_DATE_EPOCH
# Objects of a cache would be equal in any case.
export CCACHE_DISABLE=1

parts=(
    bin/armilla-codecs.so bin/armilla-simd.so bin/armilla-tiles.so
    CMakeFiles/armilla_library.dir/packaging/library/version.cpp.o
    compute/core/CMakeFiles/armilla_core.dir/src/curve.cpp.o
    compute/core/CMakeFiles/armilla_core.dir/src/expression.cpp.o
    debian/changelog.gz
)

same() {  # two folders, files
    local file
    for file in "${@:3}"; do
        cmp "$1/$file" "$2/$file"
        printf 'same %s\n' "$file"
    done
}

for pass in first second; do
    rm -rf "${folder:?}/$pass"
    (cd "$build" && cpack -G DEB -B "$folder/$pass" >"$folder/$pass.log" 2>&1) || { cat "$folder/$pass.log" >&2; exit 1; }
done
mapfile -t packages < <(cd "$folder/first" && echo *.deb | tr ' ' '\n')
same "$folder/first" "$folder/second" "${packages[@]}"

for checkout in a a-longer-name/b; do
    rm -rf "${folder:?}/$checkout"
    git clone -q "$source" "$folder/$checkout"
    (cd "$folder/$checkout" && cmake --preset package -DARMILLA_CUDA=OFF -DARMILLA_PYTHON=OFF >/dev/null &&
        cmake --build --preset package --target "${parts[@]}" >/dev/null)
done
same "$folder/a/build/package" "$folder/a-longer-name/b/build/package" "${parts[@]}"
echo "reproducible.sh: all packages and parts have equal bytes"
