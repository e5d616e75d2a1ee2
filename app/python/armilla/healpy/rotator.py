# SPDX-License-Identifier: GPL-3.0-or-later
"""Rotations with the names, arguments and results of healpy.rotator.

Equatorial coordinates are FK5 J2000 here, as healpy has them: 32 mas from the ICRS of the rest of the program.
"""
import numpy as np

from .. import _core, _settings
from ._alm import Alm, mmax_of
from ._arrays import UNSEEN, ma, ma_to_array, maptype
from .pixelfunc import get_interp_val, get_nside, lonlat2thetaphi, pix2vec, thetaphi2lonlat, vec2ang

__all__ = ["Rotator", "angdist", "check_coord", "coordsys2euler_zyz", "dir2vec", "euler", "euler_matrix_new",
           "get_coordconv_matrix", "get_rotation_matrix", "normalise_coord", "normalise_rot", "normalize_vec",
           "rotateDirection", "rotateVector", "rotate_alm", "vec2dir"]

_COORDINATES = {"G": "Galactic", "E": "Ecliptic", "C": "Equatorial"}
_LETTERS = {"G": "G", "E": "E", "C": "C", "Q": "C", "GAL": "G", "GALACTIC": "G", "ECL": "E", "ECLIPTIC": "E",
            "EQ": "C", "EQUATORIAL": "C", "CELESTIAL": "C", "ICRS": "C", "Q2000": "C"}
# Angles of the IDL astronomy library's EULER for J2000 and B1950: psi, sin and cos of the tilt, phi, in radians.
_J2000 = ((0.57477043300, 4.9368292465, 0.0, 0.0, 0.11142137093, 4.71279419371),
          (0.88998808748, -0.88998808748, 0.39777715593, -0.39777715593, 0.86766622025, -0.86766622025),
          (0.45598377618, 0.45598377618, 0.91748206207, 0.91748206207, 0.49714719172, 0.49714719172),
          (4.9368292465, 0.57477043300, 0.0, 0.0, 4.71279419371, 0.11142137093))
_B1950 = ((0.57595865315, 4.9261918136, 0.0, 0.0, 0.11129056012, 4.7005372834),
          (0.88781538514, -0.88781538514, 0.39788119938, -0.39788119938, 0.86766174755, -0.86766174755),
          (0.46019978478, 0.46019978478, 0.91743694670, 0.91743694670, 0.49715499774, 0.49715499774),
          (4.9261918136, 0.57595865315, 0.0, 0.0, 4.7005372834, 0.11129056012))
# From ecliptic coordinates of J2000 to FK5 and Galactic ones: Rotator(coord=["E", "C"]).mat and
# Rotator(coord=["E", "G"]).mat of healpy 1.20.1, so that rotations agree to rounding.
_FROM_ECLIPTIC = {
    "E": np.identity(3),
    "C": np.array([[0.9999999999999906, -8.651314600163712e-08, -9.838583464995654e-08],
                   [4.02386553932528e-08, 0.9174821682916503, -0.3977769109272801],
                   [1.2468018087495808e-07, 0.3977769109272727, 0.9174821682916464]]),
    "G": np.array([[-0.054875634866282955, -0.9938213523891724, -0.09647685853808491],
                   [0.49410952885789594, -0.11099097203832753, 0.8622857865103742],
                   [-0.8676660868040468, -0.00035165514701401834, 0.49714730025296094]])}


def euler(ai, bi, select, FK4=0):
    """Longitude and latitude in degrees in another system, by `select`: 1 C to G, 2 G to C, 3 C to E, 4 E to C,
    5 E to G, 6 G to E; FK4 for B1950."""
    psi, sin, cos, phi = (row[select - 1] for row in (_B1950 if FK4 else _J2000))
    a = np.radians(ai) - phi
    b = np.radians(bi)
    sin_b, cos_b = np.sin(b), np.cos(b)
    across = cos_b * np.sin(a)
    up = np.clip(-sin * across + cos * sin_b, -1.0, 1.0)
    bo = np.degrees(np.arcsin(up))
    ao = np.degrees(np.arctan2(cos * across + sin * sin_b, cos_b * np.cos(a)) + psi)
    return np.mod(ao + 720.0, 360.0), bo


