import { type ComponentType, useEffect, useState } from 'react'
import { useSharedWords } from '../words/language.tsx'
import { errorOf } from './fault-boundary.tsx'

/**
 * A part of a page whose script loads when it is first shown. When loading fails, the boundary around it shows the error, and a retry loads
 * it again.
 */
export function lazyComponent<Props extends object>(load: () => Promise<ComponentType<Props>>): ComponentType<Props> {
  let loaded: ComponentType<Props> | undefined
  return function LazyPart(props: Props) {
    const { word } = useSharedWords()
    const [state, setState] = useState<{ readonly Part?: ComponentType<Props> | undefined; readonly problem?: Error }>({ Part: loaded })
    useEffect(() => {
      if (state.Part !== undefined) return
      let isCancelled = false
      load()
        .then((Part) => {
          loaded = Part
          if (!isCancelled) setState({ Part })
        })
        .catch((error: unknown) => !isCancelled && setState({ problem: errorOf(error) }))
      return () => {
        isCancelled = true
      }
    }, [state.Part])
    if (state.problem !== undefined) throw state.problem
    return state.Part === undefined ? <p role="status">{word('loading')}</p> : <state.Part {...props} />
  }
}
