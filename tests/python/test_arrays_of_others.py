# SPDX-License-Identifier: GPL-3.0-or-later
"""Arrays and tables as numpy, astropy and pandas make them."""
import astropy.coordinates
import astropy.table
import astropy.time
import astropy.units as u
import numpy as np
import pytest
from astropy.io import fits
from astropy.utils.masked import Masked

import armilla

NSIDE = 16
PIXELS = 12 * NSIDE**2


@pytest.fixture
def values():
    return np.random.default_rng(3).standard_normal(PIXELS)


@pytest.mark.parametrize("kind, result", [(">f4", np.float32), ("<f4", np.float32), (">f8", np.float64),
                                          (np.float16, np.float64), (np.longdouble, np.float64), (">i2", np.float64),
                                          (np.uint8, np.float64), (bool, np.float64)])
def test_types_of_results(values, kind, result):
    given = (50 + 20 * values).astype(kind)
    found = armilla.smooth(given, fwhm="10deg")
    assert found.dtype == np.dtype(result) and found.dtype.isnative
    np.testing.assert_array_equal(found, armilla.smooth(given.astype(result), fwhm="10deg"))


def test_a_missing_input_is_named():
    for wrong in (None, []):
        with pytest.raises(armilla.InvalidArgument, match="map: expected"):
            armilla.smooth(wrong, fwhm="10deg")
    with pytest.raises(armilla.InvalidArgument, match="random: expected"):
        armilla.correlate({"RA": [1.0], "DEC": [2.0]}, random=[], bins="1deg,2deg,3")


def test_units_of_quantities(values):
    assert armilla.Map(values * u.uK).units == {"SIGNAL": "uK"}
    assert list(armilla.Map([values * u.K, values * u.mK]).units.values()) == ["K", "mK"]
    assert list(armilla.Map(np.stack([values, values]) * u.K).units.values()) == ["K", "K"]
    assert armilla.Map({"A": values * u.K, "B": values}).units == {"A": "K", "B": ""}
    assert armilla.anafast(values * u.uK, lmax=8).units == {"TT": "(uK)^2"}


def test_maps_of_tables(values, tmp_path):
    table = astropy.table.Table({"I": values, "N": np.arange(PIXELS)})
    table["I"].unit = "K"
    made = armilla.Map(table)
    assert made.units == {"I": "K", "N": ""}
    np.testing.assert_array_equal(made["I"], values)
    smoothed = armilla.smooth(table, fwhm="10deg")
    np.testing.assert_array_equal(smoothed["I"], armilla.smooth(values, fwhm="10deg"))
    # A row of a HEALPix file holds 1024 pixels in the other byte order.
    armilla.write(armilla.Map(values, frame="galactic"), tmp_path / "m.fits")
    record = fits.getdata(tmp_path / "m.fits", 1)
    np.testing.assert_array_equal(armilla.Map(record).values, values)


def test_maps_of_pandas(values):
    pandas = pytest.importorskip("pandas")
    np.testing.assert_array_equal(armilla.Map(pandas.Series(values)).values, values)
    made = armilla.Map(pandas.DataFrame({"I": values, "Q": 2 * values}))
    assert list(made.fields) == ["I", "Q"]
    np.testing.assert_array_equal(made["Q"], 2 * values)


def test_tables_give_maps_not_bare_arrays():
    points = {"GLON": np.array([10.0, 200.0]), "GLAT": np.array([20.0, -30.0]), "T": np.array([7.0, 7.0])}
    record = np.rec.fromarrays(points.values(), names=list(points))
    for given in (points, record, astropy.table.Table(points)):
        made = armilla.grid(given, nside=4, kernel_fwhm="30deg", value="T")
        assert isinstance(made, armilla.Map) and made.frame == "galactic"
        assert np.nanmean(made.values) == pytest.approx(7)


def test_images_of_headers(values):
    header = fits.Header({"CTYPE1": "RA---TAN", "CTYPE2": "DEC--TAN", "CRVAL1": 10.0, "CRVAL2": 20.0,
                                     "CRPIX1": 5.0, "CRPIX2": 5.0, "CDELT1": -0.1, "CDELT2": 0.1})
    data = values[:100].reshape(10, 10)
    for given in (fits.PrimaryHDU(data, header), fits.ImageHDU(data, header)):
        assert armilla.stats(given)["SUM"][0] == pytest.approx(data.sum())


