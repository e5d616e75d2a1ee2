# SPDX-License-Identifier: GPL-3.0-or-later
"""healpy's names, signatures, defaults and results on the library's own transforms and pixel functions.

`import armilla.healpy as hp` serves in place of `import healpy as hp` for pixel functions, queries, rotations,
transforms, spectra, beams and FITS files. Bad pixels are UNSEEN, as healpy has them.
"""
from . import _docs, fitsfunc, pixelfunc, rotator, sphtfunc
from ._arrays import UNSEEN
from ._query_disc import boundaries, query_disc, query_polygon, query_strip
from .fitsfunc import read_alm, read_cl, read_map, write_alm, write_cl, write_map
from .pixelfunc import (
    ang2pix, ang2vec, fit_dipole, fit_monopole, get_all_neighbours, get_interp_val, get_interp_weights, get_map_size,
    get_nside, isnpixok, isnsideok, ma, maptype, mask_bad, mask_good, max_pixrad, nest2ring, npix2nside, npix2order,
    nside2npix, nside2order, nside2pixarea, nside2resol, order2npix, order2nside, pix2ang, pix2ring, pix2vec, pix2xyf,
    remove_dipole, remove_monopole, reorder, ring2nest, ringinfo, ud_grade, vec2ang, vec2pix, xyf2pix)
from .rotator import Rotator, dir2vec, rotate_alm, vec2dir
from .sphtfunc import (
    Alm, alm2cl, alm2map, alm2map_der1, alm2map_spin, almxfl, anafast, beam2bl, bl2beam, blm_gauss, check_max_nside,
    gauss_beam, map2alm, map2alm_lsq, map2alm_spin, pixwin, resize_alm, smoothalm, smoothing, synalm, synfast)

__all__ = [name for name in dir() if not name.startswith("_")]
_docs.complete({name: globals()[name] for name in __all__})

_VIEWS = {"mollview": "mollweide", "gnomview": "gnomonic", "cartview": "cartesian", "orthview": "orthographic",
          "azeqview": "lambert", "projview": "mollweide"}


def __getattr__(name):
    """Names the function that draws in place of one of healpy's."""
    if name in _VIEWS:
        raise AttributeError(f"expected a name of armilla.healpy, which draws nothing, found {name}: "
                             f"armilla.figure(m, projection={_VIEWS[name]!r}) returns the picture, armilla.show(m) "
                             "opens the window")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
