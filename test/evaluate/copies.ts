import { type Capture, capture } from '../../demonstration/capture/capture.ts'
import { type Raster, shown } from '../../demonstration/capture/raster.ts'
import { generateHolder } from '../../demonstration/documents/holder.ts'
import { drawIdentityCard } from '../../demonstration/documents/identity-card.ts'
import { drawPassport } from '../../demonstration/documents/passport.ts'
import { findDocument } from '../../engines/document-reader/page/outline/find-document.ts'
import { toGrey } from '../../engines/document-reader/page/pixels.ts'
import { rasterOf } from '../../engines/document-reader/page/raster.ts'
import { decodeImage } from '../../engines/inference/images/image-decoder.ts'
import { defaultThresholds } from '../../subgraphs/verification/checks/thresholds.ts'
import { printings } from './fonts.ts'

/** What is in front of the camera, and under which conditions. */
interface CaptureCondition {
  readonly name: string
  take(side: Buffer, seed: number): Promise<Buffer>
}

const phone: Capture = { blur: 0.6, noise: 8, noiseSeed: 5, jpegQuality: 80, margin: 30 }
const edges = ['top', 'right', 'bottom', 'left'] as const

const documents: readonly CaptureCondition[] = [
  { name: 'the document, as it is drawn', take: async (side) => side },
  { name: 'the document, scanned', take: (side) => capture(side, { blur: 0.6, jpegQuality: 80 }) },
  { name: 'the document, by a phone', take: (side, seed) => capture(side, { ...phone, rotate: (seed % 9) - 4 }) },
  {
    name: 'the document, from the side',
    take: (side, seed) => capture(side, { ...phone, tilt: { far: edges[seed % 4] ?? 'top', by: 0.15 } }),
  },
  {
    name: 'the document, on a table',
    take: (side, seed) => capture(side, { ...phone, onTable: { share: 0.6, seed, rotate: (seed % 5) - 2 } }),
  },
  {
    name: 'the document, on a checked cloth',
    take: (side, seed) => capture(side, { ...phone, onTable: { share: 0.6, rotate: (seed % 7) - 3, cloth: true } }),
  },
]

const show = (by: Raster['by'], points: number): CaptureCondition => ({
  name: `${by === 'screen' ? 'a screen' : 'a print in dots'}, ${points} points a pixel`,
  async take(side, seed) {
    const turned = by === 'screen' ? ((seed * 7) % 50) / 10 - 2.5 : 45
    return capture(await shown(side, { by, points, turned }), phone)
  },
})
const copies: readonly CaptureCondition[] = [
  ...[0.3, 0.45, 0.7, 0.9].map((points) => show('screen', points)),
  ...[0.22, 0.35].map((points) => show('printer', points)),
]

/** Evaluates how copies are distinguished from documents. @param each - documents per condition */
export async function reportOnCopies(date: string, each: number, progress: (done: string) => void): Promise<string> {
  const rows: string[] = []
  for (const { name, take } of [...documents, ...copies]) {
    const strengths: number[] = []
    let judgedCount = 0
    for (let seed = 0; seed < each; seed++) {
      const raster = await rasterIn(await take(await sideOf(seed), seed))
      if (raster !== undefined) strengths.push(raster)
      if ((raster ?? 0) > defaultThresholds.pageRaster) judgedCount += 1
    }
    strengths.sort((a, b) => a - b)
    const at = (share: number): string => strengths[Math.min(strengths.length - 1, Math.floor(strengths.length * share))]?.toFixed(1) ?? '–'
    rows.push(`| ${name} | ${each} | ${judgedCount} | ${at(0)} | ${at(0.5)} | ${at(1)} |`)
    progress(name)
  }
  return `${[
    '# Detection of screens and prints',
    '',
    `Made by \`npm run evaluate -- copies\` on ${date}: sides of ${each} generated documents, captured directly and from a generated screen or print. Real screens and prints vary more: detection is a hint for reviewers.`,
    '',
    `\`raster\` is the strength of the finest pattern, in decades above others of its frequency; above ${defaultThresholds.pageRaster} (\`pageRaster\`) the job goes to review as \`shown_on_screen\`, or as \`copy_of_document\` for a diagonal pattern.`,
    '',
    '| captured | images | detected | raster, minimum | median | maximum |',
    '|---|---|---|---|---|---|',
    ...rows,
  ].join('\n')}\n`
}

async function sideOf(seed: number): Promise<Buffer> {
  const names = Object.keys(printings)
  const background = seed % 2 === 0 ? 'waves' : 'guilloche'
  const printing = { ...printings[names[seed % names.length] ?? ''], background } as const
  const holder = generateHolder(700 + seed)
  if (seed % 3 === 0) return drawPassport(holder, printing)
  const { front, back } = await drawIdentityCard(holder, printing)
  return seed % 3 === 1 ? front : back
}

const maxEdge = 2000

async function rasterIn(image: Uint8Array): Promise<number | undefined> {
  const { pixels } = await decodeImage(image, maxEdge)
  const picture = toGrey(pixels)
  return rasterOf(picture, findDocument(pixels, picture))?.strength
}
