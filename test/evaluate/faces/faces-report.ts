import { installedPackage } from '../../../engines/inference/installed-models.ts'
import { defaultThresholds } from '../../../subgraphs/verification/checks/thresholds.ts'
import { type FacePair, measurePairs, type PairsOfWidth } from './measure-pairs.ts'
import { peopleIn } from './people.ts'
import { percent } from './percent.ts'
import { type FaceModel, rocOf, trueAcceptsAt, type Verdicts, verdictsOf } from './rates.ts'
import { type Curve, rocPlot } from './roc-plot.ts'

const judgeNames: Readonly<Record<FaceModel, string>> = { dlib: 'without sface', sface: 'with sface' }
const colours = ['#1b6ca8', '#c0562f', '#3b8a3e'] as const

/** Report on the comparison of faces on photographs of people. */
export interface FacesReport {
  readonly text: string
  /** SVG */
  readonly plot: string
}

/**
 * @param folder - one folder per person   @param groupsFile - a line `person,group` per person, or empty   @param modelsFolder - folder of an installed SFace
 * @param today - ISO 8601   @throws {Error} when the folder lacks required photographs
 */
export async function reportOnFaces(
  folder: string,
  groupsFile: string,
  modelsFolder: string,
  today: string,
  progress: (done: number, of: number) => void,
): Promise<FacesReport> {
  const sface = installedPackage(modelsFolder, 'face-descriptor')
  const people = await peopleIn(folder, groupsFile)
  const measured = await measurePairs(people, sface, progress)
  const judges: readonly FaceModel[] = sface === undefined ? ['dlib'] : ['dlib', 'sface']
  const curves = judges.flatMap((judge) =>
    measured.map((pairs, column): Curve => {
      const dashes = judge === 'dlib' ? { dashes: '5 4' } : {}
      return {
        name: `${judgeNames[judge]}, ${pairs.width} px`,
        colour: colours[column % colours.length] ?? '#000',
        ...dashes,
        points: rocOf(pairs, judge),
      }
    }),
  )
  return { text: textOf(measured, judges, people.length, today), plot: rocPlot(curves) }
}

function textOf(measured: readonly PairsOfWidth[], judges: readonly FaceModel[], people: number, today: string): string {
  const rows = judges.flatMap((judge) =>
    measured.map(({ width, genuine, impostor, missed }) =>
      row(
        judgeNames[judge],
        `${width}`,
        verdictsOf(genuine, judge, defaultThresholds, missed),
        verdictsOf(impostor, judge, defaultThresholds),
      ),
    ),
  )
  const shares = judges.flatMap((judge) =>
    measured.map((pairs) => {
      const points = rocOf(pairs, judge)
      return `| ${judgeNames[judge]} | ${pairs.width} | ${percent(trueAcceptsAt(points, 1e-2))} | ${percent(trueAcceptsAt(points, 1e-3))} | ${percent(trueAcceptsAt(points, 1e-4))} |`
    }),
  )
  const counted = measured[0] === undefined ? 0 : measured[0].genuine.length + measured[0].missed
  return `# Face comparison

Made by \`npm run evaluate -- faces\` on ${today}: two photographs of each of ${counted} people. One is the selfie; the other is printed on a generated card, half grey,
JPEG 70, its face 120, 90 or 60 pixels wide. Every selfie is compared with every card, by likeness alone with the current [thresholds](thresholds.md).
${people - counted} more people are excluded, because a photograph has no detected face, or several persons.

Shares verified / in review / rejected; cards without a detected face are in review.

| models | printed face, px | ${counted} pairs of one person | ${measured[0]?.impostor.length ?? 0} pairs of two people |
|---|---|---|---|
${rows.join('\n')}

True accept rate of a single threshold, by its false accept rate:

| models | width | 1 % | 0.1 % | 0.01 % |
|---|---|---|---|---|
${shares.join('\n')}

![True accept rate by false accept rate](../pictures/faces-roc.svg)

${byGroup(measured, judges)}## Limitations

Phone captures will be worse. False accepts by age and origin: [groups](face-groups.md); false rejects by these are unknown.
`
}

/** Rates by group at the middle width; empty without groups. */
function byGroup(measured: readonly PairsOfWidth[], judges: readonly FaceModel[]): string {
  const middle = measured[1]
  const names = [...new Set(middle?.genuine.flatMap(({ group }) => group ?? []))].toSorted()
  if (middle === undefined || names.length === 0) return ''
  const rows = judges.flatMap((judge) =>
    names.map((name) => {
      const own = (pairs: readonly FacePair[]) =>
        verdictsOf(
          pairs.filter(({ group }) => group === name),
          judge,
          defaultThresholds,
        )
      const [genuine, impostor] = [own(middle.genuine), own(middle.impostor)]
      return row(judgeNames[judge], `${name} (${genuine.of} and ${impostor.of} pairs)`, genuine, impostor)
    }),
  )
  return `## By groups

Pairs of two people are within a group. Printed faces are ${middle.width} px wide; cards without a face are excluded.

| models | group | one person | two people |
|---|---|---|---|
${rows.join('\n')}

`
}

function row(models: string, label: string, genuine: Verdicts, impostor: Verdicts): string {
  return `| ${models} | ${label} | ${outcomesOf(genuine)} | ${outcomesOf(impostor)} |`
}

function outcomesOf({ same_person, uncertain, another_person, without, of }: Verdicts): string {
  const counts = [same_person, uncertain + without, another_person]
  return counts.map((count) => percent(of === 0 ? 0 : count / of)).join(' / ')
}