def check_coord(c):
    """G, E or C of a name of a coordinate system; None for None. Raises ValueError for another name."""
    if c is None:
        return None
    letter = _LETTERS.get(str(c).strip().upper()) if isinstance(c, str) else None
    if letter is None:
        raise ValueError(f"Wrong coordinate (either G[alactic], E[cliptic], C[elestial] or Q), found {c}")
    return letter


def normalise_coord(coord):
    """A pair of letters of a coordinate system or of a pair of them."""
    if coord is None:
        return (None, None)
    if isinstance(coord, str):
        coord = (coord,) if check_coord_or_none(coord) else tuple(coord)
    if len(coord) == 1:
        coord = (coord[0], coord[0])
    if len(coord) != 2:
        raise ValueError("expected a coordinate system or a pair of them")
    return tuple(check_coord(each) for each in coord)


def check_coord_or_none(word):
    """The letter of a name of a coordinate system; None for another word."""
    return _LETTERS.get(word.strip().upper())


def normalise_rot(rot, deg=False):
    """Three angles in radians of one, two or three; zeros for None."""
    if rot is None:
        rot = np.zeros(3)
    rot = np.array(rot, dtype=np.float64).flatten()
    rot = np.concatenate([rot, np.zeros(max(0, 3 - rot.size))])[:3]
    return np.radians(rot) if deg else rot


def _turn(axis, angle):
    """The matrix that turns directions by `angle` about an axis: 0, 1, 2 for x, y, z."""
    cos, sin = np.cos(angle), np.sin(angle)
    i, j = (axis + 1) % 3, (axis + 2) % 3
    matrix = np.identity(3)
    matrix[i, i] = matrix[j, j] = cos
    matrix[i, j], matrix[j, i] = -sin, sin
    return matrix


def euler_matrix_new(a1, a2, a3, X=True, Y=False, ZYX=False, deg=False):
    """The matrix of turns of the axes by a1 about z, a2 about x (Y: y), a3 about z; ZYX: z, y, x."""
    if deg:
        a1, a2, a3 = np.radians([a1, a2, a3])
    if ZYX:
        axes = (2, 1, 0)
    elif Y:
        axes = (2, 1, 2)
    elif X:
        axes = (2, 0, 2)
    else:
        raise ValueError("expected one of X, Y and ZYX")
    first, second, third = (_turn(axis, angle) for axis, angle in zip(axes, (a1, a2, a3)))
    return third.T @ second.T @ first.T


def get_rotation_matrix(rot, deg=False, eulertype="ZYX"):
    """The matrix of three angles, whether it turns anything, and the angles in radians."""
    rot = normalise_rot(rot, deg=deg)
    do_rot = not np.allclose(rot, np.zeros(3), rtol=0.0, atol=1.0e-15)
    kind = eulertype.lower()
    if kind == "x":
        matrix = euler_matrix_new(rot[0], -rot[1], rot[2], X=True)
    elif kind == "y":
        matrix = euler_matrix_new(rot[0], -rot[1], rot[2], X=False, Y=True)
    else:
        matrix = euler_matrix_new(rot[0], -rot[1], rot[2], X=False, ZYX=True)
    return matrix, do_rot, rot


def get_coordconv_matrix(coord):
    """The matrix between a pair of coordinate systems, whether it turns anything, and the pair."""
    pair = normalise_coord(coord)
    if pair[0] is None or pair[1] is None or pair[0] == pair[1]:
        return np.identity(3), False, pair
    return _FROM_ECLIPTIC[pair[1]] @ np.linalg.inv(_FROM_ECLIPTIC[pair[0]]), True, pair


def coordsys2euler_zyz(coord):
    """The angles psi, theta, phi of `rotate_alm` for a pair of coordinate systems."""
    matrix = get_coordconv_matrix(coord)[0]
    theta = np.arccos(np.clip(matrix[2, 2], -1.0, 1.0))
    return np.arctan2(matrix[2, 1], -matrix[2, 0]), theta, np.arctan2(matrix[1, 2], matrix[0, 2])


