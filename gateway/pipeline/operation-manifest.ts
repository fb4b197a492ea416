import { readFile, stat } from 'node:fs/promises'
import { z } from 'zod'
import { messageOf } from '../../foundation/fault.ts'

/** Operations registered at build time, by id. */
export interface OperationManifest {
  readonly size: number
  /** Returns the text of an id; the prefix `sha256:` of a hash is optional */
  find(id: string): string | undefined
  has(text: string): boolean
}

/** Maximum file size: a hundred thousand operations of usual length. */
export const maxManifestBytes = 64 * 1024 * 1024

/** @see https://www.apollographql.com/docs/graphos/platform/security/persisted-queries */
const Apollo = z.object({
  format: z.literal('apollo-persisted-query-manifest'),
  version: z.literal(1),
  operations: z.array(z.object({ id: z.string().min(1), body: z.string().min(1) })),
})
/** @see https://relay.dev/docs/guides/persisted-queries/ */
const Relay = z.record(z.string().min(1), z.string().min(1))

/** Reads a manifest written by Apollo's or Relay's compiler. @throws {Error} naming the file if it cannot be read, exceeds 64 MiB, or is invalid */
export async function loadOperationManifest(file: string, maxBytes = maxManifestBytes): Promise<OperationManifest> {
  try {
    const { size } = await stat(file)
    // before reading, since the whole file is held in memory
    if (size > maxBytes) throw new Error(`its size is ${mebibytes(size)} MiB, the limit is ${mebibytes(maxBytes)} MiB`)
    return operationManifest(JSON.parse((await readFile(file, 'utf8')).replace(/^\ufeff/, '')))
  } catch (error) {
    throw new Error(`the manifest of operations ${file} is invalid: ${messageOf(error)}`, { cause: error })
  }
}

/** @throws {Error} naming the invalid member */
export function operationManifest(json: unknown): OperationManifest {
  const texts = new Map<string, string>()
  for (const [id, text] of operationsIn(json)) {
    const plain = withoutAlgorithm(id)
    if (texts.has(plain) && texts.get(plain) !== text) throw new Error(`two operations have the id ${id.slice(0, 100)}`)
    texts.set(plain, text)
  }
  const registered = new Set(texts.values())
  return { size: texts.size, find: (id) => texts.get(withoutAlgorithm(id)), has: (text) => registered.has(text) }
}

function operationsIn(json: unknown): readonly (readonly [id: string, text: string])[] {
  const isApollos = typeof json === 'object' && json !== null && 'operations' in json
  if (isApollos) return read(Apollo, json).operations.map(({ id, body }) => [id, body])
  return Object.entries(read(Relay, json))
}

function read<Value>(rule: z.ZodType<Value>, json: unknown): Value {
  const result = rule.safeParse(json)
  if (result.success) return result.data
  const { path, message } = result.error.issues[0] ?? { path: [], message: 'invalid' }
  throw new Error(`${path.map(String).join('.').slice(0, 100) || 'it'}: ${message}`)
}

const withoutAlgorithm = (id: string): string => id.replace(/^sha256:/, '')

const mebibytes = (bytes: number): number => Math.ceil(bytes / 1024 / 1024)
