import { expect, it } from 'vitest'
import { encodeAll } from '../../../engines/sentence-encoder/sentence-encoder.ts'
import { project, projectionEncoder } from '../../../engines/sentence-encoder/sentence-projection.ts'

it('encodes many texts in order, and yields to the event loop after each', async () => {
  const texts = Array.from({ length: 40 }, (_, index) => `Le pont ${index} est fermé`)
  let turns = 0
  let isOver = false
  const others = (): void => {
    turns++
    if (!isOver) setImmediate(others)
  }
  setImmediate(others)
  const vectors = await encodeAll(projectionEncoder(), texts, new AbortController().signal)
  isOver = true
  expect(vectors).toEqual(texts.map(project))
  expect(turns).toBeGreaterThanOrEqual(texts.length)
})