# Directions.

def dir2vec(theta, phi=None, lonlat=False):
    """Unit vectors of directions: shape (3,) or (3, n)."""
    if phi is None:
        theta, phi = theta
    if lonlat:
        theta, phi = lonlat2thetaphi(theta, phi)
    theta, phi = np.asarray(theta), np.asarray(phi)
    sin = np.sin(theta)
    return np.array([sin * np.cos(phi), sin * np.sin(phi), np.cos(theta)], np.float64)


def vec2dir(vec, vy=None, vz=None, lonlat=False):
    """Colatitude and longitude of vectors: an array of two rows."""
    x, y, z = vec if vy is None else (vec, vy, vz)
    r = np.sqrt(np.square(x) + np.square(y) + np.square(z))
    theta, phi = np.arccos(z / r), np.arctan2(y, x)
    return np.asarray(thetaphi2lonlat(theta, phi) if lonlat else [theta, phi])


def normalize_vec(vec):
    """Vectors of length 1."""
    vec = np.array(vec, dtype=np.float64)
    return vec / np.sqrt(np.sum(vec**2, axis=0))


def angdist(dir1, dir2, lonlat=False):
    """Angles between directions (theta, phi) or vectors (x, y, z), radians."""
    first, second = (np.asarray(each, dtype=np.float64) for each in (dir1, dir2))
    first = dir2vec(first, lonlat=lonlat) if first.shape[0] == 2 else normalize_vec(first)
    second = dir2vec(second, lonlat=lonlat) if second.shape[0] == 2 else normalize_vec(second)
    first, second = np.broadcast_arrays(first.reshape(3, -1), second.reshape(3, -1))
    cross = np.linalg.norm(np.cross(first, second, axis=0), axis=0)
    return np.arctan2(cross, np.sum(first * second, axis=0))


def rotateVector(rotmat, vec, vy=None, vz=None, do_rot=True):
    """Vectors times a matrix."""
    vec = np.asarray(vec if vy is None else [vec, vy, vz], dtype=np.float64)
    return np.tensordot(rotmat, vec, axes=(1, 0)) if do_rot else vec


def rotateDirection(rotmat, theta, phi=None, do_rot=True, lonlat=False):
    """Directions turned by a matrix: an array of two rows."""
    return vec2dir(rotateVector(rotmat, dir2vec(theta, phi=phi, lonlat=lonlat), do_rot=do_rot), lonlat=lonlat)


# Coefficients.

def rotate_alm(alm, psi=0.0, theta=0.0, phi=0.0, matrix=None, lmax=None, mmax=None):
    """Coefficients turned in place: by psi about z, theta about y, phi about z, or by a matrix."""
    arrays = [alm] if isinstance(alm, np.ndarray) and alm.ndim == 1 else list(alm)
    for each in arrays:
        if not isinstance(each, np.ndarray) or each.dtype != np.complex128:
            raise ValueError(f"expected arrays of complex128, found {getattr(each, 'dtype', type(each))}")
    lmax = Alm.getlmax(arrays[0].size, mmax) if lmax is None or lmax < 0 else lmax
    if lmax < 0 or mmax_of(lmax, mmax) != lmax:
        raise ValueError("expected coefficients with mmax = lmax")
    if matrix is None:
        matrix = _turn(2, phi) @ _turn(1, theta) @ _turn(2, psi)
    buffers = [np.ascontiguousarray(each) for each in arrays]
    _core.rotate_alm(buffers, lmax, tuple(np.asarray(matrix, dtype=np.float64).ravel()),
                     _settings.checked_device(None), _settings.checked_threads(None))
    for each, buffer in zip(arrays, buffers):
        if each is not buffer and not np.shares_memory(each, buffer):
            each[:] = buffer


