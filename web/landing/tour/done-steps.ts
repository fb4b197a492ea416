import { useState } from 'react'
import { keptInBrowser } from '../../shared/frame/kept.ts'
import { type StepName, steps } from './steps.ts'

const place = keptInBrowser<readonly StepName[]>('civigraph.tour')

/** The steps done in this browser. Without storage they last until the page is closed. */
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
