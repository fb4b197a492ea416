import { parseArgs } from 'node:util'
import type { Config } from '../../foundation/config/config.ts'

export type Say = (line: string) => unknown

/** What `npm run civigraph -- NAME …` does. @returns the exit code */
export type Command = (words: readonly string[], config: Config, say: Say) => Promise<number>

/** A sentence for whoever typed the command; its usage follows. */
export class CommandProblem extends Error {}

/** Somebody pressed Ctrl-C, or sent SIGTERM. */
export class Interrupted extends Error {}

/** what shells say of a program that Ctrl-C ended */
export const interruptedCode = 130

/** Words in their order, and options by name. @throws {CommandProblem} where there is no such option */
export function readWords<Options extends NonNullable<NonNullable<Parameters<typeof parseArgs>[0]>['options']>>(
  words: readonly string[],
  options: Options,
) {
  try {
    return parseArgs({ args: [...words], allowPositionals: true, options })
  } catch (error) {
    throw new CommandProblem(error instanceof Error ? error.message : 'The command cannot be read')
  }
}

/** The format that the end of a file's name tells. @throws {CommandProblem} for another one */
export function formatOf(file: string | undefined): { readonly file: string; readonly format: 'csv' | 'ndjson' } {
  const [, format] = /\.(ndjson|csv)$/i.exec(file ?? '') ?? []
  if (file === undefined || format === undefined) throw new CommandProblem('A file that ends in .ndjson or .csv is missing')
  return { file, format: format.toLowerCase() === 'csv' ? 'csv' : 'ndjson' }
}
