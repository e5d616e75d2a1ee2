<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="en_US" sourcelanguage="en">
<context>
    <name>FileChooser</name>
    <message>
        <source>FITS files</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Text files</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>CSV files</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>ECSV files</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>VOTable files</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>DS9 regions</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Packed FITS files (*.fits.gz)</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Layer</name>
    <message numerus="yes">
        <source>%1 row(s)</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
</context>
<context>
    <name>QFileDialog</name>
    <message>
        <source>All files (*)</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Recipe</name>
    <message>
        <source>open %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>sample sky nside %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1, normalized minus ignored mask</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>smooth %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>smooth with a beam</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>smooth with a kernel</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>smooth with beam %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>smooth with kernel %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>difference</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>accepted by eye</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Table</name>
    <message>
        <source>0deg,0deg</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>1 for every row</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>1,99 with --scale</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>100000,1000000,10000000; more on a device</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>1and2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>1not2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>2 nside</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>2 nside; 3 nside - 1 for convolve</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>20arcmin; 300arcsec for grid</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>2not1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>3 nside - 1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>3 nside - 1, at most that of the spectrum</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>3 sigma, or the beam</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>5, or fewer once they have taken 10 s</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>512; 256 to 8192 for sht alone</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>97178; from 1000 on for correlate alone</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A close view, great circles straight</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Above</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Alm</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Apodization</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Apodize</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Background</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Beam</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Beam2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Beams</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Below</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Bins</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Brightness</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>COSMO</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cartesian</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Catalog</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Catalog2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Center</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Children</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cl</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Colormap</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Columns</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Combine</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Complement</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Contours</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Convert</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Correlate</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Correlate maps</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Coverage (MOC)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cross</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Data</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Davis-Peebles</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Deblend</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Degrade</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Derivatives</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Device</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Dl</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Dpi</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Drapery</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Edge</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Edges</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Errors</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Errors2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Estimator</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>FWHM</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>FWHM of --kernel gaussian</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>FWHM of a Gaussian beam to multiply with</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>FWHM of each</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>FWHM of the Gaussian beam</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>FWHM of the Gaussian beam of each --map2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>FWHM of the beam, or of the kernel of grid</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>FWHM of the minor axis of an elliptical beam; --fwhm is the major axis</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>FWHM of the telescope beam, for --kernel tapered-sinc and bessel-gauss and for the header</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>FWHMs of --kernel gaussian2d and the position angle of its major axis, from north through east; degrees without a unit</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>FWHMs of Gaussian beams, in order: one for each field, for each map with --polarization, for each plane of an image</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Field</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Fields</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Filter for sources</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Find</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Find sources</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Fit</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Flag</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Flip</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Flux</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Frame</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Frequency</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Frequency2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Fwhm</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Fwhm2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Galactic</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Globe</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Gnomonic</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Graticule</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Grid</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Grow</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Hamilton</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Hammer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Harmonic analysis</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Harmonic synthesis</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>IAU</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Index</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Inject</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Inner</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Input cl</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Input dl</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Input frame</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Input index</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Input nside</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Input ordering</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Inside</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Interpolation</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Invert</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Iterations</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Jacobi iterations of the analysis after the first pass</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Join</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Json</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Kernel</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Kernel FWHM</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Kernel axes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Label</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Lambert</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Landy-Szalay</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Lat</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Latitude</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Like</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Lmax</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Lon</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Longitude and latitude as a rectangle</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>MAP [MAP2] CL: the map, another, for the cross spectrum; its coefficients are turned into the frame of MAP, the spectrum to write</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>MAP [MAP2] OUT: the map, another of the same nside, for the cross correlation, a table of the bins: FITS, VOTable, CSV or ECSV</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>MAP... OUT: the map, or a FITS image whose rows are whole rings (CAR); of several maps the fields go into one, the smoothed map: the smoothed fields only; or the image</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>MOC or mask of the pixels that count</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>MOC, mask (good above 0.5), or catalog (the cells of --order that hold a row)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>MOC, mask or catalog to combine with</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Magnitudes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Map</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Map2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Mask</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Masked</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Match catalogs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Max</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Method</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Min</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Minor FWHM</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Mmax</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Moc</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Mollweide</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>NSIDE</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Noise</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Normalize</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nside</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Of</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Operation</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Order</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Ordering</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Overwrite</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>PEAK</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Pair mean</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Patches</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Peak</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Percentile</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Pessimistic</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Pixel window</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Plane</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Points</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Poisson</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Polarization</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Polconv</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Position angle</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Power spectrum</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Precision</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Project</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Projection</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Quiet</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Radius</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Random</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Random factor</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Random from</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Random sets</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Random sky</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Random2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Region</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Region statistics</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Regions</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Remove</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Remove sources</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Repeat</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Resamplings</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Resolution</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Response2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Ring ffts</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Rods</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Rods least</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Rods length</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Rods length field</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Rods noise</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Rods snr</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Rotate</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>SAMPLES... OUT: tables of samples, taken as one, the result, with extensions WEIGHTS and COUNTS</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Sample sky</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Samples</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Samples frame</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Scale</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Seed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Serialization</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Sets</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Shrink</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Sightlines</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Sigmas</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Sign</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Single pass</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Size</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Slope</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Smooth</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Spacing</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Sparse</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Specsys</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Step</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Strokes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The sphere from outside (orthographic)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The whole sky as a disc, areas true (azimuthal)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The whole sky, areas true</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The whole sky, areas true, shapes kept better (Hammer-Aitoff)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Threads</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Threshold</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Title</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tolerance</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Truncate</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tune</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Type</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Unit</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Value</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Weight</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Weights</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Where</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>With</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>X axis</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Y axis</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>[MAP] OUT: what is bad in it is bad, and what --above and --below say; without these a map of values from 0 to 1 is a mask, the mask: 1 where the sky is good, 0 where it is not</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>add derivatives of one set of coefficients (T, or --field): columns TEMPERATURE, DX_T (d/dtheta), DY_T (1/sin(theta) d/dphi), per radian</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>all</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>all of the machine</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>all1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>alm</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>alm2map</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>anafast</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>and</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>angle</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>angle bins MIN,MAX,N with units, such as 0.01arcmin,10deg,30</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>angle bins MIN,MAX,N with units, such as 0deg,20deg,40</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>angle per image pixel at the center</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>angle per pixel at the center of the target image</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>angle,...</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>apodize: let the mask rise from 0 at bad pixels to 1 at this angle from them</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>as tuned, or with the Legendre sums</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>asinh</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>auto</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>auto: the fastest that serves</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>automatic</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>background of the figure</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>barycentric</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>beam</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>beam FWHM that sets the discs of --catalog instead of --radius; their diameter is --beams times it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>beam; filter with --map2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>benchmarks to run: sht, batch, convolve, correlate, fft, grid, grid-shapes, sources, view, load, roundtrip (default all)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>bessel-gauss</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>best</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>best1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>best2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>bilinear</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>bootstrap</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>both</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>brightness column of CATALOG2: P_CHANCE counts rows as bright or brighter; default: all rows</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>brush strokes, such as &quot;cut G 0.5 120,30 121,30; restore G 0.2 120,30&quot;: frame, radius and path in degrees</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>c1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>c2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>cartesian</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>catalog</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>catalog of data points</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>catalog of positions to mark</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>catalog of random points for the catalog of --cross, as many sets as --random; default: the sets of --random</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>catalog of random points; each file is a set, and the counts of all sets are summed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>catalog of sources</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>catalog: a disc around each row is cut</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>center</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>center of the circle or ring of --radius, or of the profile</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>center of the target image, in its frame</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>center of the view, in --frame; equatorial also in hours: 12h30m,-20d15m</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>change ordering, resolution, frame, unit or coverage of a map, or choose its fields</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>chosen by the values</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>chosen by the values, as in the window</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>cl</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>col</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>color map: planck, viridis, magma, ..., or colors such as &apos;#000000,#ff8800,#ffffff&apos;</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>column</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>column names of a spectrum file, in the order of the file; - leaves a column out</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>column of CATALOG with the peak brightness, in the unit of MAP</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>column of CATALOG with the position error, one standard deviation on each axis (POS_ERR); pairs are then matched by their errors</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>column of pixel numbers in an input table, by name or number from 1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>column of sample weights; default: weight 1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>combine with the masks of --with: good in all (and) or in any (or)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>compute THETA_MEAN, the mean angle of the DD pairs; slower, since every pair is visited</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>compute statistics, histogram and radial profile of a map within regions</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>compute the harmonic coefficients of a map</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>compute the power spectrum of a map, or the cross spectrum of two</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>condition on columns that selects rows, such as &quot;PLNUM == 0 and CAL == &apos;F&apos;&quot;</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>contours at values of the field, around shares of a probability map such as 50%,90%, or at its credible levels (credible)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>contrast</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>convention of the sign of U in the file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>convert</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>convert fields to this unit (mK, K_CMB, K_RJ, MJy/sr, ...); for plain kelvins, state the scale</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>convolve a map with a beam or radial kernel</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>correlate</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>correlate-maps</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>count pairs of catalogs exactly and estimate their angular correlation function</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>counts</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>cpu</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>cuda</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>curves</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>cut</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>cut pixels nearer than this to the Galactic plane</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>cut the pixels in regions and MOCs, or keep only these</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>dark</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>default</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>describe the contents of a file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>device of the ring FFTs in sht and batch</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>device that computes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>diameter in FWHM of the discs that --fwhm sets</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>diameter of the discs in FWHM of the beam</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>difference</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>dipole</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>direct</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>double</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>draw a map, an image or a catalog, or plot a curve, as a figure</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>ecliptic</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>encoding in FITS files: ranges (MOC 2) or NUNIQ numbers (MOC 1)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>end of the beam, at most 3 nside - 1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>equatorial (ICRS)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>errors of w(theta); jackknife and bootstrap use patches of the sky</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>estimate the angular correlation function of a map, or of two</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>estimator of w(theta)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>exchange good and bad, after all cuts</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>expression</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>field of a map, by name or number from 1; convert and smooth take several between commas, or all (also --all-fields)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>field of the map of --rods-length</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>fields to keep, in this order</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>file of B_l for T [E [B]], FITS or text; repeat for each field (each map, with --polarization)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>file of B_l of the beam of each --map2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>file of B_l of the beam, FITS or text</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>file of C_l of the sky before the beam, or auto: measured from the map without bright sources (default auto)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>file of DS9 regions, each a row of the result: circle, ellipse, box, annulus, polygon</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>file of DS9 regions: circle, ellipse, box, annulus, polygon</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>file of a radial profile: angle, value</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>files of maps, alm, spectra, beams, catalogs, samples, images or curves</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>filter</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>filter a map for point sources: the result is their brightness at each pixel</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>filtered map in the unit of MAP; with bad pixels or a mask, a second field holds the share of the response on good pixels</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>find point sources in a map, fit them, and write a catalog</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>find the fastest method of the transforms for this device, --nside and --lmax, and store it for later runs; runs no benchmark</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>first catalog</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>flag column: a sample is left out where it is not 0</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>fluctuations</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>found by UCD or name</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>found by its name</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>frame named by the columns</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>frame of --center and of the picture</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>frame of DATA</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>frame of MAP</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>frame of MAP, else G</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>frame of inputs that name none; FK4 (B1950) and FK5 (J2000) for catalogs, samples and images</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>frame of positions, read and written</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>frame of the file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>frame of the input</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>frame of the map</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>frame of the mask; MAP is looked up at its pixels</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>frame of the output; coefficients are rotated to it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>frame of the sample positions</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>frame of the samples</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>frame of the target image or map</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>frame that the output names</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>frame that the output names; the angles are the same in each</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>frequency</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>frequency of each --map2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>frequency of the map, for flux densities, such as 28.4GHz</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>frequency of the map, such as 143GHz, to convert between temperature and intensity with --unit</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>frequency[,frequency...]</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>further map of the same sky at another frequency, filtered together with MAP</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>gaussian</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>gaussian2d</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>gnomonic</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>grid</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>grid scattered samples to an image, cube or map</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>grow bad areas by this angle, after --shrink</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>g|e|c</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>g|e|c|fk4|fk5</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>half the beam</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>hammer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>harmonic</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>histogram</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>ignore</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>image</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>image whose pixel grid is the target</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>include the pixel window in the beam, for a sky averaged over pixels</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>inner radius of a ring, whose outer radius is --radius</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>inpaint</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>input coefficients: T, or T, E, B</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>input map</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>input map; bad pixels count as zero</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>input spectrum: TT, or TT EE BB TE [TB EB]</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>integral</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>interpolation between map pixels where these are larger than pixels of the picture</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>interpolation between pixels for --frame; nearest keeps the values of masks</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>interpolation between pixels of the map</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>intersection</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>jackknife</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>keep</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>kernel that weights samples by their distance from a cell</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>kind of filter</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>label of the color bar</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>lambert</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>largest distance of a sample from a cell</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>largest good value: pixels of MAP above it are bad</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>largest multipole l</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>largest multipole l of the spectra</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>largest order m</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>largest order of the inputs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>largest order of the result; finer cells are replaced by the cells that hold them</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>largest separation in units of the combined error of a pair</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>largest separation of a pair</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>largest value</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>latitude column (DEC, GLAT, ...)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>latitude column of all catalogs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>least distance of two rows, in FWHM; nearer sources are one row, flagged blended or extended</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>least good value: pixels of MAP below it are bad</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>least polarized amplitude of a rod, in the unit of the map</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>least ratio of amplitude to noise of a rod</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>least share of the filter response on good pixels; results below it are bad</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>least significance of a source, in units of the local noise of the filtered map</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>least value</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>levels|credible</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>light</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>linear</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>list the devices that the program can use, and reasons against the others</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>lmax</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>log</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>lon,lat</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>longitude column (RA, GLON, ...)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>longitude column of all catalogs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>lower end of the histogram</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>lsrk</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>major,minor,angle</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>make a map from harmonic coefficients</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>make a mask from values, regions, MOCs, catalogs, latitude and other masks</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>make a simulated sky to try the program on</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>make one random sky of a power spectrum</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>map</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>map or image to draw, catalog whose positions are marked, or curve to plot</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>map whose values set the length of rods</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>map2alm</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>mark a larger pixel bad if any child is bad</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>mask</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>mask of pixel weights for both maps; 0 leaves a pixel out</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>mask of weights from 0 to 1 for the fit of --remove; default: every good pixel counts as 1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>mask to combine with, rotated to the frame of the result</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>mask whose pixels of 0 are shaded</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>mask, map or MOC: random points lie on a pixel with a probability proportional to its value</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>mask: pixels above 0.5 are good</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>match</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>match two catalogs by position</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>matched</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>mean</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>measure the speed of the program on this machine</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>method of the convolution; auto takes the fastest that serves the kernel</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>method: from spectra, or from all pairs of pixels (for low nside)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>method: subtract the beam times the peak, or fill a disc from its edge</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>mexican-hat</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>min,max,n</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>moc</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>model that PEAK and position are fitted with: beam or elliptical Gaussian in the map, or filter response in the filtered map</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>mollweide</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>monopole</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>multiply by the pixel window of --nside</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>n</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>name of the field</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>names in the file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>natural</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>nearest</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>negative</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>nested</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>noise rms of a pixel in the unit of the map: a number or a map; default: measured from the map</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>none</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>normalization of the kernel: to integral 1, to peak 1, or none; auto: a --kernel to integral 1, unless its integral is negligible, all others none</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>normalize</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>nside of MAP</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>nside of an input map whose file does not state it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>number</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>number of bins of the histogram</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>number of bootstrap resamplings</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>number of processor threads</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>number of runs of each benchmark</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>number of sets of random points of --random-from</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>number of sky patches, each with equally many random points, for jackknife and bootstrap</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>number of sources to inject and search again; reports completeness, bias and reliability</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>number,...</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>nuniq</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>one or several numbers of points for correlate</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>one or several numbers of samples for grid, or row lengths for fft</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>one or several resolutions of the maps</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>operation on the first input with each of --with in turn</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>or</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>order of the Mexican hat</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>ordering of MAP, else ring</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>orthographic</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>out</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>output MOC: FITS, .txt (ASCII) or .json</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>output catalog, the most significant source first (FITS, VOTable, CSV, ECSV, DS9 regions)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>output catalog: the columns of both, XSEP and P_CHANCE</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>output coefficients</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>output figure: .png, .pdf or .svg</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>output file of completeness, bias and reliability from --inject</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>output file of the histogram, a column for each region</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>output file of the means in rings around the center of each region</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>output file of the numbers of samples</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>output file of the sums of weights</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>output image, .fits</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>output map</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>output map of the signal-to-noise ratio: the filtered map divided by its local noise</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>output map without the sources</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>output table with a row for each bin: FITS, VOTable, CSV or ECSV</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>output table with a row for each region</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>pairs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>pairs to keep: all; the best, each row once; the best for each row of the first or of the second catalog</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>peak</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>peak in each --map2, in its unit, of a source of peak 1 in MAP; instead of --index</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>pixel</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>pixel ordering of an input map whose file does not state it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>pixel ordering of the mask</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>pixel ordering of the output; default: ordering of the input</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>pixel ordering of the target map</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>planes of a cube, by name or number from 1, such as 1,3-5</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>polarized amplitude</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>position angle of the major axis of an elliptical beam, from north through east on the map</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>position error in CATALOG2: a column, or an angle for all rows; default: the column of --errors</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>positive</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>precision of the stored result; default: precision of the input</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>print only errors</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>print the figures of the result as one JSON value</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>profile</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>profile of --apodize</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>project</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>project a view of a map to a FITS image with world coordinates</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>projection of the sky</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>projection of the target image</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>quadrature weights of the analysis</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>quantity to correlate: values, values minus their mean, or that divided by the mean</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>radius of a circle around --center</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>radius of the disc cut around each row of --catalog</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>radius where the kernel ends, for --method ring or direct</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>random points per data point in each set of --random-from</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>range</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>range of the colors as two percentiles of the pixels</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>read from the file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>read from the file, else cosmo</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>read the spectrum file as C_l</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>read the spectrum file as D_l = l (l + 1) C_l / (2 pi)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>region</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>regions in DS9 notation, such as &quot;circle(120,30,5)&quot;; in the frame of the mask unless they name another</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>regions in DS9 notation, such as &quot;circle(184.5,-5.8,1)&quot;; in --frame unless they name another</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>relative residual at which a least-squares analysis ends; instead of --iterations</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>remove</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>remove the sources of a catalog from a map: subtract them, or fill discs from around</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>replace an existing output</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>replace the result by its complement</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>report</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>residual</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>resolution in pixels per inch, which sets the size of text</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>resolution of a HEALPix map as the target</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>resolution of the map</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>resolution of the mask</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>resolution of the output; --degrade combines the values</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>ring</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>rotate the map and its polarization to this frame</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>rotation of the view, counterclockwise from north up</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>rows to write: pairs, all rows of the first catalog, or the rows of one catalog without a partner</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>same</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>sample</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>scale from value to color</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>scale of Mexican hat and top hats, in sigmas of the beam (FWHM / 2.355)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>scale of least noise</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>scale of the x axis of a curve</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>scale of the y axis of a curve</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>search once; by default the brightest sources are subtracted and the map is searched again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>second catalog</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>second catalog, for the cross correlation</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>seed of random points and bootstrap resamplings</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>seed of the random numbers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>seed of the sources of --inject</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>sets of random points for correlate</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>shade the colors by line integral convolution along the polarization</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>shape</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>show east to the right, as on a map of the Earth</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>shrink bad areas by this angle</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>sign of the sources that the catalog holds; sources of the other sign are found and subtracted as well</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>single</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>size of a pixel</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>size of the picture in pixels</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>size of the target image in pixels</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>slope q of the source counts dN/dS ~ S^-q, for DEBFLUX</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>smooth</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>smooth T, Q and U together, through T, E and B</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>snr</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>sources</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>spacing of meridians and parallels; 0deg draws none</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>spacing of rods that show the polarization of Q and U, at the center of the view</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>spacing of the bins of --bins</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>spatial MOC; of several, a pixel in any counts</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>spectral index of the sources in several maps: flux density proportional to frequency^index</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>spectrum</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>standard deviation of Q and U per pixel, in the unit of the map; the noise bias of amplitudes is removed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>stats</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>strokes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>subtract</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>subtract the monopole, or monopole and dipole, fitted to the good pixels of each scalar field</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>subtract the monopole, or monopole and dipole, fitted to the good pixels of the scalar field, before the analysis</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>such that the full sky fits</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>sum</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>symlog</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>symmetric-difference</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>synfast</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>table of positions as the target</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>tapered-sinc</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>text</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>text file or table of bin edges in degrees, instead of --bins</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the first</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>title above the sky</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>top-hat-difference</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>topocentric</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>transform T, Q, U to T, E, B</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>treat --brightness as magnitudes, which decrease with brightness</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>treatment of bad pixels: they count as zero (ignore), or the result is divided by the smoothed mask (normalize)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>union</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>unit</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>unit beside the label of the color bar</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>unit of the field</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>unite, intersect or subtract coverage maps and masks</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>unknown frame</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>upper end of the histogram</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>value at the lower end of the colors, in the unit of the map</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>value at the upper end of the colors, in the unit of the map</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>value columns; flux_* selects all whose names begin with flux_; each element of a vector column is a channel</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>value of a larger pixel: mean or sum of its children (default by unit: sum for counts and probabilities per pixel, mean otherwise)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>value of a pixel larger than those of MAP or --with: least value of the pixels in it (with --frame: overlapping it), their mean, or the value at its center</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>values</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>velocity frame of the output channels of single-dish spectra; each row is shifted by its time and direction</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>weight column of DATA, and of other catalogs that have it; rows with -99, -999 and the like are left out, other negative weights are refused</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>weights</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>width of the rings of the profile</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>write D_l = l (l + 1) C_l / (2 pi) instead of C_l, in text</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>write a partial map of the pixels with a value</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>write a partial map of the pixels with samples</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>write flux densities in Jy, from the unit of the map, the beam and --frequency</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>wxh</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>armilla</name>
    <message>
        <source>estimate from %1 of %2 points</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 of %2 samples</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>wide cells</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>all cells</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>all %1 sample(s)</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>exact: all %1 point(s)</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
