import { installedPackage } from '../../../engines/inference/installed-models.ts'
import { duplicateLine } from '../../../subgraphs/verification/checks/duplicate-search.ts'
import { defaultThresholds } from '../../../subgraphs/verification/checks/thresholds.ts'
import { type TemplateModel, templateOf } from '../../../subgraphs/verification/duplicates/face-template.ts'
import { pairRates, searchRates } from './duplicate-rates.ts'
import type { DescriptorPairs } from './face-population.ts'
import { measureSelfies } from './measure-selfies.ts'
import { peopleIn } from './people.ts'
import { percent } from './percent.ts'

const sizes = [10_000, 100_000] as const
/** Thresholds in the form of VERIFICATION_THRESHOLDS: distances without SFace, cosines with it. */
const drawn: Readonly<Record<TemplateModel, readonly number[]>> = { dlib: [0.3, 0.35, 0.4, 0.45, 0.5], sface: [0.65, 0.6, 0.55, 0.5, 0.45] }
const names: Readonly<Record<TemplateModel, string>> = { dlib: '`duplicateDistance`', sface: '`duplicateLikeness`' }

/**
 * Reports how often the same person, and a stranger, is found under another code, among ten and a hundred thousand faces.
 * @param folder - one folder per person   @param modelsFolder - folder of an installed SFace
 * @param today - ISO 8601   @throws {Error} when the folder lacks required photographs
 */
export async function reportOnDuplicates(
  folder: string,
  modelsFolder: string,
  today: string,
  progress: (done: number, of: number) => void,
): Promise<string> {
  const sface = installedPackage(modelsFolder, 'face-descriptor')
  const people = await measureSelfies(await peopleIn(folder), sface, progress)
  const models: readonly TemplateModel[] = sface === undefined ? ['dlib'] : ['dlib', 'sface']
  const tables = models.map((model) => {
    const vectors = people.map(([one, other]) =>
      model === 'dlib' ? ([one.descriptor, other.descriptor] as const) : ([templateOf(one).vector, templateOf(other).vector] as const),
    )
    return tableOf(model, vectors)
  })
  return textOf(tables, people.length, today)
}

interface Table {
  readonly pairs: readonly string[]
  readonly searches: readonly string[]
  readonly searchMs: readonly number[]
}

function tableOf(model: TemplateModel, measured: DescriptorPairs): Table {
  const lineOf = (value: number): number =>
    duplicateLine(model, { ...defaultThresholds, duplicateDistance: value, duplicateLikeness: value })
  const lines = drawn[model].map(lineOf)
  const nameOf = (line: number): string => `${names[model]} ${drawn[model][lines.indexOf(line)]}`
  const rates = searchRates(measured, model === 'sface', lines, sizes)
  return {
    pairs: pairRates(measured, lines).map(
      ({ line, onePerson, twoPeople, pairsOfTwo }) =>
        `| ${nameOf(line)} | ${percent(onePerson)} | ${Math.round(twoPeople * pairsOfTwo)} of ${pairsOfTwo} |`,
    ),
    searches: lines.map((line) => {
      const ofLine = rates.filter((rate) => rate.line === line)
      return `| ${nameOf(line)} | ${ofLine.map(({ detected, wrong }) => `${percent(detected)} / ${percent(wrong)}`).join(' | ')} |`
    }),
    searchMs: rates.map(({ searchMs }) => searchMs),
  }
}

function textOf(tables: readonly Table[], people: number, today: string): string {
  return `# Detection of duplicate citizens

Made by \`npm run evaluate -- duplicates\` on ${today}: two photographs of each of ${people} people, used as selfies.
[The search](../components/verification-duplicates.md); [its thresholds](thresholds.md).

## Pairs of photographs

| threshold | matching pairs of one person | matching pairs of two people |
|---|---|---|
${tables.flatMap(({ pairs }) => pairs).join('\n')}

## Large searches

Synthetic descriptors, sampled from a normal distribution with the measured mean and covariances. Cells: share found of 1,000 people whose face is stored / share falsely matched of 1,000 people whose face is not stored. A search takes at most ${Math.max(...tables.flatMap(({ searchMs }) => searchMs)).toFixed(0)} ms (median).

| threshold | ${sizes.map((size) => `${size} faces`).join(' | ')} |
|---|---|---|
${tables.flatMap(({ searches }) => searches).join('\n')}

## Limitations

Relatives and look-alikes cause more false matches than here. The photographs are from press and television, years apart; false matches differ by [sex, age and origin](face-groups.md).
`
}
