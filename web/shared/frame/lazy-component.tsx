import { type ComponentType, useEffect, useState } from 'react'
import { useSharedWords } from '../words/language.tsx'
import { errorOf } from './fault-boundary.tsx'

/**
 * A part of a page whose script loads when it is first shown. When loading fails, the boundary around it shows the error, and a retry loads
 * it again.
 */
export function lazyComponent<Props extends object>(load: () => Promise<ComponentType<Props>>): ComponentType<Props> {
  let loaded: ComponentType<Props> | undefined
  return function Later(props: Props) {
    const { word } = useSharedWords()
    const [come, setCome] = useState<{ readonly Part?: ComponentType<Props> | undefined; readonly problem?: Error }>({ Part: loaded })
    useEffect(() => {
      if (come.Part !== undefined) return
      let isCancelled = false
      load()
        .then((Part) => {
          loaded = Part
          if (!isCancelled) setCome({ Part })
        })
        .catch((error: unknown) => !isCancelled && setCome({ problem: errorOf(error) }))
      return () => {
        isCancelled = true
      }
    }, [come.Part])
    if (come.problem !== undefined) throw come.problem
    return come.Part === undefined ? <p role="status">{word('loading')}</p> : <come.Part {...props} />
  }
}
