// SPDX-License-Identifier: GPL-3.0-or-later
// HealSparse maps: files of healsparse 1.15 itself, files made byte by byte, damaged files, and
// what the program writes, decoded here by the format's own rule.
#include <QtTest>
#include <functional>
#include <map>

#include "armilla/core/error.h"
#include "armilla/core/pixel_geometry.h"
#include "compute/map_files.h"

using namespace armilla;
using namespace armilla::testing;

namespace {

// Files of healsparse 1.15 with astropy 7, compressed by gzip, in base64:
// import numpy as np, healsparse as hs, gzip, base64
// p = np.array([70, 71, 100, 5000, 5001, 12287])
// m = hs.HealSparseMap.make_empty(4, 32, np.float32); m[p] = np.float32(p / 7)            # floats
// m = hs.HealSparseMap.make_empty(4, 32, np.int16, sentinel=-5)                           # ints
// m[p] = (p % 120 - 60).astype(np.int16)
// m = hs.HealSparseMap.make_empty(4, 32, bool, bit_packed=True); m[p] = True              # packed
// m = hs.HealSparseMap.make_empty(4, 32, hs.WIDE_MASK, wide_mask_maxbits=12)              # mask
// m.set_bits_pix(p, [2]); m.set_bits_pix(p[::2], [9])
// m.metadata = {'BIT2': 'SATUR', 'B0009VIS': 812, 'B0009CCD': 33}
// v = np.zeros(6, [('n', 'i4'), ('w', 'f8')]); v['n'] = p; v['w'] = p / 3                 # records
// v['w'][1] = -1.6375e30
// m = hs.HealSparseMap.make_empty(4, 32, v.dtype, primary='n'); m[p] = v
// m.write('s.hsp'); base64.b64encode(gzip.compress(open('s.hsp', 'rb').read(), 9, mtime=0))
// clang-format off
const char* const kFloats =
    "H4sIAAAAAAACA+3ZyW8bVRwH8EmVSHBBASEEUguvqFVAqGlst6EIGjqOJ8lI3hRPq2BFiibxJBnwxnhCm55IOCHEkl"
    "JR0QsSfwHKGYkeERfq7HucfWv2zVnL2P5GjV3badyAhPS+kuXYH89Pb2bec6zfc/AWu5kj5CpJEoFcJDU+b61P8QSI"
    "6iMlvOAgAVX0ukTFRZLGyAt2viJ5vcJLWj1RUcRG4hJVkaiNfokcEStbwTtIivHptHreBk+1pBBf7UFl2SN5A7LPG0"
    "hdT5e0nu4DPTl2uAqBs5pSXr9jR7t4wid2TquXV8axZoedLXdweSTjWB28iUt1/S5ldL5W1hIdX7HtRvSt5xidVi9y"
    "8WhoaGhoaGho/kdhEvI4li/xfA3PeH//AZ7h+/B9+B58D74H34Pvwnfhu/Bd+A58B74D34Fvw7fh2/Bt+BZ8C74F34"
    "KH4WF4GB6Gb8I34ZvwTfgGfAO+Ad+Ar8PX4evwdfgafA2+Bl+Dr8JX4avwVfgKfAW+Al+BL8OX4cvwZfgSfAm+BF+C"
    "L8IX4YvwRfgCfAG+AF+Az8Pn4fPwefijBwmv4Y/weg4+h+Pn4HPwWfgsfBY+C5+Bz8Bn4DPwafg0fBo+DZ+CT8Gn4F"
    "PwSfgkfBI+CZ+AT8An4BPwcfg4fBw+Dh+Dj8HH4GPwUfgofBQ+Ch+Bj8BH4CPwEDwED8FD8GH4MHwYPgwfgg/Bh+BD"
    "8EH4IHwQPggfgA/AB+AD8H54P7wf3g/vg/fB++B98F54L7wX3gvvgffAe+A98G54N7wb3g3vgnfBu+Bd8E54J7wT3g"
    "nvgHfAO+Ad8HZ4O7wd3g5vg7fB2+Bt8CA8CA/Cg/CH8IcHztDQ0NDQZJZI+9TB26xXSZ6Rtwqs0RzX7bxIqmWvqDQS"
    "Vax2S0S6pcaauyl/j6frP5MrJ9x/1p9o/zk2vpuyS62PlIudsewl1Y2qFEg7Pn3K/u7h8Sm+m4FIvVjhVP3nYtt1q5"
    "C8P37FEFevTvE1+IlfVESPpEpK8iGWpq6X2L+P1gsccT+EEp4zmxzPUq9Wltyu6BlLYk195PST1Yt026P3I6/YZrGX"
    "cw4HZ6oysQKbWVtbKLGVW2L1dHbjO4X6d5+vP+7kLWxpuv2ZJ0uixudVRVmbdzU+j1+RAgHJRWSPWBd3r51P1hsqk/"
    "j1xkePOHqhHdTDgksyvgsG/fHXmxML7qT2e5xYcEnq6S8XZnA/sECSjq8gbnxHrAzUK01TL4P14RR4M6dLs/8WkG9L"
    "0a8X2S1FN/WqpcMT5ql6xRZ7ZIlo86XUydur9Inz5eDYyFwR3XU+RVbrPWnvrwXrzWrjHZw2feLr1bp9oip764jfJ3"
    "tV8nmD6FXl29pbWn239IXkTqh3gzXrkn8/F+QXHL/eof2t2N5b4vl6tXsavX71cuAZ/jn9l/t5hgz2Lx2cVeCtnPlQ"
    "vQu6/ELD+5e59wwFx6+nfYGWsXbOlHQ+l9D9QRqaE+4/n8VP6SL8bdAeVdrjvPa489Y3LzBF37342anHO+EW/W93jb"
    "ns2bJfcxmm/q/7hUwWwxz+wMvZp898PJoVPnevuam5rfwjkvN9ZfbrBbdKQlk/Lv15vinrq09feTP0delLTHAh/5en"
    "jj5VWVl0J+cnY1NLsLz1Wvar5vtn2NfKmk/9/fu5VoY5zdzbSzyk5e1Q6129/8Nm/Q8/m96w5zC537b+EfkQDQ0NDQ"
    "0NDQ0Nzb+SfwCCzAmeAC0AAA==";
const char* const kInts =
    "H4sIAAAAAAACA+3Z2U4bVxzHcXe56W3vq5xKSCQVVWpDUHoRqcYMZFRvwpOIcJOO8QCjeEFjRwm94hGqPkGv+xQ8Qt"
    "j3fYew75ilY/uLAtQ2wUGVUp2fsLx8NH+dmXPO2JwTUn1BryLEE5EnmngomhPxloQVS4pUQtSpWkgkU3o8olsRkTc1"
    "qhZUG/PXq66y6+mWpXeIiJ7SRaqj3RA3xO9uVEOiQPucdr3461jYsESi5aKyGTPiSTMRTxau58xbz/mzS9w6SqOm+G"
    "sLXr9bx7542ougYtcrf6q4vaGguyGklIuS4w+ptUqh61dV0vn63b5s+zyB59mPPqF1dr3MxZORkZGRkZGR+YziuJbz"
    "XDp5/oVnPj/r4hk/w8/wU/wUP8VP8RP8BD/BT/A0nsbTeBo/xo/xY/wYP8KP8CP8CD/ED/FD/BA/wA/wA/wA38f38X"
    "18H9/D9/A9fA/fxXfxXXwX38F38B18B9/Gt/FtfBvfwrfwLXwL38Q38U18E9/AN/ANfANfx9fxdXwdX8PX8DV8DX/f"
    "de09/p73q/gqx6/iq/gKvoKv4Cv4Mr6ML+PL+BK+hC/hS/givogv4ov4Ar6AL+AL+Dw+j8/j8/gcPofP4XP4LD6Lz+"
    "Kz+Aw+g8/gM/g0Po1P49P4FD6FT+FT+CQ+iU/ik/gEPoFP4BP4OD6Oj+Pj+Bg+ho/hY/goPoqP4qP4CD6Cj+Aj+DA+"
    "jA/jw/gQPoQP4UP4ID6ID+KD+AA+gA/gA3g/3o/34/14H96H9+F9eC/ei/fivXgP3oP34D14N96Nd+Pd+Dv83YU7ZG"
    "RkZGRKS2b5NKQG/E9EeY3q19w13iurnQ9F2IzrVodI6eGoIYy3qdzibsHf48XWn8XjO15/dt3p+nOufW/MSKotUy53"
    "xmZchDtSRrJo+1wF13cvt89KvElm6uUKF1p/9gSe+bUC6/eVV+q1WonX7aJdt/SYkTKs/E2sL1Lv2vp9tl7yhv7Q6l"
    "TFWxv6mHotphGNZM/Y0JvbMqefr15mtT3bH+WegC/YoIRCSu3LWrfmLm1ZW6sLNPhy9ZzBmvuVlQ8+bX28SfW564vt"
    "z3yYEs2JeEo37XHXnIi1W0YyaUSEGdNbr/R104f5RmVxdb6p2SNunmgX9Zhw+drnrL79fGtiwt3Vfk8TEy5PPdej6h"
    "L6gwmSt30/XWnfDTODevVF6pUwP5o01as4i+y/Jc3fjeztxYwa2U29sHF5wPyrnscXzEwRe7w0qB7lpfP6eLk4NjNW"
    "9GhrwjJTbbGi/etjvtV4A55fQ2rT5Rv+1XrhaKL5Va7FBes9d3udBe7PlZn7c7v51ogmRbt9DXPlbhx/PsWVa98LTc"
    "kM7WvfR9m7caZctrK476wQrgpRVSESlnj8IF/7XMW+P25Z79L+W25v8Hp/xO0xl+3fNjP5EV+e/+V+Y2UJ+6shxa+p"
    "fsWbr96Pj25fz77BP3UHldq8/VEn9y9lPrv156/4Kf09r7+1H2X24xv7UZ1Z+k3f67Jf/mE/7p2fL5Z1Ohy/ORwVf6"
    "plub/O8/QPf//lcHxtw3fP7Gj2IV9kV6W/lP+gyMjIyMjIyMjI/K/yD1RQl5QALQAA";
const char* const kPacked =
    "H4sIAAAAAAACA+3Z2W4aVwDGcVRVatqLPsPplRPJUgK2quQikjGMnVHYZKaRw000mLE9qlk0ECXuVS/yQHkEP0K87/"
    "tux/u+tgP8rRgKOCaoUtXzSQjbP/HpMDNnwOeEVX/IpwjxXJSIJh6LjmSiM2nF0yKTFC2qFhbpjJ6I6VZMlEyzqoXU"
    "9tJ9vzbafbpl6b0ipmd0kelNGeKOBNztaliUGZ/T7ku8jUcNSyQ7b5rNuJFIm8lEunyfs2Sf85lL3DtKu6YEvGWP37"
    "1jHzztdUix++peKG5fOORuCyt1ouoEwqpXKXf8Gqt6vwG3Pzc+T/BV7k/fMDq7L3vwZGRkZGRkZGT+Q3EU5a98/uS5"
    "iWf+ft3HM36NX+NX+BV+hV/hl/glfolf4hf4BX6BX+Dn+Dl+jp/jZ/gZfoaf4af4KX6Kn+In+Al+gp/gx/gxfowf40"
    "f4EX6EH+GH+CF+iB/iB/gBfoAf4Pv4Pr6P7+N7+B6+h+/hu/guvovv4jv4Dr6D7+Db+Da+jW/jW/gWvoVv4Z/7in7H"
    "P/P7Jr7J6zfxTXwD38A38A18HV/H1/F1fA1fw9fwNXwVX8VX8VV8BV/BV/AVfBlfxpfxZXwJX8KX8CV8EV/EF/FFfA"
    "FfwBfwBXwen8fn8Xl8Dp/D5/A5fBafxWfxWXwGn8Fn8Bl8Gp/Gp/FpfAqfwqfwKXwSn8Qn8Ul8Ap/AJ/AJfBwfx8fx"
    "cXwMH8PH8DF8FB/FR/FRfAQfwUfwEXwYH8aH8WF8CB/Ch/AhfBAfxAfxQXwAH8AH8AG8H+/H+/F+/BP+6cYdMjIyMj"
    "LVJbt8GlaDgeeirlkNaO5mX8Fq52MRNRO61SsyerTHEMb7TH5xt+z38Urrz+JpjdefXTVdf86P750Zy3Rn6/Lv2EyI"
    "aG/GSFccn6vs+u7t8VnJd+lsX7643PqzJ/hbQCvd52oo6Ouykm9TIqVbetzIGFbpIbZW6Ctav8/1pe84H1qLqvi84a"
    "/p6zSNnljuHRt6R3f27Zfqy662585HnSfoD7Up4bDifeN1a+7qlrW1lmCbP9/nDDU/fPboG9fHI6rf3Vppf+bLlOhI"
    "JjK6aV93Hcl4yjLSaSMmzLjeVXCuI1/mG82icL6puVfcPdFu+phwtZpvESZcrfZ7Iky4Un0NVez3RJggJcf3pGB8d8"
    "wM+lor9FUxPyKa6lMq3V/S5h9G7vZi9hi5Tb2ocfuC+Uefxx/KThH7emlTPcobZ/H1cvPa7LWi93QlLTPTHa94fv3M"
    "t2Zf0PMyrEZu3/AL+6I9yY7f8yMu2/fK7XOWuT83ZO/PKfO90ZMWKfsY5uvuvP78iis/vteakr20iz6PcnfjbF2uWT"
    "x01gtXvWisF0lLPH1UanyuSvuX9+y7tf+W3xssPh8J+5rLnd9uM/0VH57/5n5jNfMtrAQ0NaD4Sh6/lvv3ZW9Xbs/L"
    "mu3X2h8YL9whxVur8cn9UJl7rj9/x1fpB/z8vf34yX78aD9+djj6Pjo+CPdpk+OJuHR8/PDLgybHD33yHw8ZGRkZGR"
    "kZGZn/Zf4GBc2QzQAtAAA=";
const char* const kMask =
    "H4sIAAAAAAACA+3ZS08bVxjG8UTdtOqitPuqZ0ciIQUbUpFFlBozwCi2sZjJzZtogEkYFdto7Cihq0j9AP1KfIRwv9"
    "/vEO73qzMz/qMAGRswdNFqHsky9k9+dcbnnDF6jyKHoyFJiMfCJap4IBqTiTdJM54S6aSollVFpNJaokkzm4RrKmU1"
    "Kr90r/d7uVVPM02tTTRpaU2k21p1cUkigZeyInKMz2fVS7yLN+imSL45rWzE9UTKSCZSuev5XOv5HvnFtSO9VKVIVc"
    "7v79qxvj9nFI9FsRJQn9VbfxaLG6SytLT00XNZcRlfhc9fYL1gsMrtesvKrl/PWizqq6hkX2+tFAgp0UC9It3giiOK"
    "XCXlWi/lBc1vJBB2xhese+68daP5cBaLFy9evHjx4uU/nTsXksnmI89/8Mz7J+084yf4CX6MH+PH+DF+hB/hR/gRfo"
    "gf4of4IX6AH+AH+AG+j+/j+/g+vofv4Xv4Hr6L7+K7+C6+g+/gO/gOvo1v49v4Nr6Fb+Fb+Ba+iW/im/gmvoFv4Bv4"
    "Br6Or+Pr+Dq+hq/ha/gavoqv4qv4Kr6Cr+Ar+Aq+jC/jy/gy/rn9wmv8M6+X8CU+v4Qv4Yv4Ir6IL+IL+AK+gC/g8/"
    "g8Po/P43P4HD6Hz+Gz+Cw+i8/iM/gMPoPP4NP4ND6NT+NT+BQ+hU/hk/gkPolP4hP4BD6BT+Dj+Dg+jo/jY/gYPoaP"
    "4aP4KD6Kj+Ij+Ag+go/gw/gwPowP40P4ED6ED+GD+CA+iA/iA/gAPoAP4P14P96P9+N9eB/eh/fhvXgv3ov34j14D9"
    "6D9+DdeDfejXfjXXgX3oV34Z14J96Jd+IdeAfegXfgn/BPp37HixcvXrwUFrt9qsh1kceiuFKOqIHK0Lnu3wPRYCQ0"
    "s02ktYYWXegf0tnmbr7+ac7+s6i45f6z/1b7z9nxvTea0s12uewVGwnR0JbWU3nH58/Z7zw7PjP5PmXXyxbO1Y8N1j"
    "2LqO71yirO1XtrJt+1ilbN1OJ6Wjfdh1iTp96F/r1TL3XJfKjVshSqUq5S742htzQ5V6xrjc325bvVs7vPznwUB+vC"
    "0XpJUaSq11UBNVBYm1etrqsPZ+v5opX3fA/v36xfHJPDgZp85zNft0RjMpHWDGvdNSbjraaeSulNwohrb8/Ndezrfq"
    "OyOL/fZOcTl2+003psuNvabzE23G2d98TYcC71HhZy/hFjg7iOr/Tc+C7ZGdSryVOvgP0RU+WQlON8y2/PR8r4S3du"
    "L0aL7hzqNehnF8w39YLhqL1FrPVSLwel176L6+X0s/Za0VreJk0j3RzPO79h9ltlqC74VJFjZ2/45+s1tCQb/8yOOG"
    "e954GQL8f9ucy+P7caH/SWlGi1vsNsuUvXX1jyZ8f3SpXspX3h98i5G9vlnMrinq9E+EtEeYlImqLivtv4/PnOL69Z"
    "78x5VPas7OJ8JKw158xvs5G6wo+nd9747503lhVwvYoUUeWIFMpxf7l2XljDCweUp7d1Pv3CKqjW5vx/6NqxfnBrA1"
    "HJdX5FtXe+eoX+83f8K/0Tf/9oPX6xHj9Yj19teHJyt+hjJvP3yd2f7Vbtk8x4UdH3/2Rs+i2TybR/28X24sWLFy9e"
    "vHjx4uX/mS+COTB+AC0AAA==";
const char* const kRecords =
    "H4sIAAAAAAACA+3ZyW7TahjGcdaIHTfw7bIBlYRQygLJKXXBKHWj2qCydIkLldqkcoKgO5ZwC1wCLLgFVkdnSed5nl"
    "s6zzNO8i9iSFoIORwhvc/Gb/JTXn2DFVmfLaMmFtWVuq3yxFZl6nEy0Zj0WlIqnVTVhm2pVNpJxB0vrvKm0rBjRn3+"
    "fuVhv5/jeU6bijtpR6XbWl11TsxIvWGpAuML+v0Sz1oaXE8lG087N7W4iVRTMpEq3C+Yt1/wVkj9cvR6WzerCq7fL8"
    "dfPPtRTPf7Be7pkagVi9RZekAVHdMyqvRC6xcuar5mpCY7vju1D7Nf/cbo/H6ZxZNIJBKJRCL5i3Lhu5zk8pKrxpXv"
    "jz9wxY/xY/wIP8KP8CP8ED/ED/FD/AA/wA/wA3wf38f38X18D9/D9/A9fBffxXfxXXwH38F38B18G9/Gt/FtfAvfwr"
    "fwLXwT38Q38U18A9/AN/ANfB1fx9fxdXwNX8PX8DV8FV/FV/FVfAVfwVfwFXwZX8aX8WV8CV/Cl/Al/NOH7z7jn/i8"
    "iC/y+0V8EV/AF/AFfAGfx+fxeXwen8Pn8Dl8Dp/FZ/FZfBafwWfwGXwGn8an8Wl8Gp/Cp/ApfAqfxCfxSXwSn8An8A"
    "l8Ah/Hx/FxfBwfw8fwMXwMH8VH8VF8FB/BR/ARfAQfxofxYXwYH8KH8CF8CB/EB/FBfBAfwAfwAXwA78f78X68H+/D"
    "+/A+vA/vxXvxXrwX78F78B68B+/Gu/FuvBvvwrvwLrwL78Q78U68E+/AO/AOvANvx9vxdrwd/4h/PPULEolEIikume"
    "NTy6g1b6tApWHakcroN6edZaqhKeF4bSrtNDS7yn2Rzh3uFnweP+v8WVWU+Pw5VNLzZxXM9Gt2E0/STzP9vnRSwXPG"
    "F8rbL3SjvEC/M865Y3dqH5h2gfle+2a+T7zks1bV6nhOi5t2vfzzvXtWv+CP/VLn7IddbejRKutn9iN3yzQ2uc3xwl"
    "3tzGl7dj8CpzfVb51n29W1dTW5fvdL0i8zvuz+Bp6XbHy5flWl6Pcn31dcL+L9jKWbtmHq0a/6XQ0FwzfDFdfLwxVF"
    "zLfOqInUPSrZ/fLV+5Tc2sn7FIlEIpH8RF76z9D/hN9d0v7VrkgttdTF1X5Zrd18kI1f35U1+c/WOa5pbzN5J2vyN+"
    "zX5Vfam4vZ/fLr19qbS9lzG1kfqaWWWur/4z+57ER7f3L6rCKRSCQSiUQikfyxfAZY02rTQDgAAA==";
// clang-format on

const std::vector<int64_t> kPixels = {70, 71, 100, 5000, 5001, 12287};

// A coverage of nside 1 over a map of nside 2: tile 1 covers pixels 8..11, tile 2 pixels 0..3.
HduBytes coverHdu() {
    HduBytes hdu;
    hdu.set("SIMPLE", "T").set("BITPIX", 64).set("NAXIS", 1).set("NAXIS1", 12).set("EXTEND", "T");
    hdu.setText("PIXTYPE", "HEALSPARSE").set("NSIDE", 1).setText("EXTNAME", "COV");
    for (int64_t pixel = 0; pixel < 12; ++pixel) {
        const int64_t tile = pixel == 2 ? 1 : pixel == 0 ? 2 : 0;
        append(hdu.data, 4 * (tile - pixel));
    }
    return hdu;
}

HduBytes imageHdu(int bitpix, int64_t values) {
    HduBytes hdu;
    hdu.setText("XTENSION", "IMAGE").set("BITPIX", bitpix).set("NAXIS", 1);
    hdu.set("NAXIS1", static_cast<long long>(values)).set("PCOUNT", 0).set("GCOUNT", 1);
    hdu.setText("PIXTYPE", "HEALSPARSE").set("NSIDE", 2).setText("EXTNAME", "SPARSE");
    return hdu;
}

// Tiles of floats: without data, 4..7 and 8..11; the values 5 and 9 are replaced by the sentinel.
HduBytes floatTiles() {
    HduBytes hdu = imageHdu(-32, 12).set("SENTINEL", -1.6375e30);
    for (int i = 0; i < 12; ++i)
        append(hdu.data, i < 4 || i == 5 || i == 9 ? -1.6375e30F : static_cast<float>(i));
    return hdu;
}

std::string fileOf(const HduBytes& tiles) {
    return coverHdu().bytes() + tiles.bytes();
}

// An image of the file as doubles, by cfitsio.
std::vector<double> imageOf(const std::string& path, int hdu) {
    Opened opened(path);
    long size = 0;
    int any = 0;
    fits_movabs_hdu(opened.file, hdu + 1, nullptr, &opened.status);
    fits_get_img_size(opened.file, 1, &size, &opened.status);
    std::vector<double> values(static_cast<size_t>(size));
    fits_read_img(opened.file, TDOUBLE, 1, size, nullptr, values.data(), &any, &opened.status);
    return opened.status == 0 ? values : std::vector<double>{};
}

// Place of a nested pixel by the rule of the format: COV[pixel / tile] + pixel.
size_t placeOf(const std::vector<double>& cover, int64_t pixel, int64_t tile) {
    return static_cast<size_t>(static_cast<int64_t>(cover[static_cast<size_t>(pixel / tile)]) +
                               pixel);
}

Field fieldOf(const char* name, DiskType type, std::vector<double> values) {
    return {name, "", type, std::move(values)};
}

}  // namespace

