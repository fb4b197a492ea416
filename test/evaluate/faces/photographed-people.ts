import sharp from 'sharp'
import type { FaceAnalyser } from '../../../engines/face-analyser/face-analyser.ts'
import type { Population } from '../population.ts'
import type { TwoPhotographs } from './people.ts'
import { portraitOf } from './printed-card.ts'

const height = 480

/**
 * People with two photographs: one is the selfie, unchanged; head and shoulders of the other one are printed on the document.
 * Skips people with a photograph that shows no face or several faces.
 */
export async function photographedPeople(
  photographs: readonly TwoPhotographs[],
  analyser: FaceAnalyser,
  signal: AbortSignal,
): Promise<{ readonly people: Population; readonly count: number }> {
  const photographed: { readonly selfie: Buffer; readonly portrait: string }[] = []
  for (const { selfie, printed } of photographs) {
    const own = (await analyser.analyse(selfie, 'selfie', signal)).faces
    const [other, ...more] = (await analyser.analyse(printed, 'selfie', signal)).faces
    if (own.length !== 1 || other === undefined || more.length > 0) continue
    const portrait = await sharp(await portraitOf(printed, other))
      .jpeg({ quality: 92 })
      .toBuffer()
    photographed.push({ selfie: Buffer.from(selfie), portrait: `data:image/jpeg;base64,${portrait.toString('base64')}` })
  }
  const of = (person: number) => {
    const one = photographed[person % photographed.length]
    if (one === undefined) throw new RangeError('there are no people')
    return one
  }
  const people: Population = {
    selfie: async (person) => of(person).selfie,
    together: (one, other) => sideBySide(of(one).selfie, of(other).selfie),
    portrait: async (person) => of(person).portrait,
    another: (person) => (person + 1) % photographed.length,
  }
  return { people, count: photographed.length }
}

async function sideBySide(...pictures: readonly Buffer[]): Promise<Buffer> {
  const fitted = await Promise.all(pictures.map((picture) => sharp(picture).resize({ height }).png().toBuffer({ resolveWithObject: true })))
  let remaining = 0
  const placed = fitted.map(({ data, info }) => {
    const place = { input: data, remaining, top: 0 }
    remaining += info.width
    return place
  })
  return sharp({ create: { width: remaining, height, channels: 3, background: '#808080' } })
    .composite(placed)
    .jpeg({ quality: 92 })
    .toBuffer()
}
