import { createHash, randomUUID } from 'node:crypto'
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { deserialize, serialize } from 'node:v8'
import { cacheFolder } from '../../foundation/process/build-info.ts'
import type { TrainedClassifier, TrainingTask } from './text-classifier-worker.ts'

/** two tasks of one taxonomy, and of previous versions of it */
const maxCached = 8

const hashBytes = 32

export type Train = (task: TrainingTask) => Promise<TrainedClassifier>

/** Returns the result of an earlier training on the same texts with the same code, or trains. */
export type TrainOnce = (task: TrainingTask, train: Train, signal: AbortSignal) => Promise<TrainedClassifier>

/**
 * Trains once for all processes of this machine, which saves seconds at each start. An unwritable folder or a damaged file only costs that time.
 */
export async function oncePerTask(
  task: TrainingTask,
  train: Train,
  folder: string = join(cacheFolder, 'text-classifier'),
): Promise<TrainedClassifier> {
  const file = join(folder, `${await nameOf(task)}.bin`)
  const cached = await readCached(file)
  if (cached !== undefined) return cached
  const trained = await train(task)
  await keep(file, trained).catch(() => undefined)
  return trained
}

/** Returns a name derived from everything that determines the result: the texts and the training modules. */
export async function nameOf(task: TrainingTask): Promise<string> {
  const hash = createHash('sha256').update(serialize(task))
  const here = dirname(fileURLToPath(import.meta.url))
  for (const folder of [here, join(here, '../text')]) {
    for (const name of (await readdir(folder)).toSorted()) hash.update(name).update(await readFile(join(folder, name)))
  }
  return hash.digest('hex')
}

async function readCached(file: string): Promise<TrainedClassifier | undefined> {
  const bytes = await readFile(file).catch(() => undefined)
  return bytes && unpacked(bytes)
}

/** Serialises a classifier with a hash of its bytes. */
export function packed(trained: TrainedClassifier): Buffer {
  const body = serialize(trained)
  return Buffer.concat([sha256(body), body])
}

/** @returns undefined for damaged bytes */
export function unpacked(bytes: Buffer): TrainedClassifier | undefined {
  const body = bytes.subarray(hashBytes)
  return sha256(body).equals(bytes.subarray(0, hashBytes)) ? (deserialize(body) as TrainedClassifier) : undefined
}

async function keep(file: string, trained: TrainedClassifier): Promise<void> {
  const folder = dirname(file)
  await mkdir(folder, { recursive: true })
  const draft = `${file}.${randomUUID()}`
  await writeFile(draft, packed(trained))
  await rename(draft, file)
  const entries = await Promise.all(
    (await readdir(folder)).map(async (name) => ({ name, since: (await stat(join(folder, name))).mtimeMs })),
  )
  const older = entries.toSorted((a, b) => b.since - a.since).slice(maxCached)
  await Promise.all(older.map(({ name }) => rm(join(folder, name), { force: true })))
}

const sha256 = (bytes: Uint8Array): Buffer => createHash('sha256').update(bytes).digest()
