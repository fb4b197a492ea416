import { useState } from 'react'
import { keptInBrowser } from '../../shared/frame/kept.ts'
import { type StepName, steps } from './steps.ts'

const place = keptInBrowser<readonly StepName[]>('civigraph.tour')

/** The steps that somebody has done in this browser. Where it lets pages keep nothing, they are known until the page is left. */
export function useDoneSteps(): { readonly done: ReadonlySet<StepName>; mark(name: StepName, isDone: boolean): void; clear(): void } {
  const [done, setDone] = useState<ReadonlySet<StepName>>(readDone)
  const change = (names: ReadonlySet<StepName>): void => {
    place.keep([...names])
    setDone(names)
  }
  return {
    done,
    mark: (name, isDone) => change(new Set(steps.map((step) => step.name).filter((each) => (each === name ? isDone : done.has(each))))),
    clear: () => change(new Set()),
  }
}

function readDone(): ReadonlySet<StepName> {
  const kept = place.read()
  return new Set(steps.map(({ name }) => name).filter((name) => Array.isArray(kept) && kept.includes(name)))
}
