import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import sharp, { type Sharp } from 'sharp'
import { type Capture, capture } from '../../demonstration/capture/capture.ts'
import { generateHolder } from '../../demonstration/documents/holder.ts'
import { drawIdentityCard } from '../../demonstration/documents/identity-card.ts'
import { drawFace } from '../../demonstration/documents/selfie.ts'
import { type Advice, hintsOf, measuredSide } from '../../web/verification/camera/hints.ts'
import { resemblesFace } from '../../web/verification/camera/measures/face-likeness.ts'
import { type Gray, grayOf, type Region } from '../../web/verification/camera/measures/gray.ts'

/** Resolution of a phone's or laptop's camera. */
const view = { width: 960, height: 720 }
const sensor: Capture = { noise: 6, jpegQuality: 90 }

const conditions: readonly (readonly [name: string, how: Capture])[] = [
  ['sharp, in good light', {}],
  ...[1, 2, 4, 6].map((blur) => [`blurred by ${blur} of ${view.width} pixels`, { blur }] as const),
  ...[0.6, 0.4, 0.25].map((brightness) => [`${Math.round(100 * brightness)} % of the light`, { brightness }] as const),
  ['a reflection in the middle', { brightness: 0.75, glare: { x: 0.55, y: 0.48, radius: 0.1 } }],
]
const tables = ['#6b6257', '#2f3337', '#b9a88f']
const white = '#f4f4f2'
const tableOf = (seed: number): string => tables[seed % tables.length] ?? white

/**
 * Measures which hints the camera of the page shows for drawn images, and whether it detects faces on photographs, if there are any.
 * @param each - people and cards in every row   @param folder - photographs of one size with a face in the middle of each; empty: without photographs
 */
export async function reportOnCameraHints(date: string, each: number, folder: string, report: (done: string) => void): Promise<string> {
  const rows: string[] = []
  for (const [name, how] of conditions) {
    const selfies = await counted(each, async (seed) => hintsOf(await measured(await selfieView(seed), how), 'selfie'))
    const documents = await counted(each, async (seed) => hintsOf(await measured(await documentView(seed, tableOf(seed)), how), 'document'))
    rows.push(`| ${name} | ${selfies} | ${documents} |`)
    report(name)
  }
  const empty = await counted(each, async (seed) => hintsOf(await measured(await tableView(tableOf(seed)), {}), 'document'))
  const pale = await counted(each, async (seed) => hintsOf(await measured(await documentView(seed, white), {}), 'document'))
  return `# Camera hints

${date}, \`npm run evaluate -- camera-hints\`: ${each} generated people and as many cards in each row, as a camera of ${view.width} x ${view.height} pixels captures them. The page
measures the image at ${measuredSide} pixels and shows hints, which decide nothing. Cells count the hints; \`good\`: no hint.

| capture | selfie | document |
|---|---|---|
${rows.join('\n')}
| the table only | | ${empty} |
| a card on a table of the same brightness | | ${pale} |

${await facesReport(folder)}
`
}

async function counted(each: number, hintsFor: (seed: number) => Promise<readonly Advice[]>): Promise<string> {
  const counts = new Map<string, number>()
  for (let seed = 0; seed < each; seed++) {
    const hints = await hintsFor(seed)
    for (const hint of hints.length === 0 ? ['good'] : hints) counts.set(hint, (counts.get(hint) ?? 0) + 1)
  }
  return [...counts].map(([hint, count]) => `${hint} ${count}`).join(', ')
}

/** Measurements of the page for a camera image. */
async function measured(scene: Buffer, how: Capture): Promise<Gray> {
  return grayOfPicture(sharp(await capture(scene, { ...how, ...sensor })).resize({ width: measuredSide }))
}

async function grayOfPicture(picture: Sharp): Promise<Gray> {
  const { data, info } = await picture.removeAlpha().ensureAlpha().raw().toBuffer({ resolveWithObject: true })
  return grayOf({ width: info.width, height: info.height, data: new Uint8ClampedArray(data) })
}

/** A face that fills the oval, as the page requests. */
async function selfieView(seed: number): Promise<Buffer> {
  const near = sharp(await drawFace(seed)).resize({ height: 1.25 * view.height })
  const { data, info } = await near.png().toBuffer({ resolveWithObject: true })
  const face = sharp(data).extract({ left: 0, top: Math.round(0.09 * view.height), width: info.width, height: view.height })
  return sharp(await face.png().toBuffer())
    .resize({ ...view, fit: 'contain', background: '#a3b1b5' })
    .png()
    .toBuffer()
}

const tableView = (colour: string): Promise<Buffer> =>
  sharp({ create: { ...view, channels: 3, background: colour } })
    .png()
    .toBuffer()

/** A handheld card in the frame: slightly larger or smaller, off-centre and rotated. */
async function documentView(seed: number, table: string): Promise<Buffer> {
  const { front } = await drawIdentityCard(generateHolder(seed))
  const width = Math.round(view.width * (0.78 + 0.012 * (seed % 5)))
  const turned = ((seed * 7) % 9) / 3 - 4 / 3
  const card = await sharp(front).resize({ width }).rotate(turned, { background: table }).png().toBuffer({ resolveWithObject: true })
  const aside = ((seed * 13) % 31) - 15
  const [left, top] = [Math.round((view.width - card.info.width) / 2) + aside, Math.round((view.height - card.info.height) / 2) - aside]
  return sharp(await tableView(table))
    .composite([{ input: card.data, left, top }])
    .png()
    .toBuffer()
}

/** Counts faces detected by brightness in the oval, and false detections beside it. */
async function facesReport(folder: string): Promise<string> {
  if (folder === '') return 'No photographs of people: `FACES_DIR` is unset.'
  const names = (await readdir(folder)).filter((name) => name.endsWith('.jpg')).toSorted()
  let [faces, beside] = [0, 0]
  for (const [index, name] of names.entries()) {
    const gray = await grayOfPicture(sharp(join(folder, name)))
    const { width, height } = gray
    const shift = ((index * 7) % 13) - 6
    const oval = (x: number): Region => ({
      left: Math.round(x * width),
      top: Math.round(0.2 * height) + shift,
      width: Math.round(0.42 * width),
      height: Math.round(0.56 * height),
    })
    if (resemblesFace(gray, oval(0.29))) faces++
    if (resemblesFace(gray, oval(0.01))) beside++
  }
  return `On ${names.length} photographs of people (Labeled Faces in the Wild, deep-funneled, names A to M) brightness alone detects the face in the oval on ${faces}; with the oval beside the face,
half on the background, it detects one on ${beside}.`
}
