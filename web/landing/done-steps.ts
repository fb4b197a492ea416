import { useState } from 'react'
import { browserStorage } from '../shared/frame/browser-storage.ts'
import { type StepName, steps } from './steps.ts'

const place = browserStorage<readonly StepName[]>('civigraph.tour')

/** The steps done in this browser. Without storage they last until the page is closed. */
export function useDoneSteps(): { readonly done: ReadonlySet<StepName>; mark(name: StepName, isDone: boolean): void; clear(): void } {
  const [done, setDone] = useState<ReadonlySet<StepName>>(readDone)
  const change = (names: ReadonlySet<StepName>): void => {
    place.write([...names])
    setDone(names)
  }
  return {
    done,
    mark: (name, isDone) => change(new Set(steps.map((step) => step.name).filter((each) => (each === name ? isDone : done.has(each))))),
    clear: () => change(new Set()),
  }
}

function readDone(): ReadonlySet<StepName> {
  const stored = place.read()
  return new Set(steps.map(({ name }) => name).filter((name) => Array.isArray(stored) && stored.includes(name)))
}
