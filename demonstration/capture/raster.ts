import sharp from 'sharp'

/** A picture displayed on a screen or printed. */
export interface Raster {
  /** A screen with red, green and blue stripes; or black printed dots that are larger in dark areas */
  readonly by: 'screen' | 'printer'
  /** Dots of the screen or printer per pixel of the picture */
  readonly points: number
  /** Clockwise angle of its rows in the picture, degrees */
  readonly turned: number
}

/** Brightness between the stripes of a screen. */
const between = 0.25

/** Simulates a photograph of the display: each pixel averages the dots that fall on it. @returns PNG */
export async function shown(picture: Uint8Array, { by, points, turned }: Raster): Promise<Buffer> {
  const { data, info } = await sharp(picture).flatten({ background: '#ffffff' }).raw().toBuffer({ resolveWithObject: true })
  const { width, height, channels } = info
  const [cos, sin] = [Math.cos((turned * Math.PI) / 180), Math.sin((turned * Math.PI) / 180)]
  const seen = Buffer.alloc(width * height * 3)
  const samples = 3
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const from = (y * width + x) * channels
      const colour = [data[from] ?? 0, data[from + 1] ?? 0, data[from + 2] ?? 0]
      const grey = (colour[0] ?? 0) * 0.3 + (colour[1] ?? 0) * 0.59 + (colour[2] ?? 0) * 0.11
      const sums = [0, 0, 0]
      for (let sample = 0; sample < samples * samples; sample++) {
        const [dx, dy] = [x + ((sample % samples) + 0.5) / samples, y + (Math.floor(sample / samples) + 0.5) / samples]
        const [u, v] = [(dx * cos + dy * sin) * points, (dy * cos - dx * sin) * points]
        for (let channel = 0; channel < 3; channel++) {
          const lit = by === 'screen' ? lightOf(u, v, channel) : dotOf(u, v, grey / 255, (colour[channel] ?? 0) / 255)
          sums[channel] = (sums[channel] ?? 0) + (by === 'screen' ? lit * (colour[channel] ?? 0) : lit * 255)
        }
      }
      for (let channel = 0; channel < 3; channel++)
        seen[(y * width + x) * 3 + channel] = Math.min(255, Math.round((sums[channel] ?? 0) / (samples * samples)))
    }
  }
  return sharp(seen, { raw: { width, height, channels: 3 } })
    .png({ compressionLevel: 1 })
    .toBuffer()
}

const part = (value: number): number => value - Math.floor(value)

/** Each point has three stripes and a dark lower edge. */
function lightOf(u: number, v: number, channel: number): number {
  const stripe = Math.floor(part(u) * 3) === channel
  return (stripe ? 2.1 : 0.6) * (part(v) < 0.85 ? 1 : between)
}

function dotOf(u: number, v: number, grey: number, colour: number): number {
  const round = (Math.cos(2 * Math.PI * u) + Math.cos(2 * Math.PI * v)) / 4 + 0.5
  return round < 1 - grey ? colour * 0.25 : Math.min(1, colour + 0.1)
}
