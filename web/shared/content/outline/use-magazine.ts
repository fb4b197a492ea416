import { NotFoundError } from '@civigraph/client'
import { useCallback, useEffect, useRef, useState } from 'react'
import type { ContentView } from '../text/content-view.ts'
import type { Library } from '../text/library.ts'
import { emptyOutline, filled, type Outline, opened, stale, unread, withView } from './outline.ts'

/** Why something is not shown: the tenant has no tree, the text is not there, nobody answered. */
export type Failure = 'empty' | 'absent' | 'failed'

export interface Magazine {
  readonly outline: Outline
  /** the text that is shown; while another one is read, still the one before */
  readonly view: ContentView | undefined
  readonly failure: Failure | undefined
  readonly isReading: boolean
  toggle(id: string): void
  /** reads the next page of what is below a text. @returns the first text of it */
  more(id: string): Promise<string | undefined>
  /** reads all that is shown once more */
  reload(): void
}

/** A text, and what is known of the tree around it. Branches are read when somebody opens them. @param id - undefined for the root */
export function useMagazine({ tenant, readText }: Library, id: string | undefined): Magazine {
  const [outline, setOutline] = useState(emptyOutline)
  const [view, setView] = useState<ContentView>()
  const [failure, setFailure] = useState<Failure>()
  const [isReading, setReading] = useState(true)
  const [turn, setTurn] = useState(0)
  const asked = useRef(new Set<string>())
  const current = useRef(tenant)
  // what is gone meanwhile is no failure: what stood above it says so
  const fail = useCallback((error: unknown) => {
    if (!(error instanceof NotFoundError)) setFailure('failed')
  }, [])

  useEffect(() => {
    const stopping = new AbortController()
    const show = (read: ContentView): void => {
      if (current.current !== tenant) setOutline(withView(emptyOutline, read))
      else setOutline((before) => withView(before, read))
      current.current = tenant
    }
    const run = async (): Promise<void> => {
      setReading(true)
      try {
        const read = await readText(id, { signal: stopping.signal })
        if (stopping.signal.aborted) return
        show(read)
        setView(read)
        setFailure(undefined)
      } catch (error) {
        if (stopping.signal.aborted) return
        const isAbsent = error instanceof NotFoundError
        setFailure(isAbsent ? (id === undefined ? 'empty' : 'absent') : 'failed')
        if (!isAbsent) return
        setView(undefined)
        // where a text is missing, the others can still be found
        const top = id === undefined ? undefined : await readText(undefined, { signal: stopping.signal }).catch(() => undefined)
        if (stopping.signal.aborted) return
        if (top === undefined) setOutline(emptyOutline)
        else show(top)
      } finally {
        if (!stopping.signal.aborted) setReading(false)
      }
    }
    void run()
    return () => stopping.abort()
    // a turn is one more reading
  }, [tenant, readText, id, turn])

  useEffect(() => {
    for (const branch of unread(outline).filter((each) => !asked.current.has(each))) {
      asked.current.add(branch)
      readText(branch)
        .then((read) => {
          // an answer about a tree that nobody looks at any longer
          if (current.current === tenant) setOutline((before) => filled(before, branch, read, true))
        })
        .catch((error: unknown) => {
          setOutline((before) => opened(before, branch, false))
          fail(error)
        })
        .finally(() => asked.current.delete(branch))
    }
  }, [outline, tenant, readText, fail])

  const more = useCallback(
    async (branch: string): Promise<string | undefined> => {
      try {
        const read = await readText(branch, { after: outline.branches.get(branch)?.next })
        if (current.current !== tenant) return undefined
        setOutline((before) => filled(before, branch, read, false))
        setFailure(undefined)
        return read.children[0]?.id
      } catch (error) {
        fail(error)
        return undefined
      }
    },
    [tenant, readText, outline, fail],
  )
  const toggle = useCallback(
    (branch: string) => setOutline((before) => opened(before, branch, before.branches.get(branch)?.isOpen !== true)),
    [],
  )
  const reload = useCallback(() => {
    setOutline(stale)
    setTurn((before) => before + 1)
  }, [])
  return { outline, view, failure, isReading, toggle, more, reload }
}
