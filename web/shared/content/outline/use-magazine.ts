import { NotFoundError } from '@civigraph/client'
import { useCallback, useEffect, useRef, useState } from 'react'
import type { ContentView } from '../place/content-view.ts'
import type { Library } from '../place/library.ts'
import { emptyOutline, filled, type Outline, opened, stale, unread, withView } from './outline.ts'

/** Reasons for a missing text: the tenant has no tree, the text does not exist, or the service did not respond. */
export type Failure = 'empty' | 'absent' | 'failed'

export interface Magazine {
  readonly outline: Outline
  /** the displayed text; while another one loads, the previous one */
  readonly view: ContentView | undefined
  readonly failure: Failure | undefined
  readonly isReading: boolean
  toggle(id: string): void
  /** loads the next page of children. @returns its first text */
  more(id: string): Promise<string | undefined>
  /** reloads everything displayed */
  reload(): void
}

/** Loads a text and the tree around it; branches load when opened. @param id - undefined for the root */
export function useMagazine({ tenant, readText }: Library, id: string | undefined): Magazine {
  const [outline, setOutline] = useState(emptyOutline)
  const [view, setView] = useState<ContentView>()
  const [failure, setFailure] = useState<Failure>()
  const [isReading, setReading] = useState(true)
  const [turn, setTurn] = useState(0)
  const requested = useRef(new Set<string>())
  const current = useRef(tenant)
  // a deleted branch is not a failure: its parent's list shows the deletion
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
        // the contents still load where the text is missing
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
    // increments to reload
  }, [tenant, readText, id, turn])

  useEffect(() => {
    for (const branch of unread(outline).filter((each) => !requested.current.has(each))) {
      requested.current.add(branch)
      readText(branch)
        .then((read) => {
          // ignores a response for a tree that is no longer displayed
          if (current.current === tenant) setOutline((before) => filled(before, branch, read, true))
        })
        .catch((error: unknown) => {
          setOutline((before) => opened(before, branch, false))
          fail(error)
        })
        .finally(() => requested.current.delete(branch))
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