class tst_healsparse : public MapFileTest {
    Q_OBJECT

    std::string written(const std::string& bytes, const char* name = "made.hsp") const {
        writeBytes(path(name), bytes);
        return path(name);
    }
    std::string embedded(const char* text) const {
        const QByteArray bytes = QByteArray::fromBase64(text);
        return written(bytes.toStdString(), "embedded.hsp");
    }

private slots:
    void filesOfHealsparse() {
        const HealpixMap floats = read(embedded(kFloats));
        QCOMPARE(floats.nside(), int64_t{32});
        QCOMPARE(floats.ordering(), Ordering::Nested);
        QCOMPARE(floats.coverage(), Coverage::Partial);
        const HealpixMap ints = read(embedded(kInts));
        const HealpixMap packed = read(embedded(kPacked));
        for (const HealpixMap* map : {&floats, &ints, &packed}) {
            QCOMPARE(map->fieldCount(), 1);
            QVERIFY(std::ranges::equal(map->pixels(), kPixels));
        }
        for (size_t i = 0; i < kPixels.size(); ++i) {
            const auto at = static_cast<int64_t>(i);
            const auto pixel = static_cast<double>(kPixels[i]);
            QCOMPARE(floats.field(0).at(at), static_cast<double>(static_cast<float>(pixel / 7.0)));
            QCOMPARE(ints.field(0).at(at), static_cast<double>(kPixels[i] % 120 - 60));
            QCOMPARE(packed.field(0).at(at), 1.0);
        }
        QCOMPARE(ints.field(0).diskType, DiskType::Int16);
        QCOMPARE(packed.field(0).diskType, DiskType::Logical);
    }
    void masksOfHealsparse() {
        const HealpixMap mask = read(embedded(kMask));
        QVERIFY(std::ranges::equal(mask.pixels(), kPixels));
        QCOMPARE(mask.fieldCount(), 16);
        QCOMPARE(mask.field(2).name, std::string("SATUR"));
        QCOMPARE(mask.field(9).name, std::string("VISIT812_CCD33"));
        QCOMPARE(mask.field(15).name, std::string("BIT15"));
        for (int bit = 0; bit < 16; ++bit)
            for (int64_t i = 0; i < 6; ++i)
                QCOMPARE(mask.field(bit).at(i), bit == 2 || (bit == 9 && i % 2 == 0) ? 1.0 : 0.0);
        const HealpixMap one = read(embedded(kMask), {"visit812_ccd33"});
        QCOMPARE(one.fieldCount(), 1);
        QCOMPARE(valuesOf(one, 0), (std::vector<double>{1, 0, 1, 0, 1, 0}));
    }
    void recordsOfHealsparse() {
        const HealpixMap records = read(embedded(kRecords));
        QVERIFY(std::ranges::equal(records.pixels(), kPixels));
        QCOMPARE(records.fieldCount(), 2);
        QCOMPARE(records.field(0).name, std::string("n"));
        for (int64_t i = 0; i < 6; ++i) {
            const auto pixel = static_cast<double>(kPixels[static_cast<size_t>(i)]);
            QCOMPARE(records.field(0).at(i), pixel);
            if (i == 1)
                QVERIFY(std::isnan(records.field(1).at(i)));
            else
                QCOMPARE(records.field(1).at(i), pixel / 3.0);
        }
    }
    void headersAlone() {
        const FileSummary summary = inspectFile(embedded(kMask));
        QCOMPARE(summary.kind, FileKind::PartialMap);
        QCOMPARE(summary.nside, int64_t{32});
        QCOMPARE(summary.columns.size(), size_t{16});
        QCOMPARE(summary.columns[2].name, std::string("SATUR"));
        const std::vector<HduSummary> hdus = listHdus(embedded(kMask));
        QCOMPARE(hdus.size(), size_t{2});
        QVERIFY(!hdus[0].kind);
        QVERIFY(hdus[1].kind == FileKind::Map);
        QVERIFY(claimsPixels(embedded(kMask)));
    }

