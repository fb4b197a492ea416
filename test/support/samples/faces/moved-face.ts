import sharp from 'sharp'
import { person, portrait } from '../../../../demonstration/documents/drawn-face.ts'

interface Picture {
  readonly width: number
  readonly height: number
  readonly data: Uint8Array
}

const open = async (image: Uint8Array): Promise<Picture> => {
  const { data, info } = await sharp(image).removeAlpha().toColourspace('srgb').raw().toBuffer({ resolveWithObject: true })
  return { width: info.width, height: info.height, data }
}
const jpeg = ({ width, height, data }: Picture): Promise<Buffer> =>
  sharp(data, { raw: { width, height, channels: 3 } })
    .jpeg({ quality: 92 })
    .toBuffer()

/** An eye in an image: its centre and half its width, in pixels. */
interface Eye {
  readonly x: number
  readonly y: number
  readonly half: number
}
/** The person's right eye, then the left one. */
export type Eyes = readonly [right: Eye, left: Eye]

/** Positions of the eyes on `drawFace`. */
export function eyesOfDrawn(seed: number): Eyes {
  const { eyeGap, eyeWidth, eyeY } = person(seed)
  const unit = portrait.width / 420
  const eye = (side: -1 | 1): Eye => ({
    x: portrait.width / 2 + side * eyeGap * unit,
    y: portrait.height * 0.47 + eyeY * unit,
    half: eyeWidth * unit,
  })
  return [eye(-1), eye(1)]
}

/** Position and size of the face: the centre between the eyes, and the distance of their outer corners. */
function measureOf([right, left]: Eyes): { readonly x: number; readonly y: number; readonly wide: number } {
  return { x: (right.x + left.x) / 2, y: (right.y + left.y) / 2, wide: left.x + left.half - right.x + right.half }
}

/** Depth of a point of the head; all lengths in distances of the outer eye corners: an ellipsoid with a nose. */
function depthOf(x: number, y: number): number | undefined {
  const rest = 1 - (x / 0.9) ** 2 - ((y - 0.3) / 1.25) ** 2
  if (rest <= 0) return undefined
  const tip = Math.exp(-((x / 0.16) ** 2)) * (y < 0.45 ? Math.max(0, Math.min(1, y / 0.45)) : Math.exp(-(((y - 0.45) / 0.12) ** 2)))
  return 0.9 * Math.sqrt(rest) + 0.27 * tip
}

/**
 * Renders a turned head: projects every point with its depth, nearer points over farther ones.
 * @param turn - degrees to the person's left, and up   @returns JPEG
 */
export async function turnedHead(image: Uint8Array, eyes: Eyes, turn: { left?: number; up?: number }): Promise<Buffer> {
  const picture = await open(image)
  const { width, height, data } = picture
  const face = measureOf(eyes)
  const [yaw, pitch] = [turn.left ?? 0, turn.up ?? 0].map((degrees) => (degrees * Math.PI) / 180) as [number, number]
  const turned = Uint8Array.from(data)
  const nearest = new Float32Array(width * height).fill(Number.NEGATIVE_INFINITY)
  // dense enough to leave no holes where the face comes nearer
  for (let fromY = 0; fromY < height - 1; fromY += 0.5) {
    for (let fromX = 0; fromX < width - 1; fromX += 0.5) {
      const [x, y] = [(fromX - face.x) / face.wide, (fromY - face.y) / face.wide]
      const depth = depthOf(x, y)
      if (depth === undefined) continue
      const across = x * Math.cos(yaw) + depth * Math.sin(yaw)
      const nearer = depth * Math.cos(yaw) - x * Math.sin(yaw)
      const down = y * Math.cos(pitch) - nearer * Math.sin(pitch)
      const [toX, toY] = [Math.round(face.x + across * face.wide), Math.round(face.y + down * face.wide)]
      if (toX < 0 || toY < 0 || toX >= width || toY >= height) continue
      const to = toY * width + toX
      if (nearer <= (nearest[to] ?? 0)) continue
      nearest[to] = nearer
      for (let channel = 0; channel < 3; channel++) turned[to * 3 + channel] = between(picture, fromX, fromY, channel)
    }
  }
  return jpeg({ width, height, data: turned })
}

/** Renders a photograph in front of a camera: sheared, squeezed and moved, and nearer on one side by `tilt`. @returns JPEG */
export async function movedPhotograph(
  image: Uint8Array,
  {
    shear = 0,
    squeeze = 1,
    scale = 1,
    x: aside = 0,
    y: below = 0,
    tilt = 0,
  }: Partial<Record<'shear' | 'squeeze' | 'scale' | 'x' | 'y' | 'tilt', number>>,
): Promise<Buffer> {
  const picture = await open(image)
  const { width, height } = picture
  const data = new Uint8Array(picture.data.length).fill(128)
  for (let toY = 0; toY < height; toY++) {
    for (let toX = 0; toX < width; toX++) {
      const [u, v] = [(toX - width / 2 - aside * width) / scale, (toY - height / 2 - below * height) / scale]
      // a plane that is tilted about its vertical axis, seen from twice its width
      const near = 1 + (tilt * u) / (2 * width)
      const [fromX, fromY] = [(u / squeeze - shear * v) * near + width / 2, v * near + height / 2]
      if (fromX < 0 || fromY < 0 || fromX >= width - 1 || fromY >= height - 1) continue
      for (let channel = 0; channel < 3; channel++) data[(toY * width + toX) * 3 + channel] = between(picture, fromX, fromY, channel)
    }
  }
  return jpeg({ width, height, data })
}

/** Draws lids over both eyes: the skin above them, extended. @returns JPEG */
export async function closedEyes(image: Uint8Array, eyes: Eyes): Promise<Buffer> {
  const picture = await open(image)
  const data = Uint8Array.from(picture.data)
  for (const { x: middle, y: y0, half: width } of eyes) {
    const [wide, high] = [width * 1.15, width * 0.55]
    for (let y = Math.round(y0 - high); y <= y0 + high; y++) {
      for (let x = Math.round(middle - wide); x <= middle + wide; x++) {
        const curve = Math.sqrt(Math.max(0, 1 - ((x - middle) / wide) ** 2))
        const [upper, lower] = [y0 - 0.75 * high * curve, y0 + 0.6 * high * curve]
        if (y < upper || y > lower) continue
        const from = upper - 0.25 * wide * ((lower - y) / Math.max(1, lower - upper)) - 1
        const line = lower - y < 0.12 * high ? 0.45 : 1
        for (let channel = 0; channel < 3; channel++)
          data[(y * picture.width + x) * 3 + channel] = line * between(picture, x, Math.max(0, from), channel)
      }
    }
  }
  return jpeg({ ...picture, data })
}

/** The colour between pixels, interpolated linearly. */
function between({ width, data }: Picture, x: number, y: number, channel: number): number {
  const [left, top] = [Math.floor(x), Math.floor(y)]
  const at = (dx: number, dy: number): number => data[((top + dy) * width + left + dx) * 3 + channel] ?? 0
  const [right, down] = [x - left, y - top]
  return (1 - down) * ((1 - right) * at(0, 0) + right * at(1, 0)) + down * ((1 - right) * at(0, 1) + right * at(1, 1))
}
