import { installedPackage } from '../../../engines/inference/installed-models.ts'
import { duplicateLine } from '../../../subgraphs/verification/assessment/checks/duplicate-search.ts'
import { defaultThresholds } from '../../../subgraphs/verification/assessment/thresholds.ts'
import { type TemplateModel, templateOf } from '../../../subgraphs/verification/duplicates/face-template.ts'
import { pairRates, searchRates } from './duplicate-rates.ts'
import type { TwoOfEach } from './face-population.ts'
import { measureSelfies } from './measure-selfies.ts'
import { peopleIn } from './people.ts'
import { percent } from './percent.ts'

const sizes = [10_000, 100_000] as const
/** as VERIFICATION_THRESHOLDS would draw them: distances without SFace, cosines with it */
const drawn: Readonly<Record<TemplateModel, readonly number[]>> = { dlib: [0.3, 0.35, 0.4, 0.45, 0.5], sface: [0.65, 0.6, 0.55, 0.5, 0.45] }
const names: Readonly<Record<TemplateModel, string>> = { dlib: '`duplicateDistance`', sface: '`duplicateLikeness`' }

/**
 * How often the same person is found under another code, and a stranger is, among ten and a hundred thousand faces.
 * @param folder - a folder for each person   @param modelsFolder - where SFace may be installed
 * @param today - ISO 8601   @throws {Error} a sentence, when the folder does not hold what is needed
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
}

function tableOf(model: TemplateModel, measured: TwoOfEach): Table {
  const lineOf = (value: number): number =>
    duplicateLine(model, { ...defaultThresholds, duplicateDistance: value, duplicateLikeness: value })
  const lines = drawn[model].map(lineOf)
  const nameOf = (line: number): string => `${names[model]} ${drawn[model][lines.indexOf(line)]}`
  return {
    pairs: pairRates(measured, lines).map(
      ({ line, onePerson, twoPeople, pairsOfTwo }) =>
        `| ${nameOf(line)} | ${percent(onePerson)} | ${Math.round(twoPeople * pairsOfTwo)} of ${pairsOfTwo} |`,
    ),
    searches: searchRates(measured, model === 'sface', lines, sizes).map(
      ({ faces, line, found, wrong, searchMs }) =>
        `| ${nameOf(line)} | ${faces} | ${percent(found)} | ${percent(wrong)} | ${searchMs.toFixed(1)} |`,
    ),
  }
}

function textOf(tables: readonly Table[], people: number, today: string): string {
  return `# One person under two codes

Made by \`npm run evaluate -- duplicates\` on ${today}: two photographs of each of ${people} people, from a folder that is not part of the project, looked at as selfies.
[What the search is](../components/verification-duplicates.md); [its lines](thresholds.md).

## Pairs of photographs

| line | pairs of one person within it | pairs of two people within it |
|---|---|---|
${tables.flatMap(({ pairs }) => pairs).join('\n')}

## Searches among many

Nobody here has photographs of 100,000 people. The faces are made: descriptors drawn from a normal distribution that has the measured mean, the measured covariance between people and the measured covariance between two photographs of one. 1,000 people
who are among them, photographed anew, and 1,000 who are not, are searched as a worker searches.

| line | faces | found of those who are there | somebody found of those who are not | ms a search (median) |
|---|---|---|---|---|
${tables.flatMap(({ searches }) => searches).join('\n')}

## What these figures do not say

Real people are not normally distributed: families and people who look alike are nearer to each other than made ones, so that more is found wrongly than here. Compare the first table, which holds the real pairs. The photographs are of press and television, years apart, where selfies of one person are often of one phone;
false hits are known to differ by sex, age and origin, as [those of two photographs](face-groups.md) do.
`
}
