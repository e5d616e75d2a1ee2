# SPDX-License-Identifier: GPL-3.0-or-later
"""smooth, map2alm, alm2map, anafast and synfast against healpy."""
import gzip
import pathlib

import healpy as hp
import numpy as np

from harness import error, rms, with_nan

# Two correct transforms in double precision differ by at most about lmax epsilon of either, in each of
# the seven transforms of an analysis with three iterations, and twice in spectra: 1e-12 for the lmax
# of 150 and less of the checks.
TRANSFORM = 1e-12
SMOOTH = 1e-6


def sky(nside, lmax, seed, polarized=False):
    rng = np.random.default_rng(seed)
    l = np.arange(lmax + 1)
    cl = 1.0 / (l + 3.0) ** 2.2
    alms = []
    for component in range(3 if polarized else 1):
        size = hp.Alm.getsize(lmax)
        ls, ms = hp.Alm.getlm(lmax)
        alm = (rng.normal(size=size) + 1j * rng.normal(size=size)) * np.sqrt(cl[ls] / 2)
        alm[ms == 0] = alm[ms == 0].real * np.sqrt(2)
        if component > 0:
            alm[ls < 2] = 0
        alms.append(alm)
    maps = hp.alm2map(alms if polarized else alms[0], nside, lmax=lmax, pol=polarized)
    return np.atleast_2d(maps), alms


def read(path, field=0, nest=False):
    return with_nan(hp.read_map(path, field=field, nest=nest, dtype=np.float64))


def write(path, maps, **kwargs):
    hp.write_map(path, maps, overwrite=True, dtype=np.float64, coord="G", **kwargs)


# A field without a bad pixel is analyzed about its mean, which healpy's quadrature spreads over all
# l. Therefore healpy gets the map minus its mean of T, which is added to the monopole afterwards.
def less_mean(maps):
    maps = np.array(maps, dtype=float)
    scalar = maps if maps.ndim == 1 else maps[0]
    mean = scalar.mean()
    scalar -= mean
    return maps, mean


def smoothed(maps, **kwargs):
    maps, mean = less_mean(maps)
    result = hp.smoothing(maps, **kwargs)
    scalar = result if result.ndim == 1 else result[0]
    scalar += mean
    return result


def analyzed(maps, **kwargs):
    maps, mean = less_mean(maps)
    result = np.array(hp.map2alm(maps, **kwargs))
    scalar = result if result.ndim == 1 else result[0]
    scalar[0] += np.sqrt(4 * np.pi) * mean
    return result


