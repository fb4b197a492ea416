import { availableParallelism } from 'node:os'
import type { DetectedFace, FaceAnalyser } from '../../../engines/face-analyser/face-analyser.ts'
import { onnxFaceAnalyser } from '../../../engines/face-analyser/onnx-face-analyser.ts'
import type { InstalledModel } from '../../../engines/inference/installed-models.ts'
import type { PackagedManifest } from '../../../engines/inference/model-manifest.ts'
import { silentLog } from '../../../foundation/log.ts'
import { withoutBystanders } from '../../../subgraphs/verification/assessment/gather-evidence.ts'

/** The load of the machine must not affect the comparison. */
const patientMs = 600_000

/**
 * Runs `work` for each item with a face analyser, on one thread per core, at most four.
 * @param sface - absent: dlib's model only   @returns results in the order of the items
 */
export async function withAnalyser<Item, Result>(
  items: readonly Item[],
  sface: InstalledModel<PackagedManifest> | undefined,
  work: (analyser: FaceAnalyser, item: Item, signal: AbortSignal) => Promise<Result>,
  progress: (done: number, of: number) => void,
): Promise<readonly Result[]> {
  const { signal } = new AbortController()
  const threads = Math.min(4, availableParallelism())
  const analyser = onnxFaceAnalyser({ threads, executionProviders: ['cpu'], sface, timeoutMs: patientMs, log: silentLog })
  await analyser.start(signal)
  const results = new Map<number, Result>()
  let next = 0
  const lane = async (): Promise<void> => {
    for (let at = next++; at < items.length; at = next++) {
      const item = items[at]
      if (item !== undefined) results.set(at, await work(analyser, item, signal))
      progress(results.size, items.length)
    }
  }
  try {
    await Promise.all(Array.from({ length: threads }, lane))
  } finally {
    await analyser.stop()
  }
  return [...results].toSorted(([a], [b]) => a - b).map(([, result]) => result)
}

/** The face of an image of one person, by the rule of verification. @returns undefined for no face and for several faces */
export async function onlyPerson(analyser: FaceAnalyser, image: Uint8Array, signal: AbortSignal): Promise<DetectedFace | undefined> {
  const [person, ...others] = withoutBystanders((await analyser.analyse(image, 'selfie', signal)).faces)
  return others.length === 0 ? person : undefined
}
