#!/bin/sh
# Starts the program of this name from the folder of this file, wherever the folder lies.
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Libraries of OpenGL, X11 and fonts in lib/spare serve only where the system has none, because the drivers of a system
# are made for the system's own.
here=$(dirname "$(readlink -f "$0")")
present=" $(/sbin/ldconfig -p 2>/dev/null | sed -n 's/^[[:space:]]*\([^ ]*\) (libc6,.*/\1/p' | tr '\n' ' ') "
for folder in "$here"/lib/spare/*; do
    case $present in
    *" ${folder##*/} "*) ;;
    *) LD_LIBRARY_PATH=${LD_LIBRARY_PATH:+$LD_LIBRARY_PATH:}$folder ;;
    esac
done
[ -z "${LD_LIBRARY_PATH:-}" ] || export LD_LIBRARY_PATH
export FONTCONFIG_FILE="${FONTCONFIG_FILE:-$here/lib/fonts.conf}"
exec "$here/bin/${0##*/}" "$@"
