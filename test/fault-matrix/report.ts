import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { projectFolder } from '../../foundation/process/build-info.ts'
import type { Outcome } from './run-cell.ts'
import { selectionOf } from './selection.ts'
import { merged, missingIn, rowOf, rowsIn, sumsOf, tableOf } from './table.ts'

const page = join(projectFolder, 'test/fault-matrix/results.md')
const [begin, end] = ['<!-- written by npm run faults -->', '<!-- end of what npm run faults writes -->']

/** Whether an outcome passes: nothing lost or doubled, no status except success, 503, 408 and 504, and an automatic recovery. */
export const isGood = ({ lost, doubled, wrong, recoveredMs }: Outcome): boolean =>
  lost.length + doubled.length + wrong.length === 0 && recoveredMs !== undefined

/** Content of the page: the table and how it was produced. @param rows - of the table */
export function reportOf(rows: readonly string[], notes: readonly string[], machine: string): string {
  const { days, acknowledged, lost, doubled, refused, otherwise } = sumsOf(rows)
  return [
    `Written by \`npm run faults\` on ${days.join(' and ')}, ${machine}. Together: ${rows.length} faults, ${acknowledged} acknowledged, ` +
      `${lost} lost, ${doubled} doubled, ${refused} refused with 503, ${otherwise} with anything else.`,
    ...notes,
    tableOf(rows),
  ].join('\n\n')
}

/** Merges outcomes into the table between the markers of results.md. @throws {Error} if the file has no markers */
export async function writeReport(outcomes: readonly Outcome[], notes: readonly string[], machine: string): Promise<void> {
  const text = await readFile(page, 'utf8')
  const [from, to] = [text.indexOf(begin), text.indexOf(end)]
  if (from < 0 || to < from) throw new Error(`${page} has no place for the table`)
  const rows = merged(rowsIn(text.slice(from, to)), outcomes.map(rowOf))
  const missing = missingIn(rows, selectionOf([]).cells)
  const allNotes = missing === undefined ? notes : [...notes, missing]
  await writeFile(page, `${text.slice(0, from + begin.length)}\n\n${reportOf(rows, allNotes, machine)}\n\n${text.slice(to)}`)
}
