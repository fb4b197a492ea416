import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { projectFolder } from '../../subgraphs/foundation/build-info.ts'
import { titles } from './faults.ts'
import type { Outcome } from './run-cell.ts'

const page = join(projectFolder, 'docs/durability.md')
const [begin, end] = ['<!-- written by npm run faults -->', '<!-- end of what npm run faults writes -->']

/** Whether it is as it has to be: nothing lost or doubled, no answer but success, 503, 408 and 504, and all went on by itself. */
export const isGood = ({ lost, doubled, wrong, recoveredMs }: Outcome): boolean =>
  lost.length + doubled.length + wrong.length === 0 && recoveredMs !== undefined

export function tableOf(outcomes: readonly Outcome[]): string {
  const head = [
    '| what failed | how | round, at | load | acknowledged | lost | doubled | refused | recovered after |',
    '|---|---|---|---|---|---|---|---|---|',
  ]
  return [...head, ...outcomes.map(rowOf)].join('\n')
}

function rowOf({ cell, at, load, acknowledged, lost, doubled, recoveredMs, ...counts }: Outcome): string {
  const recovered = recoveredMs === undefined ? '**not in 5 min**' : `${(recoveredMs / 1000).toFixed(1)} s`
  const when = `${cell.round}, ${at.toISOString().slice(11, 19)}`
  const rate = `${load.toFixed(1)}/s`
  return `| ${cell.subject} | ${titles[cell.fault]} | ${when} | ${rate} | ${acknowledged} | ${lost.length} | ${doubled.length} | ${refusals(counts)} | ${recovered} |`
}

type Refusals = Pick<Outcome, 'refused' | 'unknown' | 'cutOff' | 'noConnection' | 'silent' | 'wrong'>

function refusals({ refused, unknown, cutOff, noConnection, silent, wrong }: Refusals): string {
  const statuses = [...new Set(wrong.map((said) => said.split(' ', 1)[0]))].map((status) => `**${status}**`)
  const parts = [
    ...(refused > 0 ? [`${refused} × 503`] : []),
    ...(unknown > 0 ? [`${unknown} × 504`] : []),
    ...(cutOff > 0 ? [`${cutOff} × 408`] : []),
    ...(noConnection > 0 ? [`${noConnection} no connection`] : []),
    ...(silent > 0 ? [`${silent} silent`] : []),
    ...(wrong.length > 0 ? [`${wrong.length} × ${statuses.join(', ')}`] : []),
  ]
  return parts.length === 0 ? '0' : parts.join(', ')
}

/** What goes into the page: the table, with how it came about. */
export function reportOf(outcomes: readonly Outcome[], notes: readonly string[], machine: string): string {
  const [first] = outcomes
  const sums = (count: (outcome: Outcome) => number): number => outcomes.reduce((sum, outcome) => sum + count(outcome), 0)
  return [
    `Written by \`npm run faults\` on ${first?.at.toISOString().slice(0, 10) ?? 'no day'}, ${machine}. Together: ${outcomes.length} faults, ` +
      `${sums(({ acknowledged }) => acknowledged)} acknowledged, ${sums(({ lost }) => lost.length)} lost, ${sums(({ doubled }) => doubled.length)} doubled, ` +
      `${sums(({ refused }) => refused)} refused with 503, ${sums(({ wrong }) => wrong.length)} with anything else.`,
    ...notes,
    tableOf(outcomes),
  ].join('\n\n')
}

/** Puts it between the markers of docs/durability.md. @throws {Error} when the page has none */
export async function writeReport(report: string): Promise<void> {
  const text = await readFile(page, 'utf8')
  const [from, to] = [text.indexOf(begin), text.indexOf(end)]
  if (from < 0 || to < from) throw new Error(`${page} has no place for the table`)
  await writeFile(page, `${text.slice(0, from + begin.length)}\n\n${report}\n\n${text.slice(to)}`)
}
