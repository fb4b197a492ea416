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

const taskOf = (text: string): TrainingTask => ({ texts: [{ text, label: 'roads', weight: 1 }], grams: 'topic', places: 8 })

/** Counts how often it is asked to learn. */
function learner() {
  const learnt: string[] = []
  const train = async ({ texts }: TrainingTask): Promise<TrainedClassifier> => {
    learnt.push(texts[0]?.text ?? '')
    return {
      graph: Uint8Array.of(1, 2, 3),
      labels: texts.map(({ label }) => label),
      texts: texts.length,
      having: { hashes: Int32Array.of(7), counts: Float64Array.of(0.5) },
    }
  }
  return { learnt, train }
}

it('learns once from the same texts, and gives the same to the next', async () => {
  const { learnt, train } = learner()
  const first = await oncePerTask(taskOf('a pothole'), train, folder)
  expect(await oncePerTask(taskOf('a pothole'), train, folder)).toEqual(first)
  await oncePerTask(taskOf('a lamp'), train, folder)
  expect(learnt).toEqual(['a pothole', 'a lamp'])
})

it('learns again where what was kept is damaged', async () => {
  const { learnt, train } = learner()
  const first = await oncePerTask(taskOf('a pothole'), train, folder)
  const [name = ''] = await readdir(folder)
  const bytes = await readFile(join(folder, name))
  await writeFile(join(folder, name), bytes.subarray(0, -1))
  expect(await oncePerTask(taskOf('a pothole'), train, folder)).toEqual(first)
  expect(learnt).toHaveLength(2)
})

it('learns where nothing can be kept', async () => {
  const { learnt, train } = learner()
  await writeFile(join(folder, 'file'), '')
  await oncePerTask(taskOf('a pothole'), train, join(folder, 'file'))
  expect(learnt).toHaveLength(1)
})

it('keeps a bounded number', async () => {
  const { train } = learner()
  for (let text = 0; text < 12; text++) await oncePerTask(taskOf(`number ${text}`), train, folder)
  expect(await readdir(folder)).toHaveLength(8)
})
