import { useState } from 'react'
import { type StepName, steps } from './steps.ts'

const place = 'civigraph.tour'

/** The steps that somebody has done in this browser. Where it lets pages keep nothing, they are known until the page is left. */
export function useDoneSteps(): { readonly done: ReadonlySet<StepName>; mark(name: StepName, isDone: boolean): void; clear(): void } {
  const [done, setDone] = useState<ReadonlySet<StepName>>(readDone)
  const change = (names: ReadonlySet<StepName>): void => {
    keepDone(names)
    setDone(names)
  }
  return {
    done,
    mark: (name, isDone) => change(new Set(steps.map((step) => step.name).filter((each) => (each === name ? isDone : done.has(each))))),
    clear: () => change(new Set()),
  }
}

function readDone(): ReadonlySet<StepName> {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(place) ?? '[]')
    return new Set(steps.map(({ name }) => name).filter((name) => Array.isArray(kept) && kept.includes(name)))
  } catch {
    return new Set()
  }
}

function keepDone(names: ReadonlySet<StepName>): void {
  try {
    localStorage.setItem(place, JSON.stringify([...names]))
  } catch {
    // it is known until the page is left
  }
}