</context>
<context>
    <name>armilla::AboutDialog</name>
    <message>
        <source>About Armilla</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>An armillary sphere</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&lt;p style=&apos;font-size:large&apos;&gt;&lt;b&gt;Armilla %1&lt;/b&gt;&lt;/p&gt;&lt;p&gt;Explore and analyse HEALPix maps of the whole sky.&lt;/p&gt;&lt;p&gt;Free software under the GNU General Public License, version 3 or later. It comes without any warranty.&lt;/p&gt;&lt;p&gt;Built with Qt, CFITSIO, HEALPix C++, WCSLIB, Highway, libepoxy, QCustomPlot and CLI11.&lt;br&gt;HEALPix: K. M. Górski et al. 2005, ApJ 622, 759.&lt;/p&gt;</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>armilla::Autosave</name>
    <message>
        <source>%1: expected a folder to save the session in, found none that can be written to; it will not come back after a crash</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the latest changes will not come back after a crash: %1</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>armilla::CandidateList</name>
    <message>
        <source>Filter: words of the name or note, SNR &gt; 7, |GLAT| &gt; 20</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Filter of the candidates</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>undecided</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show candidates without a verdict</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>accepted</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show accepted candidates</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>rejected</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show rejected candidates</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>unsure</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show candidates that are marked unsure</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Columns</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose the columns of the list</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Grid</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show the candidates as stamps (G)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Candidates</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%L1 of %L2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Which candidates the list shows</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>All verdicts</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>None</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>armilla::CandidateModel</name>
    <message>
        <source>Verdict</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Class</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Note</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Match</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>armilla::ColorBarWidget</name>
    <message>
        <source>linear</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>log</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>symlog</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>asinh</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>histogram</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Color bar</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>armilla::ColorPanel</name>
    <message>
        <source>Histogram with the ends and the middle of the color range</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Low end of the color range, in the unit of the map</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>High end of the color range, in the unit of the map</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Color map</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reverse the color map</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Scale of the colors</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Half width of the linear part, in the unit of the map</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Scale</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>1–99 %</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>2.5–97.5 %</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>min–max</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>symmetric</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Percentiles of the range</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Share of the good pixels that the range takes in; symmetric: the larger end of 1–99 %, either side of zero</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>In view</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Whole map</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Set the range from the pixels in the picture, now</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Set the range from all good pixels of the map</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Color of bad pixels</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Color of its own for values below the range; again: none</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Color of its own for values above the range; again: none</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>expected values above zero for a logarithmic scale, found none; symlog and asinh show both signs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>expected good pixels within the range for a histogram scale, found none</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>expected good pixels in the picture to take the range from, found none: turn or zoom out</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>expected good pixels to take the range from, found none</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>expected two numbers, the low end below the high end; found “%1” and “%2”</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>expected a positive number as linear width, found “%1”</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>automatic</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>custom</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>linear ±</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Values closer to zero are on a linear scale</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>from a file…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Colors from a file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tables of colors (*.txt *.csv *.dat *.rgb *.lut *.tsv);;All files (*)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>own colors</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Colors</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Range</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>armilla::CorrelatePanel</name>
    <message>
        <source>exact</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Randoms from the map shown</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Random points lie evenly on the pixels of the map on screen that are neither 0 nor bad</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>w(θ)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The correlation function</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>pairs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Numbers of pairs DD, DR and RR</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>covariance</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How the errors of the bins go together</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>log θ</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Logarithmic axis of the angle</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>log y</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Logarithmic vertical axis</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Least squares with the errors, or the covariance where it is known</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Export…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Write the exact result to a file: FITS, VOTable, ECSV or CSV</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>w = A θ^(1−γ), θ in degrees: A = %1, γ = %2; χ² = %3 of %4 bins</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>power law</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no fit: %1</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>armilla::CpuCanvas</name>
    <message numerus="yes">
        <source>CPU · %n thread(s)</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
