import { engineNames } from './engines/engine.ts'
import { titles } from './faults.ts'
import { roleNames } from './platform.ts'
import type { Outcome } from './run-cell.ts'
import type { Cell } from './selection.ts'

const head = [
  '| what failed | how | round, at | load | acknowledged | lost | doubled | refused | recovered after |',
  '|---|---|---|---|---|---|---|---|---|',
]

export const tableOf = (rows: readonly string[]): string => [...head, ...rows].join('\n')

export function rowOf({ cell, at, load, acknowledged, lost, doubled, recoveredMs, ...counts }: Outcome): string {
  const recovered = recoveredMs === undefined ? '**not in 5 min**' : `${(recoveredMs / 1000).toFixed(1)} s`
  const when = `${cell.round}, ${at.toISOString().slice(0, 19).replace('T', ' ')}`
  const rate = `${load.toFixed(1)}/s`
  return `| ${cell.subject} | ${titles[cell.fault]} | ${when} | ${rate} | ${acknowledged} | ${lost.length} | ${doubled.length} | ${refusals(counts)} | ${recovered} |`
}

type Refusals = Pick<Outcome, 'refused' | 'unknown' | 'cutOff' | 'noConnection' | 'silent' | 'wrong'>

function refusals({ refused, unknown, cutOff, noConnection, silent, wrong }: Refusals): string {
  const statuses = [...new Set(wrong.map((reason) => reason.split(' ', 1)[0]))].map((status) => `**${status}**`)
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

/** The rows of an existing table. */
export const rowsIn = (text: string): readonly string[] => text.split('\n').filter((line) => line.startsWith('| ') && !head.includes(line))

const cellsOf = (row: string): readonly string[] => row.split('|').map((cell) => cell.trim())
const roundOf = (row: string): string => (cellsOf(row)[3] ?? '').split(',', 1).join()
const fieldOf = (row: string): string => [roundOf(row), ...cellsOf(row).slice(1, 3)].join()

const subjects: readonly string[] = [...engineNames, ...roleNames]
const ways: readonly string[] = Object.values(titles)

/** Merges rows: the newer one of each cell and round, sorted by round, then in the order of the matrix. */
export function merged(before: readonly string[], after: readonly string[]): readonly string[] {
  const rows = [...new Map([...before, ...after].map((row) => [fieldOf(row), row])).values()]
  const place = (row: string): number => {
    const [, subject = '', way = ''] = cellsOf(row)
    return Number(roundOf(row)) * 10_000 + subjects.indexOf(subject) * 100 + ways.indexOf(way)
  }
  return rows.toSorted((a, b) => place(a) - place(b))
}

/** The missing cells of two rounds, in words; undefined when no cell is missing. */
export function missingIn(rows: readonly string[], cells: readonly Cell[]): string | undefined {
  const there = new Set(rows.map(fieldOf))
  const hasRow = ({ subject, fault, round }: Cell): boolean => there.has([round, subject, titles[fault]].join())
  const sentences = [...new Set(cells.map(({ round }) => round))].flatMap((round) => {
    const ofRound = cells.filter((cell) => cell.round === round)
    const parts = [...new Set(ofRound.map(({ subject }) => subject))].flatMap((subject) => {
      const own = ofRound.filter((cell) => cell.subject === subject)
      const missing = own.filter((cell) => !hasRow(cell))
      if (missing.length === 0) return []
      return [missing.length === own.length ? subject : `${subject} (${missing.map(({ fault }) => titles[fault]).join(', ')})`]
    })
    return parts.length === 0 ? [] : [`of round ${round}: ${parts.join('; ')}`]
  })
  return sentences.length === 0 ? undefined : `Not run yet, ${sentences.join('; ')}.`
}

/** A summary of all rows. */
export function sumsOf(rows: readonly string[]) {
  const sum = (count: (cells: readonly string[]) => number): number => rows.reduce((all, row) => all + count(cellsOf(row)), 0)
  return {
    days: [...new Set(rows.map((row) => /\d{4}-\d\d-\d\d/.exec(row)?.[0] ?? 'no day'))].toSorted(),
    acknowledged: sum((cells) => Number(cells[5])),
    lost: sum((cells) => Number(cells[6])),
    doubled: sum((cells) => Number(cells[7])),
    refused: sum((cells) => Number(/(\d+) × 503/.exec(cells[8] ?? '')?.[1] ?? 0)),
    otherwise: sum((cells) => Number(/(\d+) × \*\*/.exec(cells[8] ?? '')?.[1] ?? 0)),
  }
}