def test_columns_of_positions():
    places = astropy.coordinates.SkyCoord([10.0, 20.0] * u.deg, [30.0, 40.0] * u.deg, frame="galactic")
    catalog = armilla.Catalog(astropy.table.QTable({"at": places, "FLUX": [1.0, 2.0] * u.Jy}))
    assert catalog.columns == ["RA", "DEC", "FLUX"] and catalog.units["FLUX"] == "Jy"
    np.testing.assert_allclose(catalog["RA"], places.icrs.ra.deg, rtol=1e-15)
    np.testing.assert_allclose(catalog["DEC"], places.icrs.dec.deg, rtol=1e-15)
    assert catalog.frame == "equatorial" and catalog.position_columns == ("RA", "DEC")
    assert armilla.Catalog({"X": [1.0]}).frame is None and armilla.Catalog({"X": [1.0]}).position_columns is None
    with pytest.raises(armilla.InvalidArgument, match="at: expected one column"):
        armilla.Catalog(astropy.table.Table({"RA": [1.0, 2.0], "at": places}))


def test_columns_of_other_types(tmp_path):
    given = {"RA": [1.0, 2.0], "DEC": [3.0, 4.0], "DATE": np.array(["2020-01-02", "2021-03-04"], "datetime64[D]"),
             "NAME": np.ma.MaskedArray(["a", "b"], [False, True])}
    armilla.write(armilla.Catalog(given), tmp_path / "c.fits")
    again = armilla.read(tmp_path / "c.fits")
    assert list(again["DATE"]) == ["2020-01-02", "2021-03-04"]
    assert list(again["NAME"]) == ["a", ""]
    with pytest.raises(armilla.InvalidArgument, match="Z: expected a column of numbers or text, found one of complex"):
        armilla.count({**given, "Z": np.array([1j, 2j])}, nside=4)
    with pytest.raises(armilla.InvalidArgument, match="DEC: expected 2 values .* found 3"):
        armilla.count({"RA": [1.0, 2.0], "DEC": [3.0, 4.0, 5.0]}, nside=4)


def test_texts_that_are_lists():
    random = np.random.default_rng(4)
    points = {"GLON": random.uniform(0, 40, 300), "GLAT": random.uniform(0, 40, 300), "A": np.ones(300),
              "B": np.ones(300)}
    assert list(armilla.grid(points, nside=8, kernel_fwhm="10deg", value=["A", "B"]).fields) == ["A", "B"]
    expected = armilla.correlate(points, random=points, bins="0.01rad,0.2rad,5")
    for bins in ((0.01, 0.2, 5), (np.float64(0.01), 0.2 * u.rad, np.int64(5))):
        np.testing.assert_array_equal(armilla.correlate(points, random=[points], bins=bins)["DD"], expected["DD"])
    for edges in ([0.01, 0.02, 0.04, 0.08], np.array([0.01, 0.02, 0.04, 0.08]), [0.01, 0.02, 0.04, 0.08] * u.rad):
        with pytest.raises(armilla.InvalidArgument, match="expected bins MIN,MAX,N .* found '0.01rad,0.02rad"):
            armilla.correlate(points, random=points, bins=edges)


