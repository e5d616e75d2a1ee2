// SPDX-License-Identifier: GPL-3.0-or-later
// Draws many markers in two steps; only the last marker of each pixel counts. With OWNERS, each
// position writes its number. Without OWNERS, each pixel blends the markers around it, the last one
// on top. Follows marker_place.glsl and, in the second step, marker_ink.glsl.

layout(std430) readonly buffer Places {
    float parts[];                  // six per position: single-precision vector, then its remainder
};
uniform uint every;                 // stride: only every `every`-th position

bool clipFromNumber(uint number, out vec2 clip) {
    uint i = 6u * (number - 1u) * every;
    return clipFromPlace(vec3(parts[i], parts[i + 1u], parts[i + 2u]),
                         vec3(parts[i + 3u], parts[i + 4u], parts[i + 5u]), clip);
}

#ifdef OWNERS

layout(local_size_x = 256) in;
layout(r32ui) uniform uimage2D owners;
uniform uint first, count;

void main() {
    if (gl_GlobalInvocationID.x >= count) return;
    uint number = first + gl_GlobalInvocationID.x + 1u;
    vec2 clip;
    if (!clipFromNumber(number, clip)) return;
    vec2 pixel = floor(pixelFromClip(clip));
    if (isInPicture(pixel)) imageAtomicMax(owners, ivec2(pixel), number);
}

#else

const int kSide = 16;               // side of the square of pixels that a work group paints
layout(local_size_x = 16, local_size_y = 16) in;
const uint kThreads = 256u;
uniform usampler2D owners;
layout(rgba16f) writeonly uniform image2D layer;
uniform int margin;                 // owners around the layer, pixels; (kSide + 2 margin)^2 <= MOST
uniform float reach;                // radius of a marker with its edge, window pixels

// Markers around the square, the last one first, and their positions in steps of 1 / kSubpixels,
// like points of OpenGL. Both lists fit the 32 KiB of shared memory that every device has.
const float kSubpixels = 256.0;
shared uint found;
shared uint numbers[MOST];
shared uint spots[MOST];

void gather(ivec2 corner) {
    int side = kSide + 2 * margin;
    for (int i = int(gl_LocalInvocationIndex); i < side * side; i += int(kThreads)) {
        ivec2 at = corner + ivec2(i % side, i / side);
        if (any(greaterThanEqual(at, ivec2(pixels)))) continue;
        uint number = texelFetch(owners, at, 0).r;
        if (number != 0u) numbers[atomicAdd(found, 1u)] = number;
    }
}

void order(uint i, uint k, uint total) {
    if (k >= total || numbers[i] > numbers[k]) return;
    uint kept = numbers[i];
    numbers[i] = numbers[k];
    numbers[k] = kept;
}

// Descending bitonic sort. Each merge moves larger numbers to the front, so that the number of
// elements need not be a power of two.
void sort(uint total) {
    for (uint run = 1u; run < total; run *= 2u)
        for (uint apart = run; apart > 0u; apart /= 2u) {
            uint pairs = run * ((total + 2u * run - 1u) / (2u * run));
            for (uint pair = gl_LocalInvocationIndex; pair < pairs; pair += kThreads) {
                uint within = pair % apart, i = 2u * (pair - within) + within;
                // The first step of a merge compares with the other half in reverse order.
                order(i, apart == run ? i + 2u * (apart - within) - 1u : i + apart, total);
            }
            barrier();
        }
}

void main() {
    if (gl_LocalInvocationIndex == 0u) found = 0u;
    barrier();
    ivec2 corner = kSide * ivec2(gl_WorkGroupID.xy);
    gather(corner);
    barrier();
    uint total = found;
    sort(total);
    for (uint i = gl_LocalInvocationIndex; i < total; i += kThreads) {
        vec2 clip;
        clipFromNumber(numbers[i], clip);
        uvec2 spot = uvec2(round((pixelFromClip(clip) - vec2(corner)) * kSubpixels));
        spots[i] = spot.x | spot.y << 16;
    }
    barrier();
    vec2 here = vec2(gl_LocalInvocationID.xy) + float(margin) + 0.5;
    vec4 color = vec4(0.0);
    // Stops when hidden markers contribute less than a sixteenth of a step of 8-bit color.
    for (uint i = 0u; i < total && 1.0 - color.a > 1.0 / 4096.0; ++i) {
        vec2 away = here - vec2(spots[i] & 0xffffu, spots[i] >> 16) / kSubpixels;
        if (max(abs(away.x), abs(away.y)) > reach) continue;
        vec4 marker = markerColor(away / pixelRatio);
        if (marker.a >= kLeastAlpha) color += (1.0 - color.a) * marker;
    }
    ivec2 pixel = corner + ivec2(gl_LocalInvocationID.xy);
    // Pixels outside of the image are not written.
    imageStore(layer, pixel, color);
}

#endif
