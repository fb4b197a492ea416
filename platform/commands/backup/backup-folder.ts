import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, open, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import { z } from 'zod'
import { codeOf } from '../../../foundation/fault.ts'

/** What a part holds, before it is compressed. */
const Part = z.strictObject({ file: z.string().regex(/^[\w.-]+$/), sha256: z.string().regex(/^[0-9a-f]{64}$/) })

const Table = Part.extend({
  name: z.string(),
  columns: z.array(z.string()).min(1),
  /** of the primary key: the rows lie in its order */
  key: z.array(z.string()),
  rows: z.int().nonnegative(),
})
const Tree = Part.extend({ tenant: z.string(), version: z.int(), nodes: z.int().nonnegative() })
const SealedFile = z.strictObject({ name: z.uuid(), sha256: z.string() })

/** What a backup says of itself; it is written last, so that a folder without it is none. */
const Manifest = z.strictObject({
  format: z.literal(1),
  release: z.string(),
  /** everything in the tables that was committed by then, and nothing after it */
  moment: z.iso.datetime(),
  migrations: z.array(z.strictObject({ number: z.int(), name: z.string(), sha256: z.string() })).min(1),
  /** first half of the SHA-256 of each key that the platform has; the keys themselves are not here */
  keys: z.record(z.string(), z.string()),
  tables: z.array(Table),
  sequences: z.array(z.strictObject({ name: z.string(), next: z.string() })),
  /** of a store beside the database; absent where trees are in its tables */
  trees: z.array(Tree).optional(),
  sealedFiles: z.array(SealedFile).optional(),
})

export type BackupManifest = z.infer<typeof Manifest>
export type TablePart = z.infer<typeof Table>
export type TreePart = z.infer<typeof Tree>

const manifestName = 'manifest.json'
export const sealedFolder = 'sealed'
/** without a byte more: an engine, or the file system, has stopped answering */
const stallLimitMs = 60_000

/**
 * Makes a folder of parts, readable by nobody else. It bears its name only once everything is on the disk; when something fails nothing is left of it.
 * @throws {Error} a sentence, when the folder is there already or its disk is full
 */
export async function writeBackup(folder: string, write: (unfinished: string) => Promise<BackupManifest>): Promise<BackupManifest> {
  const unfinished = `${folder}.unfinished`
  if (await isThere(folder)) throw new Error(`${folder} is there already: name a folder that is not`)
  try {
    await mkdir(unfinished, { mode: 0o700 })
  } catch (error) {
    throw codeOf(error) === 'EEXIST'
      ? new Error(`${unfinished} is left of a backup that was killed, or one is being made: remove it when none is`)
      : new Error(`${unfinished} cannot be made: ${sentenceOf(error)}`)
  }
  try {
    const manifest = await write(unfinished)
    await writeFile(join(unfinished, manifestName), `${JSON.stringify(manifest, null, 2)}\n`, { mode: 0o600, flush: true })
    await synced(unfinished)
    await rename(unfinished, folder)
    return manifest
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true })
    throw codeOf(error) === 'ENOSPC'
      ? new Error(`The disk of ${folder} is full: nothing is left of the backup, and nothing else was changed`)
      : error
  }
}

/** @throws {Error} a sentence, when the folder holds no backup that this release can read */
export async function readManifest(folder: string): Promise<BackupManifest> {
  let text: string
  try {
    text = await readFile(join(folder, manifestName), 'utf8')
  } catch (error) {
    throw new Error(`${folder} is no backup: its ${manifestName} cannot be read (${sentenceOf(error)})`)
  }
  const parsed = Manifest.safeParse(parsedJson(text))
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  throw new Error(`${join(folder, manifestName)} is not what this release writes: ${issue?.path.join('.') ?? ''} ${issue?.message ?? ''}`)
}

/** Compresses a part into a file of its own, on the disk when this resolves. @returns SHA-256 of what was given */
export async function writePart(path: string, content: Readable, signal: AbortSignal): Promise<string> {
  const { through, sha256 } = hashing()
  await pipeline(content, through, createGzip({ level: 4 }), createWriteStream(path, { flags: 'wx', mode: 0o600, flush: true }), {
    signal: AbortSignal.any([signal, stalled(through)]),
  })
  return sha256()
}

/**
 * Gives what a part holds to a consumer, as it comes.
 * @throws {Error} a sentence, when it is not what the manifest says: by then the consumer has had it, and must forget it
 */
export async function readPart(
  folder: string,
  { file, sha256: wanted }: z.infer<typeof Part>,
  consume: (content: AsyncIterable<Buffer>) => Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  const { through, sha256 } = hashing()
  try {
    await pipeline(createReadStream(join(folder, file)), createGunzip(), through, consume, {
      signal: AbortSignal.any([signal, stalled(through)]),
    })
  } catch (error) {
    const code = codeOf(error)
    throw code === 'ENOENT' || code.startsWith('Z_')
      ? new Error(`${join(folder, file)} is damaged or missing: ${sentenceOf(error)}`)
      : error
  }
  if (sha256() !== wanted) throw new Error(`${join(folder, file)} is damaged: its SHA-256 is not the one in ${manifestName}`)
}

/** @returns SHA-256 of everything that a stream gives, which goes nowhere */
export async function hashOf(content: Readable, signal: AbortSignal): Promise<string> {
  const { through, sha256 } = hashing()
  const nowhere = async (chunks: AsyncIterable<Buffer>): Promise<void> => {
    for await (const _ of chunks);
  }
  await pipeline(content, through, nowhere, { signal: AbortSignal.any([signal, stalled(through)]) })
  return sha256()
}

function hashing(): { readonly through: Transform; readonly sha256: () => string } {
  const hash = createHash('sha256')
  const through = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk)
      done(null, chunk)
    },
  })
  return { through, sha256: () => hash.digest('hex') }
}

/** Aborts when nothing has come through for a minute. */
function stalled(through: Transform): AbortSignal {
  const controller = new AbortController()
  const give = (): void => controller.abort(new Error(`Nothing came for ${stallLimitMs / 1000} s: the engine or the disk does not answer`))
  const timer = setTimeout(give, stallLimitMs).unref()
  through.on('data', () => timer.refresh())
  through.once('close', () => clearTimeout(timer))
  return controller.signal
}

async function synced(folder: string): Promise<void> {
  const handle = await open(folder)
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

async function isThere(path: string): Promise<boolean> {
  try {
    await (await open(path)).close()
    return true
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return false
    throw new Error(`${path} cannot be looked at: ${sentenceOf(error)}`)
  }
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const sentenceOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