def smoothing(c):
    for nside, lmax in ((64, 191), (128, 256)):
        maps, _ = sky(nside, lmax, seed=nside)
        ring, nested = c.path("t_ring.fits"), c.path("t_nest.fits")
        write(ring, maps[0])
        write(nested, hp.reorder(maps[0], r2n=True), nest=True)
        for fwhm in (1.0, 5.0):
            for iterations in (0, 3):
                options = ("--fwhm", f"{fwhm}deg", "--lmax", lmax, "--iterations", iterations,
                           "--weights", "none", "--method", "harmonic", "--precision", "double",
                           "--overwrite")
                truth = smoothed(maps[0], fwhm=np.radians(fwhm), lmax=lmax, iter=iterations,
                                 use_weights=False)
                name = f"smooth nside {nside} lmax {lmax} {fwhm} deg iter {iterations}"
                for path, nest in ((ring, False), (nested, True)):
                    c.do("smooth", path, c.path("s.fits"), *options)
                    ordering = "NESTED" if nest else "RING"
                    c.below(f"{name} {ordering}", error(read(c.path("s.fits")), truth), SMOOTH)
                    c.equal(f"{name} keeps {ordering}",
                            c.do("info", c.path("s.fits"))["ordering"], ordering)
    masked = maps[0].copy()
    rng = np.random.default_rng(5)
    for centre in rng.normal(size=(6, 3)):
        masked[hp.query_disc(nside, centre, np.radians(8))] = hp.UNSEEN
    write(c.path("masked.fits"), masked)
    truth = with_nan(hp.smoothing(hp.ma(masked), fwhm=np.radians(2), iter=3, use_weights=False))
    mask = with_nan(masked)
    truth[~np.isfinite(mask)] = np.nan
    options = ("--fwhm", "2deg", "--iterations", 3, "--weights", "none", "--overwrite")
    c.do("smooth", c.path("masked.fits"), c.path("s.fits"), *options, "--masked", "ignore")
    c.below("smooth masked, ignore", error(read(c.path("s.fits")), truth), SMOOTH)
    weight = hp.smoothing(np.isfinite(mask).astype(float), fwhm=np.radians(2), iter=3,
                          use_weights=False)
    c.do("smooth", c.path("masked.fits"), c.path("s.fits"), *options, "--masked", "normalize")
    c.below("smooth masked, normalize", error(read(c.path("s.fits")), truth / weight), SMOOTH)

    maps, _ = sky(64, 128, seed=9, polarized=True)
    write(c.path("tqu.fits"), maps, column_names=["T", "Q", "U"])
    for iterations in (0, 3):
        truth = smoothed(maps, fwhm=np.radians(3), lmax=150, iter=iterations, use_weights=False,
                         pol=True)
        c.do("smooth", c.path("tqu.fits"), c.path("s.fits"), "--fwhm", "3deg", "--lmax", 150,
             "--iterations", iterations, "--weights", "none", "--polarization", "--overwrite")
        for i, name in enumerate("TQU"):
            c.below(f"smooth polarized iter {iterations} {name}",
                    error(read(c.path("s.fits"), i), truth[i]), SMOOTH)
    beam = hp.gauss_beam(np.radians(3), lmax=191)
    hp.write_cl(c.path("beam.fits"), beam, overwrite=True, dtype=np.float64)
    with open(c.path("beam.txt"), "w") as text:
        text.write("# l B_l\n")
        text.writelines(f"{l} {value!r}\n" for l, value in enumerate(beam.tolist()))
    truth = smoothed(maps[0], beam_window=beam, lmax=191, iter=0, use_weights=False)
    for kind in ("fits", "txt"):
        c.do("smooth", c.path("tqu.fits"), c.path("s.fits"), "--beam", c.path(f"beam.{kind}"),
             "--lmax", 191, "--weights", "none", "--overwrite")
        c.below(f"smooth with a beam of a {kind} file", error(read(c.path("s.fits")), truth), SMOOTH)
    sigma = np.radians(3) / np.sqrt(8 * np.log(2))
    with open(c.path("kernel.txt"), "w") as text:
        text.write("# angle degrees, value\n")
        for angle in np.linspace(0, 9, 4001):
            text.write(f"{angle:.17g} {np.exp(-0.5 * (np.radians(angle) / sigma) ** 2):.17g}\n")
    c.do("smooth", c.path("tqu.fits"), c.path("s.fits"), "--kernel", c.path("kernel.txt"),
         "--lmax", 191, "--weights", "none", "--overwrite")
    # A Gaussian of the angle agrees with that of the sphere to sigma^2: 5e-4 here.
    c.below("smooth with a Gaussian profile", error(read(c.path("s.fits")), truth), 1e-3)