</context>
<context>
    <name>armilla::CredibleContours</name>
    <message>
        <source>Credible regions of %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 %: %2</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>armilla::CursorReadout</name>
    <message>
        <source>lon</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>lat</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>polarized amplitude</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>polarization angle</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>bad pixel</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>not covered</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 in %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>row %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 · pixel %2, %3 · %4</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Value (IAU)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Value</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>COSMO</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>turned to %1, COSMO</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>turned to %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 (COSMO)</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>armilla::CurvePlot</name>
    <message>
        <source>Plot of the curves</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Drag and wheel move and zoom the axes; double click shows all</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>point</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>correlation of points, −1 to 1</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>armilla::DataPanel</name>
    <message>
        <source>Rows of the catalog</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>log x</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Logarithmic horizontal axis</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>log y</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Logarithmic vertical axis</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>correlations</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How the errors of the points go together</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>pairs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Numbers of pairs in place of the correlation</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>plane</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>pixel %1, %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 · pixel %2, %3 at the cursor</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>armilla::Document</name>
    <message>
        <source>Open %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Close %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Rename %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Keep %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Move divider</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Move view</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Change graticule</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Polarization rods</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Change colors</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Make %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>One map</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Side by side</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Blink</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Swipe</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Frame: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>East to the right</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>East to the left</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Close all</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Hide %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Opacity of %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Plane of %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Markers of %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>field %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>P</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>angle</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Projection: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Compare with nothing</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Compare with %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Colors of %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Polarization</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Link %1 again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Frame of %1: unknown</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Frame of %1: %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Move %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Zoom to data</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>armilla::ExportDialog</name>
    <message>
        <source>&amp;Resolution</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>PNG picture</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>PDF, labels as vectors</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>SVG, labels as vectors</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>FITS image with WCS</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source> px</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Width in pixels</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Height in pixels</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source> dpi</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Format</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Width</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Height</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Export…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Drawn anew at this size: %1 × %2 mm, with graticule, color bar and title.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The values of the map under each image pixel&apos;s center, in its unit, with the projection on screen as world coordinates.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 files (*.%2)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy command</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy the armilla command that makes the same file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Export figure</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Export view as FITS</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>armilla::FilterPanel</name>
    <message>
        <source>Live</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The sky follows width, order and kind: by what is known of it from the filter before, and exactly once they rest</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>State of the live filter</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Keep</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Keep the filtered map as a map of its own</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Discard</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>End the preview and show the map as it was</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Swipe</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Blink</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The map and the filtered one; again for one picture</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>working…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 ms</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>every pixel, as Run makes it · %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>every pixel · %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>nside %1 of %2 · %3 · refining</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>as soon as FWHM or a beam is given</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>armilla::GlCanvas</name>
    <message>
        <source>OpenGL 3.3 is not available here</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>CUDA cannot draw here: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 · %2 (software)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The map does not fit on the graphics card (%1)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The graphics card cannot hold nside %1: the picture is drawn from means at nside %2; values read out stay exact</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>OpenGL does not answer here</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>OpenGL runs in software here (%1)</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>CPU · %n thread(s), shown by OpenGL</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