class Rotator:
    """A rotation, or a product of rotations, of directions, maps and coefficients.

    rot : angles (lon, lat, psi) or a sequence of them; coord : a pair of coordinate systems or a sequence of
    them; inv : whether each is inverted; deg : angles are in degrees; eulertype : X, Y or ZYX.
    """

    def __init__(self, rot=None, coord=None, inv=None, deg=True, eulertype="ZYX"):
        several = hasattr(rot, "__len__") and len(rot) > 0 and (rot[0] is None or hasattr(rot[0], "__len__"))
        several = several or (hasattr(coord, "__len__") and not isinstance(coord, str) and len(coord) > 0 and
                              (coord[0] is None or (hasattr(coord[0], "__len__") and not isinstance(coord[0], str))))
        if isinstance(coord, str) and several:
            raise ValueError("expected sequences of rotations and coordinates of one length")
        rots, coords, invs = (rot, coord, inv) if several else ([rot], [coord], [bool(inv)])
        count = max(len(each) for each in (rots, coords, invs) if each is not None)
        rots = [None] * count if rots is None else rots
        coords = [None] * count if coords is None else coords
        invs = [False] * count if invs is None else invs
        if not len(rots) == len(coords) == len(invs):
            raise ValueError("expected sequences of rotations, coordinates and inversions of one length")
        self._eulertype = eulertype
        self._rots = [normalise_rot(each, deg=deg) for each in rots]
        self._coords = [normalise_coord(each) for each in coords]
        self._invs = [bool(each) for each in invs]
        self._update_matrix()

    def _update_matrix(self):
        self._matrix = np.identity(3)
        self._do_rotation = False
        for rot, coord, inv in zip(self._rots, self._coords, self._invs):
            turn, does, _ = get_rotation_matrix(rot, eulertype=self._eulertype)
            convert, converts, _ = get_coordconv_matrix(coord)
            step = turn @ convert
            self._matrix = self._matrix @ (step.T if inv else step)
            self._do_rotation = self._do_rotation or does or converts

    def _is_coords_consistent(self):
        for (own, _), (_, nxt) in zip(self._ordered_coords(), self._ordered_coords()[1:]):
            if own is not None and nxt is not None and own != nxt:
                return False
        return True

    def _ordered_coords(self):
        return [coord[::-1] if inv else coord for coord, inv in zip(self._coords, self._invs)]

    consistent = property(_is_coords_consistent, None, None, "whether the coordinate systems follow each other")
    mat = property(lambda self: self._matrix, None, None, "the matrix")
    do_rot = property(lambda self: self._do_rotation, None, None, "whether anything is turned")
    rots = property(lambda self: self._rots, None, None, "the angles in radians")
    coords = property(lambda self: self._coords, None, None, "the pairs of coordinate systems")
    coordin = property(lambda self: self._ordered_coords()[-1][0] if self.consistent else None, None, None, "system of the input")
    coordout = property(lambda self: self._ordered_coords()[0][1] if self.consistent else None, None, None, "system of the output")
    coordinstr = property(lambda self: _COORDINATES.get(self.coordin, ""), None, None, "name of the input's system")
    coordoutstr = property(lambda self: _COORDINATES.get(self.coordout, ""), None, None, "name of the output's system")

    def __eq__(self, other):
        return isinstance(other, Rotator) and np.allclose(self._matrix, other._matrix, rtol=0, atol=1e-13) and \
            self.coordin == other.coordin and self.coordout == other.coordout

    __hash__ = None

    def __mul__(self, other):
        if not isinstance(other, Rotator):
            raise TypeError("A Rotator can only multiply another Rotator (composition of rotations)")
        product = Rotator.__new__(Rotator)
        product._eulertype = self._eulertype
        for name in ("_rots", "_coords", "_invs"):
            setattr(product, name, getattr(self, name) + getattr(other, name))
        product._matrix = self._matrix @ other._matrix
        product._do_rotation = self._do_rotation or other._do_rotation
        return product

    def get_inverse(self):
        """The inverse rotation."""
        inverse = Rotator.__new__(Rotator)
        inverse._eulertype = self._eulertype
        inverse._rots, inverse._coords = self._rots[::-1], self._coords[::-1]
        inverse._invs = [not each for each in self._invs[::-1]]
        inverse._matrix, inverse._do_rotation = self._matrix.T, self._do_rotation
        return inverse

    def I(self, *args, **kwds):
        """The inverse rotation of directions or vectors."""
        kwds["inv"] = not kwds.get("inv", False)
        return self(*args, **kwds)

    def __call__(self, *args, **kwds):
        """Directions (theta, phi) or vectors (x, y, z), as one argument or as two or three, turned.

        inv : by the inverse; lonlat : directions are longitude and latitude in degrees.
        """
        matrix = self._matrix.T if kwds.pop("inv", False) else self._matrix
        lonlat = kwds.pop("lonlat", False)
        if kwds:
            raise TypeError(f"expected the keywords inv and lonlat, found {', '.join(kwds)}")
        parts = args[0] if len(args) == 1 else args
        if not hasattr(parts, "__len__") or len(parts) not in (2, 3):
            raise TypeError("Wrong argument: expected a direction (two rows) or a vector (three rows)")
        if len(parts) == 2:
            return rotateDirection(matrix, parts[0], parts[1], lonlat=lonlat)
        return rotateVector(matrix, parts[0], parts[1], parts[2])

    def angle_ref(self, *args, **kwds):
        """The angle that is added to polarization angles at directions when the frame turns."""
        inv = kwds.pop("inv", False)
        lonlat = kwds.pop("lonlat", False)
        matrix = self._matrix.T if inv else self._matrix
        parts = args[0] if len(args) == 1 else args
        vec = dir2vec(parts[0], parts[1], lonlat=lonlat) if len(parts) == 2 else \
            normalize_vec(np.asarray(parts, dtype=np.float64))
        turned = np.tensordot(matrix, vec, axes=(1, 0))
        pole = matrix @ np.array([0.0, 0.0, 1.0])
        sin = pole[0] * turned[1] - pole[1] * turned[0]
        cos = pole[2] - turned[2] * np.tensordot(pole, turned, axes=(0, 0))
        return np.arctan2(sin, cos)

    def rotate_alm(self, alm, lmax=None, mmax=None, inplace=False):
        """Coefficients in the turned frame."""
        turned = alm if inplace else np.array(alm, dtype=np.complex128)
        rotate_alm(turned, matrix=self._matrix, lmax=lmax, mmax=mmax)
        return None if inplace else turned

    def rotate_map_alms(self, m, use_pixel_weights=True, lmax=None, mmax=None, datapath=None, verbose=None):
        """A map, or T, Q, U, in the turned frame, through its coefficients."""
        from .sphtfunc import alm2map, map2alm
        alm = map2alm(m, use_pixel_weights=use_pixel_weights, lmax=lmax, mmax=mmax)
        rotate_alm(alm, matrix=self._matrix, lmax=lmax, mmax=mmax)
        return alm2map(alm, lmax=lmax, mmax=mmax, nside=get_nside(ma_to_array(m)))

    def rotate_map_pixel(self, m):
        """A map, Q and U, or T, Q and U, in the turned frame, interpolated between pixels."""
        masked = isinstance(m, np.ma.MaskedArray)
        maps = ma_to_array(m)
        kind = maptype(maps)
        if kind not in (0, 1, 2, 3):
            raise ValueError("map must be 1 map, 2 (Q, U) or 3 (T, Q, U)")
        nside = get_nside(maps)
        vec = np.array(pix2vec(nside, np.arange(12 * nside**2)))
        back = self._matrix.T @ vec
        theta, phi = vec2ang(back.T)
        fields = [np.asarray(maps)] if kind == 0 else [np.asarray(each) for each in maps]
        turned = [get_interp_val(each, theta, phi) for each in fields]
        if kind in (2, 3):
            angle = self.angle_ref(back)
            polarized = (turned[-2] + 1j * turned[-1]) * np.exp(2j * angle)
            turned[-2:] = [polarized.real, polarized.imag]
        for each in turned:
            each[each < 0.1 * UNSEEN] = UNSEEN
        result = turned[0] if kind == 0 else np.array(turned)
        return ma(result) if masked else result