    void tilesInAnyOrder() {
        const HealpixMap map = read(written(fileOf(floatTiles())));
        const std::vector<int64_t> pixels = {0, 2, 3, 8, 10, 11};
        QVERIFY(std::ranges::equal(map.pixels(), pixels));
        QCOMPARE(valuesOf(map, 0), (std::vector<double>{8, 10, 11, 4, 6, 7}));
        QCOMPARE(read(path("made.hsp[SPARSE]")).elementCount(), int64_t{6});
        // UNSEEN where SENTINEL is absent, as in healsparse
        HduBytes tiles = floatTiles();
        QCOMPARE(read(written(fileOf(tiles.remove("SENTINEL")))).elementCount(), int64_t{6});
    }
    void sentinelsAreExact() {
        HduBytes tiles = imageHdu(-64, 12).set("SENTINEL", -1.0);
        for (int i = 0; i < 12; ++i) append(tiles.data, i < 8 ? -1.0 : -1.0 - 1e-9 * i);
        QVERIFY(std::ranges::equal(read(written(fileOf(tiles))).pixels(),
                                   std::vector<int64_t>{0, 1, 2, 3}));
    }
    void unsignedIntegers() {
        HduBytes tiles = imageHdu(16, 12).set("BZERO", 32768).set("BSCALE", 1).set("SENTINEL", 0);
        for (int i = 0; i < 12; ++i)
            append(tiles.data, static_cast<int16_t>(i < 8 ? -32768 : 32759 - 8 + i));
        const HealpixMap map = read(written(fileOf(tiles)));
        QCOMPARE(valuesOf(map, 0), (std::vector<double>{65527, 65528, 65529, 65530}));
    }
    // A mask whose pixels without data are True: those with data are False.
    void invertedFlags() {
        HduBytes tiles = imageHdu(16, 12).set("SENTINEL", "T");
        for (int i = 0; i < 12; ++i) append(tiles.data, static_cast<int16_t>(i != 6));
        const HealpixMap map = read(written(fileOf(tiles)));
        QVERIFY(std::ranges::equal(map.pixels(), std::vector<int64_t>{10}));
        QCOMPARE(valuesOf(map, 0), std::vector<double>{0.0});
    }