</context>
<context>
    <name>armilla::GridPanel</name>
    <message>
        <source>preview</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Fit samples</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>An image around the samples, a kernel as wide as their density asks for, cells of a third of it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>From view</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>An image of what the sky view shows</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Go there</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Turn the sky to the target</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Channel</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Channel of the preview</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The channel that the preview shows; Run makes all</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 × %2 cells of %3</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>armilla::GuideDialog</name>
    <message>
        <source>Guide</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>armilla::HeaderDialog</name>
    <message>
        <source>Find a keyword or value</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Header of the file</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>armilla::HistogramWidget</name>
    <message>
        <source>Histogram with the color range</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>From %1 to %2 %3</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Low end: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>High end: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Middle of the colors: %1
Double click: back to even</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>armilla::InspectorWidget</name>
    <message>
        <source>Inspector</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A close look at the place under the cursor</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Pin this place (P)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Pin the inspector</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Fold or unfold (Return)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Fold the inspector</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Inspector · gnomonic %1%2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source> · pinned</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Move over the sky</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>gnomonic %1%2</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>armilla::Interop</name>
    <message>
        <source>%1 has taken %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 did not take %2: %3</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>regions</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Send %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>expected a view in a frame that is known, to send a position of it, found none</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>expected a catalog that the other programs know, found one that was not sent yet</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>From %1: %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Rows from %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>cancelled</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>armilla::InteropMenu</name>
    <message>
        <source>&amp;Interop</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Connect to other programs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>By SAMP, through the hub of this desktop: TOPCAT, Aladin, DS9, Python</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Send &amp;layer to</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The layer that is chosen in the list</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Send &amp;coverage to</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Where the map is above one half, as a MOC</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Send &amp;regions to</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The regions that are drawn, as a MOC</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Send &amp;position to</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The middle of the view</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Send &amp;rows that are listed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Those of the candidates above the threshold that the filter shows, to programs that have the catalog</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>nobody takes it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;all programs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>SAMP …</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>SAMP · nobody else</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>SAMP · %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>SAMP · %n program(s)</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
