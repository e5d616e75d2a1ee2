# try.sh: installs the wheel of this folder by pip and runs what it holds. `./dev try-wheel` runs it where only Python is.
set -euo pipefail
rm -rf environment
python3 -m venv environment
environment/bin/pip install -q --disable-pip-version-check *.whl
export PATH=$PWD/environment/bin:$PATH

python - <<'PYTHON'
import ctypes
import pathlib
import armilla
import numpy as np

sky = armilla.sample(nside=128)
smoothed = armilla.smooth(sky, fwhm="2deg")
# Parts that are loaded on first use find the libraries that they need.
for part in ("hdf5", "tiles", "codecs", "healpix", "simd"):
    ctypes.CDLL(pathlib.Path(armilla.__file__).parent / "bin" / f"armilla-{part}.so")
armilla.write(smoothed, "smoothed.fits", overwrite=True)
plan = armilla.Sht(nside=64, lmax=128, device="cpu")
alm = plan.map2alm(np.ones(12 * 64**2))
np.testing.assert_allclose(alm[0], np.sqrt(4 * np.pi), rtol=1e-6)
pathlib.Path("figure.png").write_bytes(armilla.figure(smoothed, graticule="30deg"))
print("module", armilla.__version__)
PYTHON
armilla --version
armilla info smoothed.fits
armilla render smoothed.fits command.png --projection hammer
armilla render smoothed.fits command.pdf
QT_QPA_PLATFORM=offscreen armilla-gui smoothed.fits --screenshot window.png
ls -l *.png *.pdf
