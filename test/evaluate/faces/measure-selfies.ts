import type { DetectedFace } from '../../../engines/face-analyser/face-analyser.ts'
import type { InstalledModel } from '../../../engines/inference/installed-models.ts'
import type { PackagedManifest } from '../../../engines/inference/model-manifest.ts'
import type { TwoPhotographs } from './people.ts'
import { onlyPerson, withAnalyser } from './with-analyser.ts'

/** Analyses both photographs of each person as selfies; skips people with a photograph that shows no face or several faces. */
export async function measureSelfies(
  people: readonly TwoPhotographs[],
  sface: InstalledModel<PackagedManifest> | undefined,
  progress: (done: number, of: number) => void,
): Promise<readonly (readonly [DetectedFace, DetectedFace])[]> {
  const looked = await withAnalyser(
    people,
    sface,
    async (analyser, person, signal) => {
      const one = await onlyPerson(analyser, person.selfie, signal)
      const other = await onlyPerson(analyser, person.printed, signal)
      return one && other && ([one, other] as const)
    },
    progress,
  )
  return looked.filter((pair) => pair !== undefined)
}