</context>
<context>
    <name>armilla::JobsPanel</name>
    <message>
        <source>%1 s left</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 min left</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Progress of %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>waiting</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>stopping</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Dismiss %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cancel %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing is running.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Jobs</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>armilla::LivePart</name>
    <message>
        <source>Live</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A preview follows every change: coarse at first, then finer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>State of the preview</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 · %2 ms</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 · refining</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>working…</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>armilla::LiveTool</name>
    <message>
        <source>Preview of %1</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>armilla::LookPanel</name>
    <message>
        <source>circle</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>disc</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>square</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>diamond</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>cross</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>plus</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Shape of the markers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Size of the markers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Size of the markers on the screen, in pixels</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Opacity of the layer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How much of what lies beneath is covered</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Color of the markers…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Color of the markers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Shape</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Size</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Opacity</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Plane of the cube</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The plane of the cube that is shown</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Plane</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Color of %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 px</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 %</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Color</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Color of the curve…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Color of the curve</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>armilla::MainWindow</name>
    <message>
        <source>start</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>History: choose a step to go back to</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>History</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Smooth</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Color</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Spectrum</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Jobs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Position, value and pixel under the cursor</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1; computing on the CPU</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The program ended unexpectedly the last time. Its maps and views can be made again from their files and recipes.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Restore</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Discard</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Comparing takes two maps: open another one, or move the beam slider and compare with the smoothed sky.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 – Armilla</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Armilla</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 · %2 ms</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stopping: the jobs end, then the window closes.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stopping – Armilla</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Armilla sessions (*.armilla)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Save session</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open session</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>There is no spectrum yet: it is computed while the Spectrum panel is open.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Export spectrum</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copied: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Point at the sky first: then this copies position, value and pixel.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>RING %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>NESTED %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The program was ended from outside the last time, and its work was saved. Its maps and views can be made again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Filter</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Sources</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Grid</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Correlate</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Regions</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Match</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Mask</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Convert</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Project</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Analysis</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Synthesis</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Spectra</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Random</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Remove</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Coverage</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Map w(θ)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Layers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Data</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Smooth with a beam, live while the slider moves</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Angular power spectrum of the map that is shown</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open maps, catalogs, images or curves</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How the picture is made, on what, and how long the last one took.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Memory held:</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open &amp;all</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%1 holds %n more: </source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>The last session had results that were not exported. They can be made again from their files and recipes.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>expected a view and a catalog whose frames are known to go to a row by its name, found one of unknown frame</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>found in %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Maps, catalogs, images, curves (*.fits *.fit *.fits.gz *.fits.fz *.vot *.xml *.csv *.ecsv *.txt)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The good pixels of this map are all around the sky.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This layer does not come from a file.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Header of %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Find the file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Export %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Programs that are connected by SAMP</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>expected a map whose frame is known to show a position that another program has sent, found one of unknown frame</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%n row(s) of %1 chosen by another program</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>&amp;Forget them</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Read regions</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>DS9 regions (*.reg);;All files (*)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Write coverage</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Write regions</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>FITS files (*.fits);;ASCII MOC (*.txt);;JSON MOC (*.json)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>DS9 regions (*.reg)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Export the accepted</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Export the verdicts</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Export the coverage of the accepted</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source> (IAU)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>expected a position, or a name that an open catalog, the program or a table of names in %1 has (%2), found &apos;%3&apos;</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>none there yet</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%n looked through</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>More names</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Go to a place</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>found as %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Text files of ℓ(ℓ+1)Cₗ/2π (*.txt *.dat)</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>armilla::MapsModel</name>
    <message>
        <source>detached · %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>
