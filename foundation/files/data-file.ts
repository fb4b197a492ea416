import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { z } from 'zod'
import { codeOf } from '../fault.ts'
import { projectFolder } from '../process/build-info.ts'

/**
 * Reads a data file (word list, table, examples) when its module loads.
 * @param file - JSON, relative to the project folder
 * @throws an error that names the file and the position if it is missing or invalid
 */
export function readData<T>(file: string, schema: z.ZodType<T>): T {
  const parsed = schema.safeParse(parseFile(file))
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  throw new Error(`${file}: ${placeOf(issue?.path ?? [])}: ${issue?.message}`)
}

function parseFile(file: string): unknown {
  try {
    return JSON.parse(readFileSync(join(projectFolder, file), 'utf8'))
  } catch (cause) {
    throw new Error(`${file}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause })
  }
}

/** Formats a path for data editors: months, 3, names. */
const placeOf = (path: readonly PropertyKey[]): string => (path.length === 0 ? 'as a whole' : path.map(String).join(', '))

/** A line of a file, numbered from 1; `problem`: why it cannot be read. */
export type FileLine = { readonly number: number } & ({ readonly text: string } | { readonly problem: string })

/** Returns the result of reading a file or folder; undefined if it does not exist. */
export const unlessAbsent = <Result>(work: Promise<Result>): Promise<Result | undefined> =>
  work.catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return undefined
    throw error
  })
