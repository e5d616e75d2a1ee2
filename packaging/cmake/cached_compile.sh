#!/bin/sh
# cached_compile.sh CCACHE COMPILER ARGUMENT...: compiles through ccache, but for precompiled headers.
# A precompiled header holds the times of its headers: one that ccache gives back from another checkout
# makes GCC read headers twice. So it is always made here. No two are alike to the byte, though, and
# ccache would then never find a source that uses one: it is known by its text instead, whose sum lies
# beside it (CCACHE_PCH_EXTSUM).
set -e
ccache=$1
shift
case " $* " in
*.gch\ * | *.pch\ *) ;;
*)
    # Without these words ccache keeps nothing that was compiled with a precompiled header.
    export CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime CCACHE_PCH_EXTSUM=1
    exec "$ccache" "$@"
    ;;
esac
"$@"
# The same command for the text: without output, dependencies and "compile".
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