Detached: what it was made from is closed; its values stay.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>armilla::MapsPanel</name>
    <message>
        <source>&amp;Open…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Show</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Co&amp;mpare with this (Shift+click)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Use as mask for spectra</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy as co&amp;mmand</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Rename</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Discard preview</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing is open.
Drop a map or a catalog on the window,
or open one with %1.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Layers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Find a layer or field</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1, not found: %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Find the file of %1…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Try %1 again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Close %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Hide</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Export %1…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Link again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open what it was made from again; its values stay as they are</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Close %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>and %n more</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Unknown, as the file has it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>State the &amp;frame</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Move &amp;up</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Move &amp;down</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>armilla::MaskBrush</name>
    <message>
        <source>expected what %1 was made of to be open, found it closed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Paint %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Erase a stroke</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Paint a stroke</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>armilla::MaskPanel</name>
    <message>
        <source>Mask to paint on</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>New</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A new mask of the map that is shown, to paint on</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cut</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Drag on the sky: what the brush touches becomes bad; with Alt good again. Ctrl and drag turns the sky</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Restore</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Drag on the sky: what the brush touches becomes good</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Radius of the brush</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Radius of the brush ([ and ] on the sky)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No mask to paint on</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose Cut and drag on the sky: a mask is made of the map.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Strokes: %1, %2 of them being painted</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Strokes: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The mask is being made.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>armilla::MessageBar</name>
    <message>
        <source>Messages</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Dismiss</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Dismiss message</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>Said %n time(s)</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
</context>
<context>
    <name>armilla::NameSearch</name>
    <message>
        <source>Look for %1</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>armilla::OperationPanel</name>
    <message>
        <source>Make this result, too</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>More</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Parameters that are seldom changed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Run</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Runs as a job; the result becomes a layer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy command</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy the armilla command that does the same</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>none</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1: see above</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>above %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>from %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>below %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>to %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a power of two</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Range: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>If empty: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>automatic</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose a file…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose a file</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>armilla::PolarizationMenu</name>
    <message>
        <source>&amp;Polarization</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Texture along it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Shades the colors by a texture along the polarization</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Rods below</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>hidden below %1 σ</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>all shown</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>By the noise of Q and U, as neighboring pixels tell it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Sign of U</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>as the file says, else &amp;COSMO</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>of the other sense (&amp;IAU, where a file does not say)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Length of rods</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>polarized &amp;amplitude</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>armilla::ReadoutWidget</name>
    <message>
        <source>Read-out under the cursor</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Value, pixel and position under the cursor, from the map itself</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Galactic</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Equatorial (ICRS)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Ecliptic</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Unknown frame</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>RING</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>NESTED</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Marker</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Image</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Position</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Frame unknown</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>armilla::RegionBook</name>
    <message>
        <source>expected a list</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>expected at most %L1</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%n region(s) that cannot be read were left out; the first: %1</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Draw %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Change %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Call %1 %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Remove %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Remove all regions</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>Add %n region(s)</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
</context>
<context>
    <name>armilla::RegionsPanel</name>
    <message>
        <source>Statistics of many, as a table</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Move</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose, move and reshape; Ctrl and drag turns the sky</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Disc</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Drag from the center</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Ring</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Drag from the center outwards</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Ellipse</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Drag from the center along the major axis</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Box</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Drag from the center to a corner</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Polygon</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A corner a click; a double click or Return ends it, Backspace takes one back, Escape lets go</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Regions</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Frame of the numbers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The region in numbers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>As DS9 writes it: circle(lon,lat,r), annulus(lon,lat,r1,r2), ellipse or box(lon,lat,a,b,angle), polygon(lon,lat,...); sizes with d, &apos; or &quot;; Return takes it, and adds one where none is chosen</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Histogram of the values in the region</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Mean in rings around the center of the region</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Read DS9 regions…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Write DS9 regions…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Write &amp;coverage (MOC)…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Mask that &amp;cuts them</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Mask that &amp;keeps them alone</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The chosen one &amp;excludes, or no longer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Delete the chosen one</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Delete &amp;all</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>expected a region such as circle(120.5,30,2d), found &apos;%1&apos;</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>expected a region to make a mask of, found none</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose a shape and draw it on the sky.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose a region in the list or on the sky.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Statistics of %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>pixels</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>mean</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%L1 pixels, %L2 good · %3 deg²
