import { availableParallelism } from 'node:os'
import type { DetectedFace } from '../../../subgraphs/engines/face-analyser/face-analyser.ts'
import { onnxFaceAnalyser } from '../../../subgraphs/engines/face-analyser/onnx-face-analyser.ts'
import type { InstalledModel } from '../../../subgraphs/engines/inference/installed-models.ts'
import type { PackagedManifest } from '../../../subgraphs/engines/inference/model-manifest.ts'
import { silentLog } from '../../../subgraphs/foundation/log.ts'
import type { TwoPhotographs } from './people.ts'

const patientMs = 600_000

/** Looks at both photographs of each person as selfies; people on one of whose photographs no face is found are left out. */
export async function measureSelfies(
  people: readonly TwoPhotographs[],
  sface: InstalledModel<PackagedManifest> | undefined,
  progress: (done: number, of: number) => void,
): Promise<readonly (readonly [DetectedFace, DetectedFace])[]> {
  const { signal } = new AbortController()
  const threads = Math.min(4, availableParallelism())
  const analyser = onnxFaceAnalyser({ threads, executionProviders: ['cpu'], sface, timeoutMs: patientMs, log: silentLog })
  await analyser.start(signal)
  const looked: (readonly [DetectedFace, DetectedFace])[] = []
  const left = [...people]
  const lane = async (): Promise<void> => {
    for (let person = left.shift(); person !== undefined; person = left.shift()) {
      const [one] = (await analyser.analyse(person.selfie, 'selfie', signal)).faces
      const [other] = (await analyser.analyse(person.printed, 'selfie', signal)).faces
      if (one !== undefined && other !== undefined) looked.push([one, other])
      progress(people.length - left.length, people.length)
    }
  }
  try {
    await Promise.all(Array.from({ length: threads }, lane))
  } finally {
    await analyser.stop()
  }
  return looked
}
