import { join } from 'node:path'
import { casesOfPeople } from './document-cases.ts'
import { type Evaluation, evaluateDocuments, isAbout, isUnexpected } from './documents.ts'
import { peopleIn } from './faces/people.ts'
import { photographedPeople } from './faces/photographed-people.ts'
import type { JudgedCase } from './judged-cases.ts'

/** Outcomes of the cases, without and with the models that an operator may install. */
interface Column {
  readonly name: string
  readonly judged: readonly JudgedCase[]
}

export interface PeopleOptions {
  /** One folder per person. */
  readonly folder: string
  /** Folder of installed models. */
  readonly modelsFolder: string
  /** Selects cases whose kind, capture or defect contains the word. */
  readonly word: string
  /** Folder for judged cases, for a run after an interruption. */
  readonly journals?: string | undefined
}

/**
 * Judges generated documents with photographs of people, without installed models and, if there are any, with them.
 * @param progress - called after each case   @throws {Error} when the folder lacks required photographs
 */
export async function reportOnPeople(
  { folder, modelsFolder, word, journals }: PeopleOptions,
  day: string,
  progress: Evaluation['progress'],
): Promise<string> {
  const photographs = await peopleIn(folder)
  const casesWith: Evaluation['casesWith'] = async (faces, today, signal) => {
    const { people, count } = await photographedPeople(photographs, faces, signal)
    return casesOfPeople(today, people, count).filter((documentCase) => isAbout(documentCase, word))
  }
  const journal = (name: string): string | undefined => journals && join(journals, `${name}.ndjson`)
  const columns: readonly Column[] = [
    { name: 'without installed models', judged: await evaluateDocuments({ casesWith, journal: journal('people-without'), progress }) },
    {
      name: 'with `sface` and `ocr`',
      judged: await evaluateDocuments({ casesWith, modelsFolder, journal: journal('people-with'), progress }),
    },
  ]
  return textOf(columns, day)
}

const isGenuine = ({ documentCase }: JudgedCase): boolean => documentCase.defect === 'genuine'
const outcomes = ['verified', 'pending_review', 'rejected', 'error'] as const

function textOf(columns: readonly Column[], day: string): string {
  const genuine = columns.map(({ name, judged }) => ({ name, judged: judged.filter(isGenuine) }))
  const defective = columns.map(({ name, judged }) => ({ name, judged: judged.filter((one) => !isGenuine(one)) }))
  return `# Documents with photographs of people

Made by \`npm run evaluate -- people\` on ${day}: ${genuine[0]?.judged.length} genuine submissions, one a person, and ${defective[0]?.judged.length} with one defect each.
The selfie is one photograph; another of the person is printed on a generated document.

| genuine | of | verified | review | rejected | error |
|---|---|---|---|---|---|
${genuine.map(({ name, judged }) => `| ${name} | ${judged.length} | ${outcomes.map((outcome) => share(judged, outcome)).join(' | ')} |`).join('\n')}

| one defect | of | verified | its reason missing |
|---|---|---|---|
${defective.map(({ name, judged }) => `| ${name} | ${judged.length} | ${count(judged, 'verified')} | ${judged.filter(isUnexpected).length - count(judged, 'verified')} |`).join('\n')}
${table('Genuine, by capture', genuine, ({ documentCase }) => documentCase.condition)}

${kindLine(genuine)}
${table('By defect', defective, ({ documentCase }) => documentCase.defect)}

## Why genuine ones were not verified

| | reasons | submissions |
|---|---|---|
${genuine.flatMap(({ name, judged }) => reasonsOf(judged).map(([reasons, many]) => `| ${name} | ${reasons} | ${many} |`)).join('\n')}
`
}

function table(title: string, columns: readonly Column[], by: (judged: JudgedCase) => string): string {
  const groups = [...new Set(columns.flatMap(({ judged }) => judged.map(by)))]
  const cells = ({ judged }: Column, group: string): string => {
    const cases = judged.filter((one) => by(one) === group)
    return outcomes
      .slice(0, 3)
      .map((outcome) => count(cases, outcome))
      .join('/')
  }
  const rows = groups.map((group) => `| ${group} | ${columns.map((column) => cells(column, group)).join(' | ')} |`)
  return `
## ${title}

Verified/review/rejected.

| | ${columns.map(({ name }) => name).join(' | ')} |
|---|${columns.map(() => '---|').join('')}
${rows.join('\n')}`
}

/** One sentence on the kind of document that is verified least often. */
function kindLine(columns: readonly Column[]): string {
  const lowest = columns.flatMap(({ name, judged }) => {
    const kinds = [...Map.groupBy(judged, ({ documentCase }) => documentCase.kind)]
    const [worst] = kinds.toSorted(([, a], [, b]) => verifiedShare(a) - verifiedShare(b))
    return worst === undefined ? [] : [`${name} ${worst[0]} (${count(worst[1], 'verified')} of ${worst[1].length})`]
  })
  return `Verified least often: ${lowest.join('; ')}.`
}

const verifiedShare = (judged: readonly JudgedCase[]): number => count(judged, 'verified') / judged.length

const reasonsOf = (judged: readonly JudgedCase[]): readonly (readonly [reasons: string, many: number])[] => {
  const refused = judged.filter(({ outcome }) => outcome !== 'verified')
  const groups = Map.groupBy(refused, ({ outcome, reasons }) => `${outcome}: ${reasons.toSorted().join(', ')}`)
  return [...groups].map(([reasons, cases]) => [reasons, cases.length] as const).toSorted(([, a], [, b]) => b - a)
}

const count = (judged: readonly JudgedCase[], outcome: string): number => judged.filter((one) => one.outcome === outcome).length
const share = (judged: readonly JudgedCase[], outcome: string): string =>
  judged.length === 0 ? '–' : `${((100 * count(judged, outcome)) / judged.length).toFixed(1)} %`
