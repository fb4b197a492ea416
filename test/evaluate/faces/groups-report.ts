import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type DetectedFace, faceLikeness } from '../../../engines/face-analyser/face-analyser.ts'
import { installedPackage } from '../../../engines/inference/installed-models.ts'
import { verdictOfLikeness } from '../../../subgraphs/verification/checks/face-comparison.ts'
import { hiddenBy } from '../../../subgraphs/verification/checks/hidden-face.ts'
import { defaultThresholds } from '../../../subgraphs/verification/checks/thresholds.ts'
import { isPhotograph } from './people.ts'
import { percent } from './percent.ts'
import { onlyPerson, withAnalyser } from './with-analyser.ts'

/** Photographs of different people of one group. */
interface Group {
  readonly name: string
  readonly photographs: number
  readonly faces: readonly DetectedFace[]
}

/**
 * Reports the findings on selfies by group, and how often two people of one group are accepted as one.
 * @param folder - one folder per group with a photograph of each person   @param modelsFolder - folder of an installed SFace
 * @param today - ISO 8601   @throws {Error} when the folder lacks required photographs
 */
export async function reportOnGroups(
  folder: string,
  modelsFolder: string,
  today: string,
  progress: (done: number, of: number) => void,
): Promise<string> {
  if (folder === '') throw new Error('GROUPS_DIR must name a folder that holds a folder of photographs for each group')
  const sface = installedPackage(modelsFolder, 'face-descriptor')
  const names = (await readdir(folder, { withFileTypes: true })).filter((each) => each.isDirectory()).map(({ name }) => name)
  const files = await Promise.all(
    names.toSorted().map(async (name) => (await readdir(join(folder, name))).filter(isPhotograph).map((file) => ({ name, file }))),
  )
  const looked = await withAnalyser(
    files.flat(),
    sface,
    async (analyser, { name, file }, signal) => ({
      name,
      // an unreadable file counts as a photograph without a face
      face: await onlyPerson(analyser, await readFile(join(folder, name, file)), signal).catch(() => undefined),
    }),
    progress,
  )
  const groups = [...Map.groupBy(looked, ({ name }) => name)].map(
    ([name, people]): Group => ({
      name,
      photographs: people.length,
      faces: people.flatMap(({ face }) => face ?? []),
    }),
  )
  return textOf(groups, sface !== undefined, today)
}

function textOf(groups: readonly Group[], withSface: boolean, today: string): string {
  return `# Covered faces, and faces by group

Made by \`npm run evaluate -- groups\` on ${today}, from one photograph of each person, with the current [thresholds](thresholds.md).

## Findings on a selfie

| group | photographs | with one person | \`sunglasses\` | \`covered_face\` | \`child\`, from the face |
|---|---|---|---|---|---|
${groups.map(rowOfReasons).join('\n')}

## Two people of one group

Each photograph against every other of its group: pairs verified and rejected by likeness alone. Two photographs with known age and origin may show one person, so their verified share is an upper bound.

| group | pairs of two people | verified without sface | rejected | ${withSface ? 'verified with sface | rejected |' : ''}
|---|---|---|---|${withSface ? '---|---|' : ''}
${groups.map((group) => rowOfPairs(group, withSface)).join('\n')}
`
}

function rowOfReasons({ name, photographs, faces }: Group): string {
  const share = (is: (face: DetectedFace) => boolean): string => percent(faces.filter(is).length / Math.max(1, faces.length))
  const hidden = (reason: 'sunglasses' | 'covered_face') => share((face) => hiddenBy(face, defaultThresholds).includes(reason))
  const child = share(({ apparentAge }) => apparentAge < defaultThresholds.childFace)
  return `| ${name} | ${photographs} | ${faces.length} | ${hidden('sunglasses')} | ${hidden('covered_face')} | ${child} |`
}

function rowOfPairs({ name, faces }: Group, withSface: boolean): string {
  const pairs = faces.flatMap((one, at) => faces.slice(at + 1).map((other) => faceLikeness(one, other)))
  const share = (verdict: string, both: boolean): string => {
    const matching = pairs.filter(
      ({ distance, cosine }) => verdictOfLikeness(both ? { distance, cosine } : { distance }, defaultThresholds) === verdict,
    )
    return percent(matching.length / Math.max(1, pairs.length))
  }
  const by = (both: boolean): string => `${share('same_person', both)} | ${share('another_person', both)}`
  return `| ${name} | ${pairs.length} | ${by(false)} | ${withSface ? `${by(true)} |` : ''}`
}