def transforms(c):
    nside, lmax = 64, 150
    maps, alms = sky(nside, lmax, seed=3, polarized=True)
    write(c.path("m.fits"), maps, column_names=["TEMPERATURE", "Q_POLARISATION", "U_POLARISATION"])
    for iterations in (0, 3):
        for weights, use in (("none", False), ("ring", True)):
            c.do("map2alm", c.path("m.fits"), c.path("a.fits"), "--lmax", lmax, "--iterations",
                 iterations, "--weights", weights, "--overwrite")
            truth = analyzed(maps[0], lmax=lmax, iter=iterations, use_weights=use)
            found = hp.read_alm(c.path("a.fits"))
            c.below(f"map2alm iter {iterations} weights {weights}",
                    rms(abs(found - truth)) / rms(abs(truth)), TRANSFORM)
    c.do("map2alm", c.path("m.fits"), c.path("a.fits"), "--lmax", lmax, "--mmax", 40, "--overwrite")
    truth = analyzed(maps[0], lmax=lmax, mmax=40, iter=0)
    c.below("map2alm mmax 40", rms(abs(hp.read_alm(c.path("a.fits")) - truth)) / rms(abs(truth)),
            TRANSFORM)
    c.do("map2alm", c.path("m.fits"), c.path("teb.fits"), "--lmax", lmax, "--iterations", 3,
         "--polarization", "--overwrite")
    truth = analyzed(maps, lmax=lmax, iter=3, pol=True)
    for i, name in enumerate("TEB"):
        found = hp.read_alm(c.path("teb.fits"), hdu=i + 1)
        c.below(f"map2alm polarized {name}", rms(abs(found - truth[i])) / rms(abs(truth[i])),
                TRANSFORM)
    hp.write_alm(c.path("in.fits"), alms, overwrite=True, out_dtype=np.float64)
    hp.write_alm(c.path("in_t.fits"), alms[0], overwrite=True, out_dtype=np.float64)
    c.do("alm2map", c.path("in.fits"), c.path("o.fits"), "--nside", nside, "--overwrite")
    for i, name in enumerate("TQU"):
        c.below(f"alm2map {name}", error(read(c.path("o.fits"), i), maps[i]), TRANSFORM)
    c.do("alm2map", c.path("in.fits"), c.path("o.fits"), "--nside", nside, "--fwhm", "2deg",
         "--overwrite")
    truth = hp.alm2map(alms, nside, lmax=lmax, fwhm=np.radians(2), pol=True)
    for i, name in enumerate("TQU"):
        c.below(f"alm2map with a beam, {name}", error(read(c.path("o.fits"), i), truth[i]),
                TRANSFORM)
    c.do("alm2map", c.path("in_t.fits"), c.path("o.fits"), "--nside", nside, "--derivatives",
         "--overwrite")
    for i, truth in enumerate(hp.alm2map_der1(alms[0], nside, lmax=lmax)):
        c.below(f"alm2map derivative {i}", error(read(c.path("o.fits"), i), truth), TRANSFORM)
    pixel_window(c, nside, lmax, alms[0])
    other, _ = sky(nside, lmax, seed=4, polarized=True)
    write(c.path("m2.fits"), other, column_names=["T", "Q", "U"])
    c.do("anafast", c.path("m.fits"), c.path("cl.fits"), "--lmax", lmax, "--iterations", 3,
         "--polarization", "--overwrite")
    truth = hp.alm2cl(analyzed(maps, lmax=lmax, iter=3, pol=True))  # TT EE BB TE EB TB
    from astropy.io import fits
    table = fits.getdata(c.path("cl.fits"), 1)
    for column, name, index in ((0, "TT", 0), (1, "EE", 1), (2, "BB", 2), (3, "TE", 3),
                                (4, "TB", 5), (5, "EB", 4)):
        c.below(f"anafast {name}", rms(table.field(column).ravel() - truth[index]) /
                rms(truth[index]), TRANSFORM)
    c.do("anafast", c.path("m.fits"), c.path("m2.fits"), c.path("x.fits"), "--lmax", lmax,
         "--overwrite")
    truth = hp.alm2cl(analyzed(maps[0], lmax=lmax, iter=0), analyzed(other[0], lmax=lmax, iter=0))
    found = np.ravel(hp.read_cl(c.path("x.fits")))
    c.below("anafast cross", rms(found - truth) / rms(truth), TRANSFORM)


def means(c):
    """A mean far above the rms of the map, which a plain quadrature spreads over all l."""
    nside, mean = 128, 2.7255
    fluctuations = 1e-4 * sky(nside, 2 * nside, seed=21)[0][0]
    write(c.path("mean.fits"), fluctuations + mean)
    c.do("anafast", c.path("mean.fits"), c.path("mcl.fits"), "--overwrite")
    truth = hp.anafast(fluctuations - fluctuations.mean(), iter=0)
    found = np.ravel(hp.read_cl(c.path("mcl.fits")))
    # The rounding of values of 2.7 is 2e-12 of the fluctuations, as white noise; C_l fall by four
    # decades from there to lmax.
    c.below("anafast of a sky with a large mean, l >= 1",
            np.max(abs(found[1:] - truth[1:]) / np.max(truth[1:])), 1e-9)
    whole = fluctuations.mean() + mean
    c.below("anafast of a sky with a large mean, l = 0",
            abs(found[0] / (4 * np.pi * whole**2) - 1), 1e-12)
    write(c.path("ones.fits"), np.ones(hp.nside2npix(256)))
    for method in ("harmonic", "ring", "direct"):
        c.do("smooth", c.path("ones.fits"), c.path("s.fits"), "--fwhm", "2deg", "--method", method,
             "--overwrite")
        c.below(f"smooth of ones by method {method}", np.max(abs(read(c.path("s.fits")) - 1)), 1e-12)
    # One bad pixel counts as a mask; healpy then fits the same as --remove.
    tilted = fluctuations + mean + 0.00336 * hp.pix2vec(nside, np.arange(len(fluctuations)))[0]
    tilted[1234] = hp.UNSEEN
    write(c.path("bad.fits"), tilted)
    for what, truth in (("monopole", hp.remove_monopole(tilted, fitval=True)),
                        ("dipole", hp.remove_dipole(tilted, fitval=True))):
        c.do("convert", c.path("bad.fits"), c.path("r.fits"), "--remove", what, "--precision",
             "double", "--overwrite")
        good = np.arange(len(tilted)) != 1234
        # remove_dipole fits in double precision, too: some thousand epsilon of the mean.
        c.below(f"convert --remove {what}",
                np.max(abs(read(c.path("r.fits"))[good] - truth[0][good])), 1e-11)