mean %4%5 · median %6
deviation %7 · %8 to %9</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>armilla::SampClient</name>
    <message>
        <source>expected a free port of this machine for SAMP, found none</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the SAMP hub at %1 did not take this program: %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>expected a SAMP hub that names this program and itself, found one that does not</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the SAMP hub refused what this program says of itself: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the SAMP hub at %1 does not answer: %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the SAMP hub refused a message: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no reason given</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>expected the hub to say so</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>expected a message type that this program takes, found %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the SAMP hub has ended</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the SAMP hub has ended the connection: %1</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>armilla::Session</name>
    <message>
        <source>Save %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>saved %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>expected a view of a field of a file, found one that no single command makes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Draw %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Make the sample sky</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>sample sky</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>expected two open maps to subtract, found fewer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Subtract %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>expected a map that is shown, to smooth it, found none</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Compare ways of masking · %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1, normalized − ignored</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>expected an open map for the spectrum, found none</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>expected an open map as the mask, found none</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>spectrum outside %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>spectrum</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Spectrum of %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>expected an open map to save a session of, found none</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Read %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Restore %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 was not restored: %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>smoothed with a beam</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>smoothed with a kernel</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>smoothed %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Prepare smoothing · %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Preview %1 · %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Smooth %1 · %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>expected a preview to keep, found none</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the session of the last time</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 is written once the preview is complete</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>flux density is made by Run</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>several maps are filtered by Run</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>expected an open map, found none</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>cells of several orders are filtered by Run</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no live picture on %1, the way through the host goes on: %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>expected the map that was searched to be open, found none</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>stopped before it was open</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1: received from another program, and in no file but that of the running session; export it to keep it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1: expected the layer it is made from, found that it could not be restored</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 was not there any more; the same file was found as %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>stopped before it was restored</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Checksum of %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 is not the file it was when the session was saved</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the session of the last time could not be kept aside either</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What could not be read was kept as %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 was not read; the next start offers it again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>, ready to draw %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>, on the device %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Plans of live smoothing: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Undo: %1 of at most %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Together: %1, on the device %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Together: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>expected the preview to be completed before it is written, found it stopped</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>accepted sources · %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Frame of %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>expected a list</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%n threshold(s) of candidates that cannot be read were left out; the first: %1</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n file(s) could not be opened: %1</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n other layer(s): %1</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>, and %n closed layer(s) as recipe(s)</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>expected the beam of the search to be open, found none</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>expected a layer that was opened, or made of files that were, found one that no single command makes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1, which spreads over all l; the tool Convert subtracts it (remove)</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>armilla::SettingsDialog</name>
    <message>
        <source>Settings</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>as the system</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>dark</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>light</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>automatic</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>OpenGL</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>CUDA</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>CPU</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How the picture is made; automatic takes the fastest that works here</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What the program computes on</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>all %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>CPU threads of each job that starts from now on</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Theme</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Draw with</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Compute on</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>T&amp;hreads</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>connect at the &amp;start</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>By SAMP, where a hub runs; windows that are opened from now on</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Other programs</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>armilla::ShortcutsDialog</name>
    <message>
        <source>Shortcuts</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>drag</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>turn the sphere under the hand</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>wheel</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>zoom towards the cursor</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>double click</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>center there</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Shift+drag</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>measure an angle</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>arrow keys</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>turn</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>+  −</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>zoom</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>[  ]</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>turn about the line of sight</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Home</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>whole sky</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Space</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>other picture while blinking</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Escape</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>end measuring, dismiss a message</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Shift+click in the list</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>compare with that map</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Commands</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>In the sky</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Space in the list</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>show or hide the layer</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>armilla::SkyOverlay</name>
    <message>
        <source>%1 · PA %2°</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 · working…</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>armilla::SkyViewWidget</name>
    <message>
        <source>This display has no OpenGL</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1; the CPU draws instead</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 · %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No map is open</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Preparing %1…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No map is shown</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Sky view</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Drag turns the sky, the wheel zooms, a double click centers, Shift and drag measures</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Center here</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy &amp;position</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy &amp;value</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>P&amp;in inspector here</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Unpin inspector</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Clear &amp;measurement</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Whole sky</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source> · P &gt; %1 σ</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source> · U taken as IAU</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source> · U of IAU, as the file says</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source> · U of COSMO</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Drop a map or a catalog here, or press Ctrl+O</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Frame unknown: not at its place on this sky</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>In %1, the view is of an unknown frame</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Not at its place on this sky: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%n layer(s) elsewhere than on this sky</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
</context>
<context>
    <name>armilla::SmoothPanel</name>
    <message>
        <source>K(θ)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The kernel over the angle from its center, per steradian. The dotted line is half the beam&apos;s width.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>b(ℓ)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What the beam leaves of each multipole ℓ, from 0 to 1.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Beam FWHM</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Full width at half maximum of the Gaussian beam, with its unit:
60arcmin, 1deg, 30arcsec, 0.01rad, 60′, 1°</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Beam width (FWHM) with unit</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Beam width (FWHM), 1 arcminute to 60 degrees</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Beam width from 1′ to 60°. The sky is smoothed while it moves.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How the convolution is done. Automatic takes the fastest that is exact enough for this width.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Smoothing method</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Estimated rms difference from the true convolution, relative to the rms of the map</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>normalize</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>ignore</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Treatment of masked pixels</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show the difference of normalize and ignore</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Smooth both ways with this width and show normalize − ignore as a map of its own</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>none</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Every pixel of this map is good: normalizing changes nothing</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>T, Q and U together, through E and B</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Smooths the polarization as a spin-2 field instead of this field alone</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Method</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Estimated error</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Masked pixels</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Before / after</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Swipe</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Blink</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Difference</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Compare the map before and after smoothing; again for one picture</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Keep</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Make the result at full resolution and keep it as a map of its own</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Export…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Write the smoothed map as HEALPix FITS</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy command</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy the armilla command that makes the same file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Discard</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>End the preview and show the map as it was</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>LIVE · %1 ms · %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>ℓ %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 rms</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>exact to rounding</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>normalize: the mean of the good pixels under the beam, so that the sky keeps its level beside a mask.
ignore: masked pixels count as zero, so that the sky fades towards a mask.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>working…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>move the slider</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Share of the sky that is masked or not covered</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The map before smoothing minus the smoothed one, as a map of its own</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>For maps with fields T, Q and U</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 %</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>exact in view, refining</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>nside %1, refining</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>LIVE · %1 ms · exact in view, refining</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>ℓ ≤ %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>within %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1, %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Run</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Smooths the image as a job; the result becomes a layer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 is an image: it is smoothed by a job, along rows that are whole rings. Only maps are smoothed live.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>as a job</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&lt; 0.1 %</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&gt; 99.9 %</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>armilla::SourceReview</name>
    <message>
        <source>original</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>filtered / noise</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>residual</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Expected false candidates</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Match with %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source> · %n more</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Places of candidates</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the places of the candidates are looked through: in a moment</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>expected a column of numbers, found %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>expected a condition such as |GLAT| &gt; 20, found %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>expected a condition such as SNR &gt; 7, found %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Markers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>row %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1: expected a position to decide upon, found none</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%n candidate(s) without a position took no verdict</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 %n candidate(s)</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Threshold %1 σ</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Accept</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reject</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Unsure about</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Take back the verdict on</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Class %1 for %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No class for %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Note on %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>blended</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>near a mask</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>near a brighter source</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>extended</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>not fitted</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>armilla::SourcesPanel</name>
    <message>
        <source>Find candidates</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The search that makes candidates of a map</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Catalog to go through</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The catalog whose rows are gone through</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Accept</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Accept (A), and on to the next</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reject</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reject (R), and on to the next</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Unsure</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Unsure (U), and on to the next</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Note (N)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Note on the selected candidate</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Take home</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Catalogs and masks of what was decided</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Catalog with &amp;verdicts…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Catalog of the &amp;accepted…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Accepted as a &amp;layer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Mask of the accepted, discs of %1 beams</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>C&amp;overage (MOC) of the accepted, discs of %1 beams…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The map without the accepted, &amp;subtracted</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The map without the accepted, discs of %1 beams &amp;filled</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Accept all that are listed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reject all that are listed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Accept the candidate</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reject the candidate</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Unsure about the candidate</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Class %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Write a note</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Next candidate</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Previous candidate</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Blink map and filtered map</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Fit the candidate</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Match with another catalog</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Candidates as stamps</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No catalog</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>, %L1 expected to be false</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%L1 undecided</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%L1 accepted</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%L1 rejected</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%L1 unsure</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%L1 without a candidate now</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Decided places that no row lies at any more:
