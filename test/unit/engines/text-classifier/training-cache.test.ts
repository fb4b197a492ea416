import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { TrainedClassifier, TrainingTask } from '../../../../engines/text-classifier/text-classifier-worker.ts'
import { oncePerTask } from '../../../../engines/text-classifier/training-cache.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'training-'))
})
afterEach(() => rm(folder, { recursive: true }))

const taskOf = (text: string): TrainingTask => ({ texts: [{ text, label: 'roads', weight: 1 }], grams: 'topic', buckets: 8 })

/** Returns a training function that counts its calls. */
function trainer() {
  const trainings: string[] = []
  const train = async ({ texts }: TrainingTask): Promise<TrainedClassifier> => {
    trainings.push(texts[0]?.text ?? '')
    return {
      graph: Uint8Array.of(1, 2, 3),
      labels: texts.map(({ label }) => label),
      textCount: texts.length,
      documentFrequency: { hashes: Int32Array.of(7), counts: Float64Array.of(0.5) },
    }
  }
  return { trainings, train }
}

it('trains once for the same texts, and returns the same classifier to the next caller', async () => {
  const { trainings, train } = trainer()
  const first = await oncePerTask(taskOf('a pothole'), train, folder)
  expect(await oncePerTask(taskOf('a pothole'), train, folder)).toEqual(first)
  await oncePerTask(taskOf('a lamp'), train, folder)
  expect(trainings).toEqual(['a pothole', 'a lamp'])
})

it('trains again when the cached file is damaged', async () => {
  const { trainings, train } = trainer()
  const first = await oncePerTask(taskOf('a pothole'), train, folder)
  const [name = ''] = await readdir(folder)
  const bytes = await readFile(join(folder, name))
  await writeFile(join(folder, name), bytes.subarray(0, -1))
  expect(await oncePerTask(taskOf('a pothole'), train, folder)).toEqual(first)
  expect(trainings).toHaveLength(2)
})

it('trains when the folder cannot be written', async () => {
  const { trainings, train } = trainer()
  await writeFile(join(folder, 'file'), '')
  await oncePerTask(taskOf('a pothole'), train, join(folder, 'file'))
  expect(trainings).toHaveLength(1)
})

it('caches a bounded number of classifiers', async () => {
  const { train } = trainer()
  for (let text = 0; text < 12; text++) await oncePerTask(taskOf(`number ${text}`), train, folder)
  expect(await readdir(folder)).toHaveLength(8)
})
