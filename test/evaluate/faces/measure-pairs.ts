import { availableParallelism } from 'node:os'
import { type DetectedFace, type FaceLikeness, faceLikeness } from '../../../subgraphs/engines/face-analyser/face-analyser.ts'
import { onnxFaceAnalyser } from '../../../subgraphs/engines/face-analyser/onnx-face-analyser.ts'
import type { InstalledModel } from '../../../subgraphs/engines/inference/installed-models.ts'
import type { PackagedManifest } from '../../../subgraphs/engines/inference/model-manifest.ts'
import { silentLog } from '../../../subgraphs/foundation/log.ts'
import type { TwoPhotographs } from './people.ts'
import { printedCard } from './printed-card.ts'

/** A selfie, and a face on a card. */
export interface FacePair {
  readonly selfie: DetectedFace
  readonly printed: DetectedFace
  readonly likeness: FaceLikeness
}

export interface PairsOfWidth {
  /** of the printed face, in pixels */
  readonly width: number
  readonly genuine: readonly FacePair[]
  readonly impostor: readonly FacePair[]
  /** cards on which no face was found */
  readonly missed: number
}

/** How well faces are compared does not depend on how busy the machine is. */
const patientMs = 600_000

export const printedWidths = [120, 90, 60] as const

/**
 * Looks at one photograph of each person as a selfie and at the other one printed on a card, then compares every selfie with every card.
 * People on one of whose photographs no face is found do not count: that is a question of the photographs.
 * @param sface - absent: by dlib's network alone
 */
export async function measurePairs(
  people: readonly TwoPhotographs[],
  sface: InstalledModel<PackagedManifest> | undefined,
  progress: (done: number, of: number) => void,
): Promise<readonly PairsOfWidth[]> {
  const { signal } = new AbortController()
  const threads = Math.min(4, availableParallelism())
  const analyser = onnxFaceAnalyser({ threads, executionProviders: ['cpu'], sface, timeoutMs: patientMs, log: silentLog })
  await analyser.start(signal)
  const looked: { readonly selfie: DetectedFace; readonly cards: readonly (DetectedFace | undefined)[] }[] = []
  const left = [...people]
  const lane = async (): Promise<void> => {
    for (let person = left.shift(); person !== undefined; person = left.shift()) {
      const [selfie] = (await analyser.analyse(person.selfie, 'selfie', signal)).faces
      const [other] = (await analyser.analyse(person.printed, 'selfie', signal)).faces
      if (selfie !== undefined && other !== undefined) {
        const cards: (DetectedFace | undefined)[] = []
        for (const width of printedWidths) {
          const card = await printedCard(person.printed, other, width)
          cards.push((await analyser.analyse(card, 'document', signal)).faces[0])
        }
        looked.push({ selfie, cards })
      }
      progress(people.length - left.length, people.length)
    }
  }
  try {
    await Promise.all(Array.from({ length: threads }, lane))
  } finally {
    await analyser.stop()
  }
  return printedWidths.map((width, column) => {
    const pairs = looked.flatMap(({ selfie }, i) =>
      looked.flatMap(({ cards }, j) => {
        const printed = cards[column]
        return printed === undefined ? [] : [{ isGenuine: i === j, pair: { selfie, printed, likeness: faceLikeness(selfie, printed) } }]
      }),
    )
    return {
      width,
      genuine: pairs.filter(({ isGenuine }) => isGenuine).map(({ pair }) => pair),
      impostor: pairs.filter(({ isGenuine }) => !isGenuine).map(({ pair }) => pair),
      missed: looked.filter(({ cards }) => cards[column] === undefined).length,
    }
  })
}