def pixel_window(c, nside, lmax, alm):
    """Needs HEALPix's tables, which healpy otherwise loads from the network."""
    folders = [f for f in map(pathlib.Path, ("/usr/share/healpy/data", "/usr/share/healpix/data"))
               if (f / f"pixel_window_n{nside:04}.fits").exists()]
    if not folders:
        print("skip alm2map with the pixel window: no tables here")
        return
    c.do("alm2map", c.path("in_t.fits"), c.path("o.fits"), "--nside", nside, "--pixel-window",
         "--overwrite")
    window = hp.pixwin(nside, lmax=lmax, datapath=str(folders[0]))
    truth = hp.alm2map(hp.almxfl(alm, window), nside, lmax=lmax)
    c.below("alm2map with the pixel window", error(read(c.path("o.fits")), truth), 1e-6)


def pixel_weights(c):
    """Analysis up to lmax = 1.5 nside reproduces the input of healpy."""
    for nside in (32, 64, 96):
        lmax = 3 * nside // 2
        rng = np.random.default_rng(nside)
        size = hp.Alm.getsize(lmax)
        alm = rng.normal(size=size) + 1j * rng.normal(size=size)
        alm[: lmax + 1] = alm[: lmax + 1].real
        write(c.path("w.fits"), hp.alm2map(alm, nside, lmax=lmax))
        c.do("map2alm", c.path("w.fits"), c.path("wa.fits"), "--lmax", lmax, "--weights", "pixel",
             "--iterations", 0, "--overwrite")
        c.below(f"map2alm pixel weights nside {nside}",
                rms(abs(hp.read_alm(c.path("wa.fits")) - alm)) / rms(abs(alm)), 1e-12)


def packed_files(c):
    """alm of three HDUs and spectra of four columns in gzip files."""
    maps, alms = sky(32, 60, seed=11, polarized=True)
    hp.write_alm(c.path("z.fits"), alms, overwrite=True, out_dtype=np.float64)
    spectra = [1.0 / (np.arange(61) + k) for k in range(2, 6)]
    hp.write_cl(c.path("zcl.fits"), spectra, overwrite=True, dtype=np.float64)
    for name in ("z.fits", "zcl.fits"):
        with open(c.path(name), "rb") as plain, gzip.open(c.path(name + ".gz"), "wb") as packed:
            packed.write(plain.read())
    c.do("alm2map", c.path("z.fits.gz"), c.path("o.fits"), "--nside", 32, "--overwrite")
    for i, name in enumerate("TQU"):
        c.below(f"alm2map of a packed file, {name}", error(read(c.path("o.fits"), i), maps[i]),
                TRANSFORM)
    for name in ("zcl.fits", "zcl.fits.gz"):
        c.do("synfast", c.path(name), c.path(name.replace("zcl", "zmap")), "--nside", 32, "--seed", 3,
             "--overwrite")
    for i, name in enumerate("TQU"):
        c.equal(f"synfast of a packed file, {name}", read(c.path("zmap.fits.gz"), i),
                read(c.path("zmap.fits"), i))


def random_skies(c):
    nside, lmax = 64, 128
    l = np.arange(lmax + 1)
    cl = 1.0 / (l + 2.0) ** 2
    # Four columns in the order of healpy and HEALPix: TT EE BB TE.
    spectra = [cl, 0.1 * cl * (l >= 2), 0.05 * cl * (l >= 2), 0.2 * cl * (l >= 2)]
    hp.write_cl(c.path("theory.fits"), spectra, overwrite=True, dtype=np.float64)
    sums, count = np.zeros((4, lmax + 1)), 20
    for seed in range(count):
        c.do("synfast", c.path("theory.fits"), c.path("sky.fits"), "--nside", nside, "--seed", seed,
             "--overwrite")
        maps = [read(c.path("sky.fits"), i) for i in range(3)]
        sums += hp.anafast(maps, lmax=lmax, iter=3)[:4]
    for i, name in enumerate(("TT", "EE", "BB", "TE")):
        auto = (spectra[0], spectra[1]) if name == "TE" else (spectra[i], spectra[i])
        variance = (auto[0] * auto[1] + spectra[i] ** 2) / ((2 * l + 1) * count)
        use = l >= 2
        chi2 = np.mean((sums[i][use] / count - spectra[i][use]) ** 2 / variance[use])
        # chi^2 per degree of freedom of 127 multipoles: 5 sigma is 5 sqrt(2/127) = 0.63.
        c.below(f"synfast {name}: |chi2/dof - 1|", abs(chi2 - 1), 0.63)
    c.do("synfast", c.path("theory.fits"), c.path("sky2.fits"), "--nside", nside, "--seed", count - 1)
    c.equal("synfast of the same seed", read(c.path("sky2.fits")), maps[0])
