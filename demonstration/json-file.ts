import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { z } from 'zod'

/** Where the sources of the demonstration lie, also when this is the compiled one. */
const folder = (() => {
  let parent = dirname(fileURLToPath(import.meta.url))
  while (!existsSync(join(parent, 'package.json'))) parent = dirname(parent)
  return join(parent, 'demonstration')
})()

/**
 * Names and texts of the demonstration, which imports nothing of the platform.
 * @param file - JSON, from the demonstration's folder   @throws when it is not what the schema says, naming the file and the places in it
 */
export function readJson<T>(file: string, schema: z.ZodType<T>): T {
  const parsed = schema.safeParse(JSON.parse(readFileSync(join(folder, file), 'utf8')))
  if (parsed.success) return parsed.data
  throw new Error(`demonstration/${file}: ${parsed.error.message}`)
}
