<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="en_US" sourcelanguage="en">
<context>
    <name>QFileDialog</name>
    <message>
        <source>All files (*)</source>
        <translation type="unfinished"></translation>
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
        <source>linear within ±</source>
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
        <source>Range of</source>
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
</context>
<context>
    <name>armilla::CpuCanvas</name>
    <message>
        <source>CPU · 1 thread</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>CPU · %1 threads</source>
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
</context>
<context>
    <name>armilla::Document</name>
    <message numerus="yes">
        <source>%1 and %n more</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>multi-order</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>partial</source>
        <translation type="unfinished"></translation>
    </message>
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
        <source>Compare</source>
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
        <source>Mollweide projection</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Gnomonic projection</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Globe</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cartesian projection</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Lambert projection</source>
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
        <source>Maps</source>
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
        <source>Open maps</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Position, value and pixel under the cursor</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How the picture is made, on what, and how long the last one took</source>
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
        <source>FITS files (*.fits *.fit *.fits.gz *.fits.fz)</source>
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
        <source>Export map</source>
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
</context>
<context>
    <name>armilla::MapsPanel</name>
    <message>
        <source>No map is open.
Drop a FITS file on the window,
or open one with %1.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open maps</source>
        <translation type="unfinished"></translation>
    </message>
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
        <source>&amp;Export map…</source>
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
        <source>&amp;Close map</source>
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
        <source>Value</source>
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
        <source>expected a map that was opened, or smoothed from one that was, found one that no single command makes</source>
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
        <source>%1: expected the map it is made from, found that it could not be restored</source>
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
        <source>expected a smoothed preview to keep, found none</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 files could not be opened: %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the session of the last time</source>
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
        <source>Mollweide</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>gnomonic</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>globe</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cartesian</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Lambert azimuthal</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This display has no OpenGL</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>OpenGL runs in software here (%1)</source>
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
        <source>Drop a HEALPix file here, or press Ctrl+O</source>
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
</context>
<context>
    <name>armilla::SmoothPanel</name>
    <message>
        <source>harmonic</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>ring</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>direct</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>automatic</source>
        <translation type="unfinished"></translation>
    </message>
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
        <source>%1, ℓ ≤ %2</source>
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
        <source>Power in each logarithmic band instead of C_ℓ</source>
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
        <source>Write the spectrum as FITS or CSV…</source>
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
        <source>%1 · f_sky %2%3</source>
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
    <name>armilla::WindowActions</name>
    <message>
        <source>Mollweide</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The whole sky, areas true</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Gnomonic</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A close view, great circles straight</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Globe</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The sphere from outside (orthographic)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cartesian</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Longitude and latitude as a rectangle</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Lambert</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The whole sky as a disc, areas true (azimuthal)</source>
        <translation type="unfinished"></translation>
    </message>
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
        <source>&amp;Export map…</source>
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
        <source>&amp;Close map</source>
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
