import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, open, readFile, rename, rm, statfs, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { type Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import { z } from 'zod'
import { codeOf } from '../../../foundation/fault.ts'

/** A part, before compression. */
const Part = z.strictObject({ file: z.string().regex(/^[\w.-]+$/), sha256: z.string().regex(/^[0-9a-f]{64}$/) })

const Table = Part.extend({
  name: z.string(),
  columns: z.array(z.string()).min(1),
  /** columns of the primary key, by which the rows are ordered */
  key: z.array(z.string()),
  rows: z.int().nonnegative(),
})
const Tree = Part.extend({ tenant: z.string(), version: z.int(), nodes: z.int().nonnegative() })
const SealedFile = z.strictObject({ name: z.uuid(), sha256: z.string() })

/** The manifest of a backup, written last: a folder without it is incomplete. */
const Manifest = z.strictObject({
  format: z.literal(1),
  release: z.string(),
  /** time of the snapshot: the tables contain exactly what was committed by then */
  moment: z.iso.datetime(),
  migrations: z.array(z.strictObject({ number: z.int(), name: z.string(), sha256: z.string() })).min(1),
  /** first half of the SHA-256 of each key of the platform; the keys themselves are not included */
  keys: z.record(z.string(), z.string()),
  tables: z.array(Table),
  sequences: z.array(z.strictObject({ name: z.string(), next: z.string() })),
  /** trees of Cassandra; absent if trees are in the tables */
  trees: z.array(Tree).optional(),
  sealedFiles: z.array(SealedFile).optional(),
})

export type BackupManifest = z.infer<typeof Manifest>
export type TablePart = z.infer<typeof Table>
export type TreePart = z.infer<typeof Tree>

const manifestName = 'manifest.json'
export const sealedFolder = 'sealed'
/** timeout without data from an engine or the file system */
const stallLimitMs = 60_000

/**
 * Writes a folder of parts, accessible to its owner only. It gets its name when everything is on disk; a failed backup is removed.
 * @param options - `mayBeDiscarded`: allows a place that ends with the machine or the container
 * @throws {Error} one sentence, if the folder exists, its parent does not, or its disk is full
 */
export async function writeBackup(
  folder: string,
  { mayBeDiscarded }: { readonly mayBeDiscarded: boolean },
  write: (unfinished: string) => Promise<BackupManifest>,
): Promise<BackupManifest> {
  const unfinished = `${folder}.unfinished`
  await refusePlace(dirname(folder), mayBeDiscarded)
  if (await isThere(folder)) throw new Error(`${folder} already exists: choose a new folder`)
  try {
    await mkdir(unfinished, { mode: 0o700 })
  } catch (error) {
    throw codeOf(error) === 'EEXIST'
      ? new Error(`${unfinished} belongs to a running or an interrupted backup: remove it if no backup is running`)
      : new Error(`${unfinished} cannot be created: ${sentenceOf(error)}`)
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
      ? new Error(`The disk of ${folder} is full: the backup was removed, and nothing else was changed`)
      : error
  }
}

/** File systems whose content ends with the machine or the container, by their number in statfs(2). */
const discarded: ReadonlyMap<number, string> = new Map([
  [0x01021994, 'is in memory (tmpfs)'],
  [0x858458f6, 'is in memory (ramfs)'],
  [0x794c7630, 'is a layer of the container (overlayfs)'],
])

async function refusePlace(parent: string, mayBeDiscarded: boolean): Promise<void> {
  const { type } = await statfs(parent).catch((error: unknown) => {
    throw codeOf(error) === 'ENOENT'
      ? new Error(`${parent} does not exist: create it, or mount the volume for backups there`)
      : new Error(`${parent} cannot be used: ${sentenceOf(error)}`)
  })
  const reason = discarded.get(type)
  if (reason !== undefined && !mayBeDiscarded)
    throw new Error(
      `${parent} ${reason}, so the backup would be lost with it: mount a volume there, or add --allow-tmpfs if you copy it elsewhere at once`,
    )
}

/** @throws {Error} one sentence, if the folder is not a backup that this release can read */
export async function readManifest(folder: string): Promise<BackupManifest> {
  let text: string
  try {
    text = await readFile(join(folder, manifestName), 'utf8')
  } catch (error) {
    throw new Error(`${folder} is not a backup: its ${manifestName} cannot be read (${sentenceOf(error)})`)
  }
  const parsed = Manifest.safeParse(parsedJson(text))
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  throw new Error(`${join(folder, manifestName)} is not valid: ${issue?.path.join('.') ?? ''} ${issue?.message ?? ''}`)
}

/** Compresses a part to a file that is on disk when this resolves. @returns SHA-256 of the content */
export async function writePart(path: string, content: Readable, signal: AbortSignal): Promise<string> {
  const { through, sha256 } = hashing()
  await pipeline(content, through, createGzip({ level: 4 }), createWriteStream(path, { flags: 'wx', mode: 0o600, flush: true }), {
    signal: AbortSignal.any([signal, stalled(through)]),
  })
  return sha256()
}

/**
 * Streams the content of a part to a consumer. @throws {Error} one sentence, if it does not match the manifest; the consumer has received the content
 * by then and must discard it
 */
export async function readPart(
  folder: string,
  { file, sha256: expected }: z.infer<typeof Part>,
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
      ? new Error(`${join(folder, file)} is corrupt or missing (${sentenceOf(error)}): use another backup`)
      : error
  }
  if (sha256() !== expected) throw new Error(`${join(folder, file)} does not match its SHA-256 in ${manifestName}: use another backup`)
}

/** @returns SHA-256 of the content of a stream */
export async function hashOf(content: Readable, signal: AbortSignal): Promise<string> {
  const { through, sha256 } = hashing()
  const discard = async (chunks: AsyncIterable<Buffer>): Promise<void> => {
    for await (const _ of chunks);
  }
  await pipeline(content, through, discard, { signal: AbortSignal.any([signal, stalled(through)]) })
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

/** Aborts when no data has passed for a minute. */
function stalled(through: Transform): AbortSignal {
  const controller = new AbortController()
  const give = (): void => controller.abort(new Error(`No data for ${stallLimitMs / 1000} s: the engine or the disk does not respond`))
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
    throw new Error(`${path} cannot be read: ${sentenceOf(error)}`)
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