def test_healpy_keeps_the_type_of_maps():
    import armilla.healpy as hp
    given = np.random.default_rng(5).integers(-1000, 1000, PIXELS)
    found = hp.ud_grade(given, NSIDE // 2, order_in="NEST")
    assert found.dtype == given.dtype
    np.testing.assert_array_equal(found, np.trunc(given.reshape(-1, 4).sum(axis=1) / 4))


def test_healpy_takes_masked_maps_and_single_precision():
    import armilla.healpy as hp
    masked = np.ma.MaskedArray(np.ones(PIXELS), np.arange(PIXELS) % 7 == 0)
    assert hp.maptype(masked) == 0 and hp.get_nside(masked) == NSIDE
    # The ratio of nsides is 1/2, and 3 / 4 is cut to 0.
    found = hp.ud_grade(np.full(PIXELS, 3), NSIDE // 2, power=2)
    assert found.dtype == np.int64 and set(found) == {0}
    given = np.ones(PIXELS)
    assert hp.ud_grade(given.astype(">f4"), NSIDE // 2).dtype == np.float32
    assert hp.ud_grade(given > 0, NSIDE // 2).dtype == bool
    assert hp.fit_dipole(given.astype(np.float16))[0] == pytest.approx(1)
    alm = np.ones(hp.Alm.getsize(8), dtype=np.complex64)
    assert hp.almxfl(alm, np.ones(9)).dtype == hp.smoothalm(alm, fwhm=0.1, inplace=False).dtype == np.complex128
    assert hp.alm2map_der1(alm, NSIDE).shape == (3, PIXELS)
    assert type(hp.ang2pix(NSIDE, 0.1, 0.2)) is np.int64
    assert hp.pix2ring(NSIDE, pix=5) == 2
    for call in (hp.alm2cl, lambda wrong: hp.alm2map(wrong, NSIDE)):
        with pytest.raises(TypeError, match="Wrong alm size"):
            call(alm[:-1])


def test_fields_of_maps(values):
    maps = {"A": values, "B": 2 * values, "C": values**2}
    one = {name: armilla.smooth(array, fwhm="10deg") for name, array in maps.items()}
    for field, names in (("B", "B"), ("3", "C"), ("C,A", "CA"), ("all", "ABC"), (None, "A")):
        found = armilla.smooth(armilla.Map(maps), fwhm="10deg", field=field)
        assert list(found.fields) == list(names)
        for name in names:
            np.testing.assert_array_equal(found[name], one[name])
    with pytest.raises(armilla.InvalidArgument, match="D"):
        armilla.smooth(armilla.Map(maps), fwhm="10deg", field="D")
    # Q and U rotate together, so that both are copied if one is taken.
    given = armilla.Map(np.stack([values, values, values]), frame="galactic")
    image = armilla.project(given, center="10deg,20deg", size=(5, 4), resolution="5deg", frame="equatorial", field="2")
    assert image.data.shape == (4, 5) and np.isfinite(image.data).all()


def test_arithmetic_on_arrays(values, tmp_path):
    armilla.write(armilla.Map(values), tmp_path / "m.fits")
    for let in ({"a": values, "b": 3.0 * values, "c": 2},
                {"a": tmp_path / "m.fits", "b": armilla.Map(3 * values), "c": 2}):
        found = armilla.calc(let=let, expression="a * c + b")
        np.testing.assert_allclose(np.asarray(found), 5 * values, rtol=1e-15)
        assert isinstance(found, np.ndarray) == isinstance(let["a"], np.ndarray)
    bad = values.copy()
    bad[5] = np.nan
    np.testing.assert_array_equal(np.isnan(armilla.calc(let={"a": values, "x": bad}, expression="a + x")),
                                  np.arange(PIXELS) == 5)
    with pytest.raises(armilla.InvalidArgument, match="b: expected an array of real numbers"):
        armilla.calc(let={"a": values, "b": np.array(["x"] * PIXELS)}, expression="a + b")


def test_frames_that_contradict(tmp_path):
    points = {"RA": np.array([10.0, 20.0]), "DEC": np.array([30.0, 40.0])}
    both = {**points, "GLON": np.array([50.0, 60.0]), "GLAT": np.array([70.0, 80.0])}
    for frame in ({"frame": "galactic"}, {"input_frame": "G"}):
        with pytest.raises(armilla.InvalidArgument, match="catalog: .*equatorial .* positions state, found Gal"):
            armilla.count(points, nside=4, **frame)
        found = armilla.count(both, nside=4, **frame)
        assert found.frame == "galactic"
        galactic = armilla.count({"GLON": both["GLON"], "GLAT": both["GLAT"]}, nside=4)
        np.testing.assert_array_equal(found.values, galactic.values)
    with pytest.raises(armilla.InvalidArgument, match="found Galactic"):
        armilla.Catalog(points, frame="galactic")
    unnamed = {"LON": points["RA"], "LAT": points["DEC"]}
    assert armilla.count(unnamed, nside=4, frame="ecliptic").frame == "ecliptic"
    armilla.write(armilla.Catalog(points), tmp_path / "c.fits")
    for given in (tmp_path / "c.fits", armilla.Catalog(points)):
        with pytest.raises(armilla.InvalidArgument, match="input_frame"):
            armilla.count(given, nside=4, frame="galactic")


def test_stated_frames_of_values(values, tmp_path):
    plain, galactic = armilla.Map(values), armilla.Map(values, frame="galactic")
    expected = armilla.convert(galactic, frame="ecliptic").values
    armilla.write(plain, tmp_path / "m.fits")
    for given in (plain, armilla.read(tmp_path / "m.fits"), values):
        found = armilla.convert(given, frame="ecliptic", input_frame="G")
        np.testing.assert_array_equal(np.asarray(found), expected)
    assert plain.frame is None
    with pytest.raises(armilla.InvalidArgument, match="map: expected no input_frame, or G as the value states, found C"):
        armilla.convert(galactic, frame="ecliptic", input_frame="C")
    unnamed = armilla.Catalog({"LON": [1.0, 2.0], "LAT": [3.0, 4.0]})
    assert armilla.count(unnamed, nside=4, input_frame="G").frame == "galactic"
    assert unnamed.frame is None
    with pytest.raises(armilla.InvalidArgument, match="as the value states"):
        armilla.count(armilla.Catalog({"RA": [1.0], "DEC": [3.0]}), nside=4, input_frame="G")
    for given in ({"RA": [1.0], "DEC": [3.0]}, armilla.Catalog({"RA": [1.0], "DEC": [3.0]})):
        for word in ("FK4", "FK5", "fk5"):
            with pytest.raises(armilla.Unsupported, match="catalog: expected a file"):
                armilla.count(given, nside=4, input_frame=word)


def test_a_table_beside_a_map_keeps_its_frame(values):
    place = astropy.coordinates.SkyCoord([33.0] * u.deg, [21.0] * u.deg, frame="galactic")
    given_places = {"RA": place.icrs.ra.deg, "DEC": place.icrs.dec.deg}
    expected = armilla.lookup(armilla.Map(values, frame="galactic"), {"GLON": [33.0], "GLAT": [21.0]})["SIGNAL"]
    for stated in ({"frame": "galactic"}, {"input_frame": "G"}):
        for given in (given_places, armilla.Catalog(given_places)):
            np.testing.assert_array_equal(armilla.lookup(values, given, **stated)["SIGNAL"], expected)


def test_a_stated_frame_keeps_what_a_file_holds(tmp_path):
    header = fits.Header({"PIXTYPE": "HEALPIX", "ORDERING": "NUNIQ", "MOCORDER": 2, "INDXSCHM": "EXPLICIT"})
    cells = np.array([4 * 4**1 + 3, 4 * 4**2 + 7 * 16 + 5], dtype=np.int64)  # orders 1 and 2
    columns = [fits.Column("UNIQ", "K", array=cells), fits.Column("T", "D", array=np.array([2.0, 5.0]))]
    fits.HDUList([fits.PrimaryHDU(), fits.BinTableHDU.from_columns(columns, header)]).writeto(tmp_path / "u.fits")
    value, path = armilla.read(tmp_path / "u.fits"), tmp_path / "u.fits"
    for given in (value, path):
        found = armilla.convert(given, nside=4, input_frame="G")
        assert found.frame == "galactic"
        assert np.count_nonzero(np.isfinite(found.values)) == 4 + 1
    plain = armilla.Map(np.arange(48.0))
    armilla.write(plain, tmp_path / "m.fits")
    with fits.open(tmp_path / "m.fits", mode="update") as file:
        file[1].header["POLCCONV"] = "IAU"
        file[1].header.add_history("what was done before")
    for given in (armilla.read(tmp_path / "m.fits"), tmp_path / "m.fits"):
        armilla.write(armilla.convert(given, ordering="nest", input_frame="G"), tmp_path / "out.fits", overwrite=True)
        made = fits.getheader(tmp_path / "out.fits", 1)
        assert "what was done before" in "\n".join(made["HISTORY"])


def test_lists_of_quantities_and_names_of_any_case(values):
    maps = armilla.Map(values), armilla.Map(2.0 * values)
    expected = armilla.filter(maps[0], fwhm="10deg", frequency="100GHz", map2=[maps[1]], fwhm2="10deg",
                              frequency2="143GHz", response2=0.5)
    found = armilla.filter(maps[0], fwhm=10 * u.deg, frequency=100 * u.GHz, map2=[maps[1]], fwhm2=[10 * u.deg],
                           frequency2=[143 * u.GHz], response2=0.5)
    np.testing.assert_array_equal(found.values, expected.values)
    place = astropy.coordinates.SkyCoord([33.0] * u.deg, [21.0] * u.deg)
    with pytest.raises(armilla.InvalidArgument, match="none of RA and DEC"):
        armilla.Catalog({"at": place, "ra": [1.0], "dec": [2.0]})


def test_masks_of_astropy(values):
    bad = values > 1
    expected = np.where(bad, np.nan, values)
    for given in (Masked(values, mask=bad), Masked(values, mask=bad) * u.K,
                  np.ma.MaskedArray(values, mask=bad)):
        np.testing.assert_array_equal(armilla.Map(given).values, expected)
    np.testing.assert_array_equal(armilla.Map(astropy.table.QTable({"I": Masked(values * u.K, mask=bad)}))["I"],
                                  expected)
    assert np.isfinite(values).all()
    flux = Masked(np.array([1.0, 2.0]), mask=[False, True]) * u.Jy
    catalog = armilla.Catalog(astropy.table.QTable({"RA": [1.0, 2.0] * u.deg, "DEC": [3.0, 4.0] * u.deg, "F": flux}))
    np.testing.assert_array_equal(catalog["F"], [1.0, np.nan])
    assert catalog.units["F"] == "Jy"


def test_several_arrays_are_all_taken_or_refused(values):
    several = np.stack([values, 2 * values])
    found = armilla.smooth(several, fwhm="10deg")
    assert found.shape == several.shape
    for row, given in zip(found, several):
        np.testing.assert_array_equal(row, armilla.smooth(given, fwhm="10deg"))
    np.testing.assert_array_equal(armilla.smooth(list(several), fwhm="10deg", field="2"), found[1])
    for call in (armilla.map2alm, armilla.anafast):
        with pytest.raises(armilla.InvalidArgument, match="map.*: expected one array, found 2; field"):
            call(several)
    np.testing.assert_array_equal(armilla.map2alm(several, lmax=8, field="2"), armilla.map2alm(several[1], lmax=8))
    # A map of named fields stands for its first one, as in the command.
    named = armilla.Map({"A": values, "B": 2 * values})
    np.testing.assert_array_equal(armilla.map2alm(named, lmax=8).values, armilla.map2alm(values, lmax=8))


def test_other_units_are_refused(values):
    with pytest.raises(armilla.InvalidArgument, match="fwhm: .*not convertible"):
        armilla.smooth(values, fwhm=5 * u.K)
    with pytest.raises(armilla.InvalidArgument, match="kernel: .*not convertible"):
        armilla.smooth(values, kernel=([0, 0.1] * u.K, [1, 0]))
    with pytest.raises(armilla.InvalidArgument, match=r"kernel: expected a file, a Curve, or a pair"):
        armilla.smooth(values, kernel=5)


def test_kernels_begin_at_zero(values):
    angles, profile = np.array([0.0, 0.1, 0.2]), [1.0, 0.5, 0.0]
    assert armilla.smooth(values, kernel=(angles, profile)).shape == values.shape
    curve = armilla.Curve(angles, profile, kind="kernel", x_unit="K")
    with pytest.raises(armilla.InvalidArgument, match="expected a curve over an angle in rad.*found 'K'"):
        armilla.smooth(values, kernel=curve)
    with pytest.raises(armilla.InvalidArgument, match="expected a kernel whose first angle is 0, found 0.1 rad"):
        armilla.smooth(values, kernel=(angles + 0.1, profile))


@pytest.mark.parametrize("wrong", [np.nan, np.inf])
def test_spectra_and_beams_without_values_are_refused(values, wrong):
    given = 1 / (1.0 + np.arange(24))
    low, high = given.copy(), given.copy()
    low[:2], high[7] = wrong, wrong
    with pytest.raises(armilla.InvalidArgument, match="cl: expected finite values of TT, found .* at l = 7"):
        armilla.synfast(high, nside=8)
    with pytest.raises(armilla.InvalidArgument, match="beam: expected finite values of T, found .* at l = 7"):
        armilla.smooth(values, beam=high)
    given[:2] = 0  # files may have no value there
    np.testing.assert_array_equal(armilla.synfast(low, nside=8, seed=2), armilla.synfast(given, nside=8, seed=2))


def test_single_precision_of_coefficients(values):
    alm = armilla.map2alm(values, lmax=16)
    assert alm.dtype == np.complex128 and armilla.alm2map(alm, nside=NSIDE).dtype == np.float64
    single = alm.astype(np.complex64)
    found = armilla.alm2map(single, nside=NSIDE)
    assert found.dtype == np.float32
    expected = armilla.alm2map(single.astype(complex), nside=NSIDE)
    # Rounded once.
    np.testing.assert_allclose(found, expected, rtol=np.finfo(np.float32).eps)


class Moc:
    """A coverage map with the names of mocpy: the cells 1, 2 and 7 of order 1."""

    max_order = 1
    to_depth29_ranges = np.array([[1, 3], [7, 8]], np.uint64) << np.uint64(56)


def test_coverage_maps_of_mocpy(tmp_path):
    coverage = armilla.Map(Moc())
    assert coverage.nside == 2 and coverage.frame == "equatorial"
    united = armilla.moc(Moc(), with_=[Moc(), armilla.Map(np.arange(12) == 11, ordering="nested", frame="C")])
    assert united.figures["share"] == pytest.approx(3 / 48 + 1 / 12)
    assert armilla.moc(coverage, operation="difference", with_=Moc(), complement=True).figures["share"] == 1
    armilla.write(coverage, tmp_path / "m.fits")
    assert armilla.moc(tmp_path / "m.fits").figures == armilla.moc(Moc()).figures
    with pytest.raises(armilla.InvalidArgument, match="MOC alone"):
        armilla.Map(Moc(), nside=2)
    wrong = Moc()
    wrong.to_depth29_ranges = np.array([[3, 1]], np.uint64)
    with pytest.raises(armilla.InvalidArgument, match="expected ranges of cells of order 29, found 3 to 1"):
        armilla.moc(wrong)


@pytest.fixture
def partitions(tmp_path):
    """A HATS catalog of the twelve pixels of order 0, whose pixel 11 has a file that cannot be read."""
    random = np.random.default_rng(6)
    lon, lat = random.uniform(0, 360, 60000), np.degrees(np.arcsin(random.uniform(-1, 1, 60000)))
    pixel = armilla.healpy.ang2pix(1, lon, lat, lonlat=True, nest=True)
    folder = tmp_path / "hats" / "dataset" / "Norder=0" / "Dir=0"
    folder.mkdir(parents=True)
    for number in range(11):
        rows = np.flatnonzero(pixel == number)
        armilla.write(armilla.Catalog({"id": rows, "ra": lon[rows], "dec": lat[rows]}),
                      folder / f"Npix={number}.parquet")
    # With the schema, the metadata of partitions that are not needed stays unread.
    schema = tmp_path / "hats" / "dataset" / "_common_metadata"
    schema.write_bytes((folder / "Npix=0.parquet").read_bytes())
    (folder / "Npix=11.parquet").write_bytes(b"no table")
    (tmp_path / "hats" / "hats.properties").write_text(
        "dataproduct_type=object\nhats_col_ra=ra\nhats_col_dec=dec\nhats_nrows=60000\n")
    return tmp_path / "hats", lon, lat, pixel


def test_partitions_elsewhere_are_not_read(partitions, tmp_path):
    folder, lon, lat, pixel = partitions
    with pytest.raises(armilla.FileError, match="Npix=11"):
        armilla.select(folder, where="id >= 0")
    at = astropy.coordinates.SkyCoord(lon, lat, unit="deg")
    near = np.flatnonzero(at.separation(astropy.coordinates.SkyCoord(45, 41, unit="deg")).deg < 8)
    assert len(near) > 5 and set(pixel[near]) == {0}
    found = armilla.select(folder, region="circle(45,41,8)")
    assert sorted(found["id"]) == sorted(near)
    # Densities for chance pairs come from some hundred rows around.
    armilla.write(armilla.Catalog({"RA": lon[near], "DEC": lat[near]}), tmp_path / "rows.fits")
    matched = armilla.match(tmp_path / "rows.fits", folder, radius="1arcsec")
    assert sorted(matched["id"]) == sorted(near)


def test_own_parameters_come_before_common_ones():
    found = armilla.select({"RA": [1.0, 2.0], "DEC": [3.0, 4.0], "F": [5.0, -6.0]}, where="F > 0",
                           columns=["RA", "F"])
    assert found.columns == ["RA", "F"] and list(found["F"]) == [5.0]


def test_sizes_are_numbers_of_pixels(values):
    call = {"map": armilla.Map(values, frame="G"), "center": (0, 0), "resolution": "1deg"}
    for size in ((12, 12), np.array([12, 12]), (12 * u.pix, 12 * u.pix), "12x12"):
        assert armilla.project(size=size, **call).data.shape[-2:] == (12, 12)
    for size in (12, (0.3, 0.2), 20 * u.deg, (20 * u.deg, 10 * u.deg)):
        with pytest.raises(armilla.InvalidArgument, match="size: "):
            armilla.project(size=size, **call)


def test_units_and_frames_of_astropy(values):
    at = astropy.coordinates.SkyCoord(1, 2, unit="deg", frame="galactic")
    frames = (astropy.coordinates.Galactic(), at, "galactic")
    for frame in frames:
        assert armilla.Map(values, frame=frame, unit=u.mK).units == {"SIGNAL": "mK"}
        assert armilla.Map(values, frame=frame).frame == "galactic"
    assert armilla.Map(values, frame=astropy.coordinates.ICRS()).frame == "equatorial"
    with pytest.raises(armilla.InvalidArgument, match="frame: expected"):
        armilla.Map(values, frame=astropy.coordinates.AltAz())
    curve = armilla.Curve([1, 2] * u.arcmin, {"A": [3, 4] * u.K, "B": [5, 6]})
    assert curve.x_unit == "arcmin" and curve.units == {"A": "K", "B": ""}
    # Pixels of another equinox are elsewhere on the sky; positions are turned.
    later = astropy.coordinates.FK5(equinox="J1975")
    assert armilla.Map(values, frame=astropy.coordinates.FK5()).frame == "equatorial"
    for call in (lambda: armilla.Map(values, frame=later), lambda: armilla.map2alm(values, frame=later)):
        with pytest.raises(armilla.InvalidArgument, match="frame: expected .* J2000, found FK5 of equinox J1975"):
            call()
    # Frames of astropy without positions count as false.
    for name in ("frame", "input_frame"):
        smoothed = armilla.smooth({"A": values}, fwhm="10deg", **{name: astropy.coordinates.Galactic()})
        assert smoothed.frame == "galactic"
    at = astropy.coordinates.SkyCoord([1, 2], [3, 4], unit="deg", frame=later)
    np.testing.assert_allclose(armilla.Catalog(at)["RA"], at.icrs.ra.deg, rtol=1e-12)


def test_curves_convert_units_and_masks():
    curve = armilla.Curve([60, 120] * u.arcmin, [3, 4] * u.K, errors=[100, 200] * u.mK)
    assert curve.x_unit == "arcmin" and curve.units == {"Y": "K"}
    np.testing.assert_allclose(curve.errors["Y"], [0.1, 0.2], rtol=1e-15)
    curve = armilla.Curve([60, 120] * u.arcmin, [3, 4] * u.K, [0.1, 0.2] * u.K, x_unit="deg", unit=u.mK)
    assert curve.x_unit == "deg" and curve.units == {"Y": "mK"}
    np.testing.assert_allclose(curve.x, [1, 2], rtol=1e-15)
    np.testing.assert_allclose(curve.y, [3000, 4000], rtol=1e-15)
    np.testing.assert_allclose(curve.errors["Y"], [100, 200], rtol=1e-15)
    column = astropy.table.MaskedColumn([1.0, 2.0], mask=[False, True], unit="K")
    errors = {"A": np.ma.MaskedArray([1, 2], [True, False])}
    curve = armilla.Curve(None, {"A": column, "B": [1, 2]}, errors, unit="mK")
    np.testing.assert_array_equal(curve["A"], [1000, np.nan])
    np.testing.assert_array_equal(curve["B"], [1, 2])
    np.testing.assert_array_equal(curve.errors["A"], [np.nan, 2])
    assert column.data.data[1] == 2
    for call, words in ((lambda: armilla.Curve([1, 2] * u.K, [3, 4], x_unit="deg"), "X: expected .* deg, found K"),
                        (lambda: armilla.Curve(None, [3, 4] * u.K, [1, 2] * u.s), "errors of Y: expected .* K, found s")):
        with pytest.raises(armilla.InvalidArgument, match=words):
            call()


class Foreign:
    """An array of another library, as xarray's or torch's on the host."""

    def __init__(self, values):
        self._values = np.asarray(values)

    def __array__(self, dtype=None, copy=None):
        return self._values.astype(dtype or self._values.dtype)

    def __len__(self):
        return len(self._values)

    def __getitem__(self, index):
        return Foreign(self._values[index])


def test_arrays_of_other_libraries(values):
    several = np.stack([values, 2 * values]).astype(np.float32)
    expected = armilla.smooth(several, fwhm="10deg")
    for given in (Foreign(several), [Foreign(each) for each in several]):
        found = armilla.smooth(given, fwhm="10deg")
        assert isinstance(found, np.ndarray) and found.dtype == np.float32
        np.testing.assert_array_equal(found, expected)
        with pytest.raises(armilla.InvalidArgument, match="map: expected one array, found 2; field"):
            armilla.map2alm(given)
    alm = armilla.map2alm(values, lmax=8)
    np.testing.assert_array_equal(armilla.map2alm(Foreign(values), lmax=8), alm)
    np.testing.assert_array_equal(armilla.alm2map(Foreign(alm), nside=4), armilla.alm2map(alm, nside=4))
    # Values of the library and tables keep their kind.
    assert isinstance(armilla.smooth(armilla.Map(values), fwhm="10deg"), armilla.Map)
    assert isinstance(armilla.smooth([armilla.Map(values)], fwhm="10deg"), armilla.Map)


def test_columns_named_as_members_of_others(values):
    pandas = pytest.importorskip("pandas")
    names = ("icrs", "colnames", "to_records")
    frame = pandas.DataFrame({"RA": [1.0, 2.0], "DEC": [3.0, 4.0], **{name: [5.0, 6.0] for name in names}})
    assert armilla.Catalog(frame).columns == ["RA", "DEC", *names]
    assert armilla.Catalog(frame.set_index(pandas.Index(["icrs", "b"]))).columns == ["RA", "DEC", *names]
    smoothed = armilla.smooth(pandas.DataFrame({"header": values, "data": values}), fwhm="10deg")
    np.testing.assert_array_equal(smoothed["header"], armilla.smooth(values, fwhm="10deg"))


@pytest.mark.parametrize("call, words", [
    (lambda: armilla.Sht(16.5, 8), "nside: expected an integer, found 16.5"),
    (lambda: armilla.Sht(16, "8"), "lmax: expected an integer, found '8'"),
    (lambda: armilla.Sht(16, 8, mmax=np.nan), "mmax: expected an integer, found nan"),
    (lambda: armilla.Sht(16, 8, iterations=1.5), "iterations: expected an integer, found 1.5"),
    (lambda: armilla.Map([1.0, 2.0], nside=16.5, pixels=[1, 2]), "nside: expected an integer, found 16.5"),
    (lambda: armilla.Map([1.0, 2.0], nside=16, pixels=[1.5, 2]), "pixels: expected integers below 2.63, found 1.5"),
    (lambda: armilla.Map([1.0, 2.0], nside=16, pixels=[1, np.inf]), "pixels: expected integers below 2.63, found inf"),
    (lambda: armilla.Map([1.0], nside=16, pixels=[1e30]), "pixels: expected integers below 2.63, found 1e.30"),
    (lambda: armilla.Map([1.0], nside=16, pixels=np.uint64([2**63])), "pixels: .* below 2.63, found 9223372036854775808"),
    (lambda: armilla.Map([1.0], nside=16, pixels=["a"]), "pixels: expected integers, found an array of <U1"),
    (lambda: armilla.Map([1.0], nside=16, pixels=[None]), "pixels: expected integers, found an array of object"),
    (lambda: armilla.Map([1.0], nside=16, pixels=[2**70]), "pixels: expected integers, found an array of object"),
    (lambda: armilla.Map([1.0], nside=16, pixels=[[1], [2, 3]]), "pixels: expected integers, found ..1., .2, 3.."),
    (lambda: armilla.set_options(threads="2"), "threads: expected an integer, found '2'"),
    (lambda: armilla.set_options(progress=3), "progress: expected True, False or a function, found 3"),
    (lambda: armilla.stats(np.ones(12), progress=3), "progress: expected True, False or a function, found 3"),
    (lambda: armilla.Sht(1, 2).alm2map(np.zeros(6, complex), dtype="i4"), "dtype: expected float32 or float64"),
    (lambda: armilla.Sht(1, 2).map2alm(np.ones(12), out=np.zeros((6, 2), complex)[:, 0]), "out: .*not contiguous"),
])
def test_wrong_numbers_are_refused(call, words):
    with pytest.raises(armilla.InvalidArgument, match=words):
        call()
    assert armilla.Sht(np.int64(16), 8.0).lmax == 8


def test_tables_and_coefficients_are_written(values, tmp_path):
    points = astropy.table.Table({"RA": [1.0, 2.0], "DEC": [3.0, 4.0]})
    armilla.write(points, tmp_path / "c.fits")
    np.testing.assert_array_equal(armilla.read(tmp_path / "c.fits")["DEC"], points["DEC"])
    alm = armilla.map2alm(values, lmax=8)
    armilla.write(alm, tmp_path / "a.fits")
    np.testing.assert_array_equal(armilla.read(tmp_path / "a.fits").values, alm)
    armilla.write([alm, 2 * alm, 3 * alm], tmp_path / "t.fits")
    assert len(armilla.read(tmp_path / "t.fits").arrays) == 3
    armilla.write([values, 2 * values], tmp_path / "m.fits")
    assert len(armilla.read(tmp_path / "m.fits").fields) == 2


def test_positions_without_columns_beside_them():
    places = astropy.coordinates.SkyCoord([10.0, 20.0], [30.0, 40.0], unit="deg", frame="galactic")
    assert armilla.match(places, {"GLON": [20.0], "GLAT": [40.0]}, radius="1arcsec").figures["pairs"] == 1
    for wrong in (places[0], {"RA": 1.0, "DEC": 2.0}):
        with pytest.raises(armilla.InvalidArgument, match="RA: expected a column of values, found one value"):
            armilla.Catalog(wrong)


def test_results_have_the_widest_type(values):
    single = values.astype(np.float32)
    for other, kind in ((single, np.float32), (values, np.float64)):
        for let in ({"a": single, "b": other}, {"b": other, "a": single}):
            assert armilla.calc(let=let, expression="a * b").dtype == kind
