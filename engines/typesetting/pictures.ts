import sharp from 'sharp'
import { embeddedPicture } from './typesetter.ts'

/** A picture that is ready to print. */
export interface PrintedPicture {
  readonly bytes: Buffer
  /** points, at most as large as a page */
  readonly width: number
  readonly height: number
}

/** of the printed picture: 220 dots per inch across the text */
const maxEdge = 1400
/** text area of a page, in points, with room for a caption */
const [maxWidth, maxHeight] = [453, 560]
/** a picture without a stated resolution is printed at 144 dots per inch */
const pointsOfPixel = 0.5
const maxPixels = 40_000_000
const decodingSeconds = 10

sharp.cache(false)
sharp.concurrency(1)

/** Pictures that the texts of one publication contain as data: URLs. No other picture is printed, because the platform fetches none. */
export class Pictures {
  /** by address, so that a repeated picture is stored once */
  readonly #names = new Map<string, string>()

  /** Returns the name of a picture; undefined unless its address contains it. */
  nameOf(address: string): string | undefined {
    if (!embeddedPicture.test(address)) return undefined
    const known = this.#names.get(address)
    if (known !== undefined) return known
    const format = /^data:image\/jpeg/i.test(address) ? 'jpg' : 'png'
    const name = `picture-${this.#names.size + 1}.${format}`
    this.#names.set(address, name)
    return name
  }

  /** Decodes the pictures one after the other, upright and without metadata. One that cannot be decoded is absent. */
  async printed(): Promise<ReadonlyMap<string, PrintedPicture>> {
    const printed = new Map<string, PrintedPicture>()
    for (const [address, name] of this.#names) {
      const picture = await printable(Buffer.from(address.slice(address.indexOf(',') + 1), 'base64'), name.endsWith('jpg'))
      if (picture !== undefined) printed.set(name, picture)
    }
    return printed
  }
}

async function printable(source: Buffer, isPhotograph: boolean): Promise<PrintedPicture | undefined> {
  try {
    const upright = sharp(source, { limitInputPixels: maxPixels, failOn: 'error' })
      .timeout({ seconds: decodingSeconds })
      .autoOrient()
      .resize({ width: maxEdge, height: maxEdge, fit: 'inside', withoutEnlargement: true })
      .toColourspace('srgb')
    const encoded = isPhotograph ? upright.jpeg({ quality: 85 }) : upright.png()
    const { data, info } = await encoded.toBuffer({ resolveWithObject: true })
    const scale = Math.min(pointsOfPixel, maxWidth / info.width, maxHeight / info.height)
    return { bytes: data, width: info.width * scale, height: info.height * scale }
  } catch {
    return undefined
  }
}