    void refuses_data() {
        QTest::addColumn<QByteArray>("bytes");
        QTest::addColumn<QString>("says");
        const auto row = [](const char* name, const std::string& bytes, const char* says) {
            QTest::newRow(name) << QByteArray(bytes.data(), static_cast<qsizetype>(bytes.size()))
                                << QString::fromLatin1(says);
        };
        const auto offset = [&](const char* name, int64_t value, const char* says) {
            HduBytes cover = coverHdu();
            std::string number;
            append(number, value);
            cover.data.replace(16, 8, number);
            row(name, cover.bytes() + floatTiles().bytes(), says);
        };
        offset("offset beyond the tiles", 4, "offsets in the extension COV to one of 3 tiles");
        offset("offset within a tile", -5, "offsets in the extension COV");
        offset("negative place", -12, "-12 at pixel 2");
        offset("overflow", std::numeric_limits<int64_t>::max(), "offsets in the extension COV");
        offset("a tile twice", 0, "tile 2 twice");
        const auto tiles = [&](const char* name, HduBytes hdu, const char* says) {
            row(name, fileOf(hdu), says);
        };
        tiles("NSIDE", floatTiles().set("NSIDE", "1000000000000"), "up to 2^29");
        tiles("no power of two", floatTiles().set("NSIDE", 3), "a power of two");
        tiles("no NSIDE", floatTiles().remove("NSIDE"), "NSIDE of the extension SPARSE");
        tiles("larger tiles", floatTiles().set("NSIDE", 4), "12 pixels");
        tiles("huge tiles", floatTiles().set("NSIDE", 536870912), "whole tiles");
        tiles("coverage finer", floatTiles().set("NSIDE", 1), "expected");
        tiles("part of a tile", floatTiles().set("NAXIS1", 11), "whole tiles of 4 pixels");
        tiles("empty", floatTiles().set("NAXIS1", 0), "expected");
        tiles("sentinel", floatTiles().setText("SENTINEL", "none"), "SENTINEL");
        HduBytes ints = imageHdu(32, 12);
        ints.data.resize(48);
        tiles("integers without a sentinel", ints, "SENTINEL");
        tiles("packed floats", floatTiles().set("BITPACK", "T"), "integers");
        HduBytes bytes = imageHdu(8, 12);
        bytes.set("BITPACK", "T").data.resize(12);
        tiles("packed tiles of half a byte", bytes, "whole bytes");
        HduBytes mask = imageHdu(8, 12);
        mask.set("WIDEMASK", "T").set("SENTINEL", 0).data.resize(12);
        tiles("no width", mask, "WWIDTH");
        tiles("width", mask.set("WWIDTH", 5), "WWIDTH");
        tiles("negative width", mask.set("WWIDTH", -1), "WWIDTH");
        tiles("no pixel", mask.set("WWIDTH", 1), "at least one pixel");
        HduBytes table = tableHdu({{"a", "E"}}, 4, 12);
        table.setText("PIXTYPE", "HEALSPARSE").set("NSIDE", 2).setText("EXTNAME", "SPARSE");
        table.data.resize(48);
        tiles("no primary", table, "PRIMARY");
        tiles("unknown primary", table.setText("PRIMARY", "b"), "PRIMARY");
        row("other coverage", coverHdu().set("NSIDE", 2).bytes() + floatTiles().bytes(),
            "48 integers in the extension COV");
        row("no coverage", coverHdu().setText("EXTNAME", "X").bytes() + floatTiles().bytes(),
            "an image COV");
        row("no tiles", coverHdu().bytes(), "without its extension SPARSE");
        const std::string whole = fileOf(floatTiles());
        row("truncated", whole.substr(0, whole.size() - 2860), "truncated");
    }
    void refuses() {
        QFETCH(QByteArray, bytes);
        QFETCH(QString, says);
        const std::string file = written(bytes.toStdString());
        JobContext job;
        const std::string why = refusal([&] { readMap(file, {}, job); });
        QVERIFY2(QString::fromStdString(why).contains(says), why.c_str());
        QVERIFY(!QString::fromStdString(why).contains('\n'));
    }
    void ringIsNoOrdering() {
        JobContext job;
        MapReadOptions options;
        options.stated.ordering = Ordering::Ring;
        const std::string file = written(fileOf(floatTiles()));
        QVERIFY(refusal([&] { readMap(file, options, job); }).find("nested") != std::string::npos);
    }

