import { parseArgs } from 'node:util'
import type { Config } from '../../foundation/config/config.ts'

export type WriteLine = (line: string) => unknown

/** Implements `npm run civigraph -- NAME …`. @returns the exit code */
export type Command = (words: readonly string[], config: Config, writeLine: WriteLine) => Promise<number>

/** An invalid command line; printed with the usage. */
export class CommandProblem extends Error {}

/** The command was interrupted by Ctrl-C or SIGTERM. */
export class Interrupted extends Error {}

/** conventional exit code after Ctrl-C */
export const interruptedCode = 130

/** Parses words and options. @throws {CommandProblem} for an unknown option */
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

/** Returns the format given by the extension of a file name. @throws {CommandProblem} for an unknown one */
export function formatOf(file: string | undefined): { readonly file: string; readonly format: 'csv' | 'ndjson' } {
  const [, format] = /\.(ndjson|csv)$/i.exec(file ?? '') ?? []
  if (file === undefined || format === undefined) throw new CommandProblem('Name a file that ends in .ndjson or .csv')
  return { file, format: format.toLowerCase() === 'csv' ? 'csv' : 'ndjson' }
}

const everyMs = 1000

/** Returns a function that calls `call` at most once per second and drops calls in between. */
export function throttled<Words extends readonly unknown[]>(call: (...words: Words) => unknown): (...words: Words) => void {
  let next = performance.now() + everyMs
  return (...words) => {
    if (performance.now() < next) return
    next = performance.now() + everyMs
    call(...words)
  }
}
