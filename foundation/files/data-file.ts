import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { z } from 'zod'
import { projectFolder } from '../process/build-info.ts'

/**
 * Data that lies beside the code that reads it: word lists, tables, examples. Read once, when the module that holds it is loaded.
 * @param file - JSON, from the project's folder: compiled code finds it where the sources lie
 * @throws an error that names the file and the place in it when it is not there, is no JSON or is not what the schema says
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

/** As a linguist finds it: months, 3, names. */
const placeOf = (path: readonly PropertyKey[]): string => (path.length === 0 ? 'as a whole' : path.map(String).join(', '))
