// SPDX-License-Identifier: GPL-3.0-or-later
// The sky, one fragment per image pixel.
// The host defines OUTPUT: 0 color, 1 place on a face, 2 value.

uniform mat3 skyFromView;
uniform ivec2 imageOrigin;     // window coordinates of the image's lower left pixel
uniform int imageHeight;
#if OUTPUT == 1
out ivec4 place;               // face, x, y; -1 off the sky
#else
uniform sampler2DArray faces;  // one layer per face, one mip level per pyramid level
uniform int levels;
#endif
#if OUTPUT == 0
uniform vec4 outsideColor;
out vec4 color;                // alpha premultiplied
#elif OUTPUT == 2
out float drawnValue;          // NaN off the sky
#endif

#if OUTPUT != 1
float valueAt(ivec3 at, int level) {
    return texelFetch(faces, ivec3(at.xy >> level, at.z), level).r;
}
float valueDrawn(PlaneRow row, float column, vec3 inView, ivec3 at) {
    float blend;
    float footprint = radiansPerPixel * footprintScale(row, column, inView);
    int level = pyramidLevel(footprint, anchor.nside, levels, blend);
    float value = valueAt(at, level);
    return blend > 0.0 ? blendedValue(value, valueAt(at, level + 1), blend) : value;
}
#endif

void main() {
    ivec2 pixel = ivec2(gl_FragCoord.xy) - imageOrigin;
    PlaneRow row = planeRow(imageHeight - 1 - pixel.y);
    float column = (float(pixel.x) + 0.5) - middleColumn;
    vec3 inView;
    bool onSky = directionFromRow(row, column, inView);
#if OUTPUT == 1
    place = ivec4(-1);
    if (onSky) {
        ivec3 at = faceFromDirection(skyFromView * inView);
        place = ivec4(at.z, at.xy, 0);
    }
#elif OUTPUT == 2
    drawnValue = uintBitsToFloat(0x7FC00000u);
    if (onSky) drawnValue = valueDrawn(row, column, inView, faceFromDirection(skyFromView * inView));
#else
    vec4 drawn = outsideColor;
    if (onSky)
        drawn = colorOf(valueDrawn(row, column, inView, faceFromDirection(skyFromView * inView)));
    color = vec4(drawn.rgb * drawn.a, drawn.a);
#endif
}
