import { type Grey, sample, shrink } from '../page/pixels.ts'

/** Red, green and blue planes, as every network expects; equal for a grey page. */
export interface NetworkInput {
  readonly width: number
  readonly height: number
  readonly data: Float32Array
}

/** Mean and deviation of ImageNet colours, used in training of the detector and the orientation network. */
const means = [0.485, 0.456, 0.406] as const
const deviations = [0.229, 0.224, 0.225] as const

/**
 * Longest edge for detection, px: the smallest print of a card is then 8 px tall. 960 takes 1.5 times as long with the same result on synthetic
 * documents; 640 misreads blurred ones.
 */
const maxEdge = 736
const stride = 32

/** Scales the page to the detector's size: multiples of 32, never enlarged. */
export function detectorInput(page: Grey): NetworkInput {
  const scale = Math.min(1, maxEdge / Math.max(page.width, page.height))
  const aligned = (length: number): number => Math.max(stride, Math.round((length * scale) / stride) * stride)
  const [width, height] = [aligned(page.width), aligned(page.height)]
  return { width, height, data: planes(resized(page, width, height), imageNet) }
}

export const orientationSize = 224
/** Length of the shorter edge before the centre is cut out, px. */
const orientationEdge = 256

export function orientationInput(page: Grey): Float32Array {
  const scale = orientationEdge / Math.min(page.width, page.height)
  const small = resized(page, Math.round(page.width * scale), Math.round(page.height * scale))
  const [left, top] = [Math.floor((small.width - orientationSize) / 2), Math.floor((small.height - orientationSize) / 2)]
  const data = new Uint8Array(orientationSize * orientationSize)
  for (let y = 0; y < orientationSize; y++) {
    const from = (top + y) * small.width + left
    data.set(small.data.subarray(from, from + orientationSize), y * orientationSize)
  }
  return planes({ width: orientationSize, height: orientationSize, data }, imageNet)
}

/** height at which lines are read, px */
export const lineHeight = 48
const narrowest = 32
/** A line of 44 characters of OCR-B is 1,400 px long. */
const widest = 3200

/** width of a line at that height, px */
const lengthOf = ({ width, height }: Grey): number => Math.min(widest, Math.max(narrowest, Math.ceil((width * lineHeight) / height)))

/** Converts a line to values from -1 (black) to 1. */
export function recogniserInput(line: Grey): NetworkInput {
  const { width, height, data } = resized(line, lengthOf(line), lineHeight)
  return { width, height, data: planes({ width, height, data }, (value) => value / 127.5 - 1) }
}

const imageNet = (value: number, channel: 0 | 1 | 2): number => (value / 255 - means[channel]) / deviations[channel]

function planes({ width, height, data }: Grey, normalised: (value: number, channel: 0 | 1 | 2) => number): Float32Array {
  const area = width * height
  const all = new Float32Array(3 * area)
  for (const channel of [0, 1, 2] as const) {
    const levels = Float32Array.from({ length: 256 }, (_, value) => normalised(value, channel))
    for (let at = 0; at < area; at++) all[channel * area + at] = levels[data[at] ?? 0] ?? 0
  }
  return all
}

/** Scales after averaging, so that no thin line is lost. */
function resized(grey: Grey, width: number, height: number): Grey {
  if (grey.width === width && grey.height === height) return grey
  const near = grey.width > width * 1.5 ? shrink(grey, Math.round(width * 1.25)) : grey
  const [sx, sy] = [near.width / width, near.height / height]
  const data = new Uint8Array(width * height)
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) data[y * width + x] = sample(near, (x + 0.5) * sx - 0.5, (y + 0.5) * sy - 0.5)
  return { width, height, data }
}
