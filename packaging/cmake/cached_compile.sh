#!/bin/sh
# cached_compile.sh CCACHE COMPILER ARGUMENT...: compiles through ccache, except for precompiled headers.
# A precompiled header contains the times of its headers: one that ccache returns from another checkout
# makes GCC read headers twice. Therefore precompiled headers are always compiled here. Their bytes
# differ in every build, and ccache would never find a source that uses one. Instead ccache identifies
# the header by the checksum of its text, stored beside it (CCACHE_PCH_EXTSUM).
set -e
ccache=$1
shift
case " $* " in
*.gch\ * | *.pch\ *) ;;
*)
    # Without these settings ccache stores nothing that was compiled with a precompiled header.
    export CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime CCACHE_PCH_EXTSUM=1
    exec "$ccache" "$@"
    ;;
esac
"$@"
# The same command as a preprocessor run: without the options for output, dependencies and compilation.
left=$#
while [ $left -gt 0 ]; do
    argument=$1
    shift
    left=$((left - 1))
    case $argument in
    -o | -MF | -MT | -MQ)
        [ "$argument" != -o ] || header=$1
        shift
        left=$((left - 1))
        ;;
    -MD | -c) ;;
    *) set -- "$@" "$argument" ;;
    esac
done
"$@" -E -o "$header.text"
sha256sum <"$header.text" >"$header.sum"
rm "$header.text"
