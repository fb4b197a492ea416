import { readdirSync, readFileSync } from 'node:fs'
import { getPriority } from 'node:os'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { threadedDocumentReader } from '../../../engines/document-reader/worker/threaded-document-reader.ts'
import { onnxFaceAnalyser } from '../../../engines/face-analyser/onnx-face-analyser.ts'
import { compose } from '../../../foundation/lifecycle.ts'
import { silentLog } from '../../../foundation/log.ts'

/** Returns the nice value of each thread of this process: 0 by default, 19 for the lowest priority (proc(5), stat, field 19). */
const niceOfThreads = (): readonly number[] =>
  readdirSync('/proc/self/task').map((thread) => {
    const stat = readFileSync(`/proc/self/task/${thread}/stat`, 'utf8')
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[16])
  })

describe.skipIf(process.platform !== 'linux')('the model threads', () => {
  const usual = getPriority()
  const faces = onnxFaceAnalyser({ threads: 1, executionProviders: ['cpu'], log: silentLog })
  const reader = threadedDocumentReader({ threads: 1, executionProviders: ['cpu'], log: silentLog })
  const models = compose('models', [faces, reader])
  beforeAll(async () => {
    await models.start(new AbortController().signal)
    await Promise.all([faces.ready(), reader.ready()])
  })
  afterAll(() => models.stop())

  it('have a lower priority than the threads that answer clients', async () => {
    // the face thread, the text thread, and the thread of Tesseract
    await expect.poll(() => niceOfThreads().filter((nice) => nice === 7).length).toBeGreaterThanOrEqual(3)
    expect(getPriority()).toBe(usual)
  })
})