    void writesNumbers_data() {
        QTest::addColumn<int>("type");
        QTest::addColumn<double>("sentinel");
        QTest::newRow("float") << int(DiskType::Float32) << double(-1.6375e30F);
        QTest::newRow("double") << int(DiskType::Float64) << -1.6375e30;
        QTest::newRow("short") << int(DiskType::Int16) << -32768.0;
        QTest::newRow("int") << int(DiskType::Int32) << -2147483648.0;
        QTest::newRow("long") << int(DiskType::Int64) << -9223372036854775808.0;
        QTest::newRow("byte") << int(DiskType::UInt8) << 255.0;
    }
    // Every pixel of the sky, decoded by the format's rule, from maps of either ordering.
    void writesNumbers() {
        QFETCH(int, type);
        QFETCH(double, sentinel);
        constexpr int64_t kNside = 64, kTile = 4;  // coverage of nside 32
        std::map<int64_t, double> truth;
        for (const int64_t p : {3, 5, 2000, 2001, 49151}) truth[p] = plain(p);
        for (const Ordering ordering : {Ordering::Nested, Ordering::Ring}) {
            std::map<int64_t, double> own;
            for (const auto& [pixel, value] : truth)
                own[ordering == Ordering::Ring ? ringFromNested(kNside, pixel) : pixel] = value;
            std::vector<int64_t> pixels;
            std::vector<double> values;
            for (const auto& [pixel, value] : own) {
                pixels.push_back(pixel);
                values.push_back(value);
            }
            write(HealpixMap::partial(kNside, ordering, Frame::Equatorial, pixels,
                                      {fieldOf("N", DiskType(type), values)}),
                  path("out.hsp"));
            const std::vector<double> cover = imageOf(path("out.hsp"), 0),
                                      tiles = imageOf(path("out.hsp"), 1);
            QCOMPARE(cover.size(), size_t{12288});
            QCOMPARE(tiles.size(), size_t{5 * kTile});  // no data; pixels 0, 500 and 12287
            QCOMPARE(keyword(path("out.hsp"), 1, "COORDSYS"), std::string("C"));
            for (int64_t p = 0; p < pixelCount(kNside); ++p)
                QCOMPARE(tiles[placeOf(cover, p, kTile)],
                         truth.contains(p) ? truth.at(p) : sentinel);
            QVERIFY(checksumsHold(path("out.hsp")));
            const HealpixMap back = read(path("out.hsp"));
            QCOMPARE(back.elementCount(), int64_t{5});
            QCOMPARE(back.field(0).diskType, DiskType(type));
            QCOMPARE(back.value(0, 2001), plain(2001));
        }
    }
    void writesMasks() {
        std::vector<double> ones(48, 1.0), some(48, 0.0);
        some[7] = 1.0;
        std::vector<Field> fields;
        for (int i = 0; i < 9; ++i)
            fields.push_back(
                fieldOf(i == 8 ? "HIGH" : "A", DiskType::Logical, i == 0 ? ones : some));
        for (int i = 0; i < 8; ++i) fields[static_cast<size_t>(i)].name += std::to_string(i);
        write(HealpixMap(2, Ordering::Nested, Frame::Unknown, fields), path("mask.hsp"));
        QCOMPARE(keyword(path("mask.hsp"), 1, "WWIDTH"), std::string("2"));
        const std::vector<double> cover = imageOf(path("mask.hsp"), 0),
                                  bytes = imageOf(path("mask.hsp"), 1);
        for (int64_t p = 0; p < 48; ++p) {
            const size_t at = 2 * placeOf(cover, p, 1);
            QCOMPARE(bytes[at], p == 7 ? 255.0 : 1.0);
            QCOMPARE(bytes[at + 1], p == 7 ? 1.0 : 0.0);
        }
        const HealpixMap back = read(path("mask.hsp"));
        QCOMPARE(back.field(8).name, std::string("HIGH"));
        QCOMPARE(valuesOf(back, 8), some);

        write(
            HealpixMap(2, Ordering::Ring, Frame::Unknown, {fieldOf("M", DiskType::Logical, some)}),
            path("flags.hsp"));
        QCOMPARE(keyword(path("flags.hsp"), 1, "SENTINEL"), std::string("F"));
        const HealpixMap flags = read(path("flags.hsp"));
        QVERIFY(std::ranges::equal(flags.pixels(), std::vector<int64_t>{nestedFromRing(2, 7)}));
    }
    // The primary field is the one without bad values, so that no pixel is lost.
    void writesRecords() {
        const std::vector<int64_t> pixels = {1, 2, 40};
        write(HealpixMap::partial(2, Ordering::Nested, Frame::Unknown, pixels,
                                  {fieldOf("A", DiskType::Float64, {1.5, kNan, 2.5}),
                                   fieldOf("B", DiskType::Int32, {7, 8, 9})}),
              path("records.hsp"));
        QCOMPARE(keyword(path("records.hsp"), 1, "PRIMARY"), std::string("B"));
        const HealpixMap back = read(path("records.hsp"));
        QVERIFY(std::ranges::equal(back.pixels(), pixels));
        QVERIFY(same(valuesOf(back, 0), {1.5, kNan, 2.5}));
        QVERIFY(same(valuesOf(back, 1), {7, 8, 9}));
    }
    void writesCells() {
        // Order 1 pixel 0 (nested pixels 0..3 of nside 4) and order 2 pixel 9.
        write(HealpixMap::multiOrder(4, Frame::Unknown, {0, 9}, {1, 2},
                                     {fieldOf("P", DiskType::Float64, {0.25, 0.5})}),
              path("cells.hsp"));
        const HealpixMap back = read(path("cells.hsp"));
        QVERIFY(std::ranges::equal(back.pixels(), std::vector<int64_t>{0, 1, 2, 3, 9}));
        QCOMPARE(valuesOf(back, 0), (std::vector<double>{0.25, 0.25, 0.25, 0.25, 0.5}));
    }
    void doesNotWrite() {
        JobContext job;
        const auto why = [&](int64_t nside) {
            const HealpixMap map = HealpixMap::partial(nside, Ordering::Ring, Frame::Unknown, {1},
                                                       {fieldOf("P", DiskType::Float64, {1})});
            return refusal([&] { writeMap(map, path("no.hsp"), {true, {}, {}}, job); });
        };
        QVERIFY(why(3).find("a power of two up to 131072") != std::string::npos);
        QVERIFY(why(262144).find("convert --nside") != std::string::npos);
    }
};

QTEST_GUILESS_MAIN(tst_healsparse)
#include "tst_healsparse.moc"
