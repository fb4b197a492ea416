import { installedPackage } from '../../../subgraphs/engines/inference/installed-models.ts'
import { defaultThresholds } from '../../../subgraphs/verification/assessment/thresholds.ts'
import { measurePairs, type PairsOfWidth } from './measure-pairs.ts'
import { peopleIn } from './people.ts'
import { type Judge, rocOf, trueAcceptsAt, type Verdicts, verdictsOf } from './rates.ts'
import { type Curve, rocPlot } from './roc-plot.ts'

const names: Readonly<Record<Judge, string>> = { dlib: 'without a pull', sface: 'with sface' }
const colours = ['#1b6ca8', '#c0562f', '#3b8a3e'] as const

/** How faces on photographs of people are judged. */
export interface FacesReport {
  readonly text: string
  /** SVG */
  readonly plot: string
}

/**
 * @param folder - a folder for each person   @param modelsFolder - where SFace may be installed
 * @param today - ISO 8601   @throws {Error} a sentence, when the folder does not hold what is needed
 */
export async function reportOnFaces(
  folder: string,
  modelsFolder: string,
  today: string,
  progress: (done: number, of: number) => void,
): Promise<FacesReport> {
  const sface = installedPackage(modelsFolder, 'face-descriptor')
  const people = await peopleIn(folder)
  const measured = await measurePairs(people, sface, progress)
  const judges: readonly Judge[] = sface === undefined ? ['dlib'] : ['dlib', 'sface']
  const curves = judges.flatMap((judge) =>
    measured.map((pairs, column): Curve => {
      const dashes = judge === 'dlib' ? { dashes: '5 4' } : {}
      return {
        name: `${names[judge]}, ${pairs.width} px`,
        colour: colours[column % colours.length] ?? '#000',
        ...dashes,
        points: rocOf(pairs, judge),
      }
    }),
  )
  return { text: textOf(measured, judges, people.length, today), plot: rocPlot(curves) }
}

function textOf(measured: readonly PairsOfWidth[], judges: readonly Judge[], people: number, today: string): string {
  const rows = judges.flatMap((judge) =>
    measured.flatMap(({ width, genuine, impostor, missed }) => [
      row(judge, width, 'one person', verdictsOf(genuine, judge, defaultThresholds, missed)),
      row(judge, width, 'two people', verdictsOf(impostor, judge, defaultThresholds)),
    ]),
  )
  const shares = judges.flatMap((judge) =>
    measured.map((pairs) => {
      const points = rocOf(pairs, judge)
      return `| ${names[judge]} | ${pairs.width} | ${percent(trueAcceptsAt(points, 1e-2))} | ${percent(trueAcceptsAt(points, 1e-3))} | ${percent(trueAcceptsAt(points, 1e-4))} |`
    }),
  )
  return `# How faces are compared

Made by \`npm run evaluate -- faces\` on ${today}: two photographs of each of ${people} people, from a folder that is not part of the project. One is the selfie; the other is printed on a drawn card, half grey,
JPEG 70, its face 120, 90 or 60 pixels wide, and found there by the detector. Every selfie is compared with every card. The verdicts are those of the likeness alone, by the [lines](thresholds.md) as they stand; a job
needs more to be verified, a selfie that is sharp enough among it.

| judged | width of the printed face | pairs of | verified | review | rejected | no face found on the card | pairs |
|---|---|---|---|---|---|---|---|
${rows.join('\n')}

Review holds the cards on which no face was found. How many pairs of one person a line on one number alone accepts, where it accepts so many pairs of two people:

| judged | width | 1 % | 0.1 % | 0.01 % |
|---|---|---|---|---|
${shares.join('\n')}

![Pairs of one person accepted, by pairs of two people accepted](../pictures/faces-roc.svg)

## What these figures do not say

The photographs that we measured on carry no sex, age or colour of skin, so rates by these are not stated. With such photographs, a folder for each group gives them. Photographs of press and television are not those of phones; real
captures will be worse.
`
}

function row(judge: Judge, width: number, pairs: string, { same_person, uncertain, another_person, without, of }: Verdicts): string {
  const share = (count: number): string => percent(of === 0 ? 0 : count / of)
  return `| ${names[judge]} | ${width} | ${pairs} | ${share(same_person)} | ${share(uncertain + without)} | ${share(another_person)} | ${without} | ${of} |`
}

/** Rare ones by two digits that say something. */
const percent = (share: number): string => `${share > 0 && share < 0.01 ? (100 * share).toPrecision(2) : (100 * share).toFixed(1)} %`