%1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%L1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Row %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source> · SNR %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source> · class %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Catalog to match with</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Match the candidates with another open catalog (M: the next one)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Largest separation</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Largest separation, as 2&apos; or 30&quot;; or the word errors: 3 sigma of both POS_ERR</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>all</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Every pair within reach; else the best, no row in two pairs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>expected an angle such as 2&apos;, or errors, found &apos;%1&apos;</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Not matched</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Match: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%L1 of %L2 have a partner</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>expected an open map to fit to, found none</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Fit %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 away, ± %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Beam of %1: %2 %3, %4</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Gaussian: %1 %2, %3 × %4 at PA %5°, %6</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>No fit settles here (%n pixel(s) with a value)</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>expected a second catalog to match the candidates with, found none open</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%L1 row(s); no column of signal to noise</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>SNR ≥ %1: %L2 candidate(s)</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Choose a catalog to go through, or find candidates in a map.</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>|SNR| ≥ %1: %L2 candidate(s)</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
</context>
<context>
    <name>armilla::SpectrumPanel</name>
    <message>
        <source>log ℓ</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Logarithmic axis of multipoles</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>log C</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Logarithmic axis of power</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>ℓ(ℓ+1)/2π</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Mask of the spectrum</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Map whose first field weighs the pixels, 0 to 1: zeros are left out</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Export the spectrum</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>map</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>smoothed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>whole sky</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>outside mask</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source> · preview</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no mask</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>of %1 · %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Power in each logarithmic band instead of Cₗ</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 % of the sky</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Write the spectrum as FITS, text or a table…</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>armilla::SpectrumPlot</name>
    <message>
        <source>Angular power spectrum</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Drag and wheel move and zoom the axes; double click shows all</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>ℓ</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>armilla::StampGrid</name>
    <message>
        <source>Candidates as stamps</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 σ</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source> · class %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No candidates to show</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>armilla::StampStrip</name>
    <message>
        <source>The selected source on every open map</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 to %2 %3</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose a candidate in the list or on the sky, or press Space.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 to %2 %3, rings; line: beam</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>armilla::ThresholdHistogram</name>
    <message>
        <source>Threshold on the histogram of candidates</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Candidates by their signal to noise; the line: those that are expected to be false. Drag the threshold, or use the arrow keys.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>armilla::ToolDock</name>
    <message>
        <source>Collapse or expand %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 panel</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Detach or attach %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Hide %1 (Window menu brings it back)</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>armilla::ToolRail</name>
    <message>
        <source>Tools</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>armilla::Verdict</name>
    <message>
        <source>accepted</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>rejected</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>unsure</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>armilla::VerdictBook</name>
    <message>
        <source>%1: expected at most %L2 verdicts in a session, found %L3</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>expected a list</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>expected at most %L1</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%n verdict(s) that cannot be read were left out; the first: %1</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
</context>
<context>
    <name>armilla::WindowActions</name>
    <message>
        <source>Show the sky in %1 coordinates</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Graticule</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Meridians and parallels of the frame (Ctrl+G)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1°</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Automatic</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Distance of the lines</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Polarization &amp;rods</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Rods</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Direction and strength of the polarization, for maps with Q and U</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Single</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>One map</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Swipe</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Two maps with a divider to drag</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Blink</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Two maps in turn</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Side by side</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Two maps beside each other, moving together</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;File</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;New window</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Open…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open &amp;recent</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open s&amp;ample sky</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open sess&amp;ion…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Save session…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Export &amp;figure…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Export &amp;view as FITS…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Export s&amp;pectrum…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Close window</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Quit</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Edit</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Undo</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Redo</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Copy position and value</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy as co&amp;mmand</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Go to position</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Settings…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;View</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Frame</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Graticule &amp;step</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>East to the r&amp;ight</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The geographer&apos;s view; astronomers look from inside, east to the left</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Zoom &amp;in</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Zoom &amp;out</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Whole sky</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Inspector</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>F&amp;ull screen</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Map</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show &amp;field</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Next map</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Previous map</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Rename</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Analysis</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Smooth</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>S&amp;pectrum</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Window</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Reset layout</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Help</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Shortcuts</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;About Armilla</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>View</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Frame of the view</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Frame in which the sky is shown</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>83.63 −5.39, 12h34m…, M42</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Go to position or name</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Two numbers: degrees in the frame of the view. 05:35:17 −05:23:28 or 05h35m17s −5d23m28s: equatorial (ICRS). Or a name.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>none yet</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Difference</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The first map minus the second, as a map of its own (Alt+5)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Credible regions</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The smallest regions that hold 50 and 90 % of a probability map</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Zoom to &amp;data</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Close layer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>File &amp;header…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Close &amp;all layers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Left column</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Layers, history and jobs (F9)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Guide</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Frame unknown</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>12h34m −5d23m, M42</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>position, M42</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>M42</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The file does not say its frame: state the one it is in</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Move &amp;up</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Move &amp;down</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Export layer…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What is chosen in the list: maps and images as FITS, catalogs and curves as FITS, VOTable, CSV or ECSV</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Projection</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Projection: %1</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>main</name>
    <message>
        <source>Explore and analyse HEALPix maps of the whole sky.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Maps to open.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>system, dark or light.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
</TS>
