import { type DetectedFace, type FaceLikeness, faceLikeness } from '../../../engines/face-analyser/face-analyser.ts'
import type { InstalledModel } from '../../../engines/inference/installed-models.ts'
import type { PackagedManifest } from '../../../engines/inference/model-manifest.ts'
import type { TwoPhotographs } from './people.ts'
import { printedCard } from './printed-card.ts'
import { onlyPerson, withAnalyser } from './with-analyser.ts'

/** Comparison of a selfie and a face on a card. */
export interface FacePair {
  readonly selfie: DetectedFace
  readonly printed: DetectedFace
  readonly likeness: FaceLikeness
  /** Groups of both people, if equal. */
  readonly group?: string
}

export interface PairsOfWidth {
  /** Width of the printed face in pixels. */
  readonly width: number
  readonly genuine: readonly FacePair[]
  readonly impostor: readonly FacePair[]
  /** Cards on which no face was found. */
  readonly missed: number
}

export const printedWidths = [120, 90, 60] as const

/**
 * Analyses one photograph of each person as a selfie and the other one printed on a card, then compares every selfie with every card.
 * Skips people with a photograph that shows no face or several faces.
 * @param sface - absent: dlib's model only
 */
export async function measurePairs(
  people: readonly TwoPhotographs[],
  sface: InstalledModel<PackagedManifest> | undefined,
  progress: (done: number, of: number) => void,
): Promise<readonly PairsOfWidth[]> {
  const every = await withAnalyser(
    people,
    sface,
    async (analyser, { group, selfie: own, printed }, signal) => {
      const selfie = await onlyPerson(analyser, own, signal)
      const other = await onlyPerson(analyser, printed, signal)
      if (selfie === undefined || other === undefined) return undefined
      const cards: (DetectedFace | undefined)[] = []
      for (const width of printedWidths) {
        const card = await printedCard(printed, other, width)
        cards.push((await analyser.analyse(card, 'document', signal)).faces[0])
      }
      return { group, selfie, cards }
    },
    progress,
  )
  const looked = every.filter((person) => person !== undefined)
  return printedWidths.map((width, column) => {
    const pairs = looked.flatMap(({ selfie, group }, i) =>
      looked.flatMap(({ cards, group: other }, j) => {
        const printed = cards[column]
        if (printed === undefined) return []
        const pair = { selfie, printed, likeness: faceLikeness(selfie, printed), ...(group !== undefined && group === other && { group }) }
        return [{ isGenuine: i === j, pair }]
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
