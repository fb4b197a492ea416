import { useCallback, useEffect, useRef, useState } from 'react'
import { paceMs } from '../../shared/graph/paced-reading.ts'
import type { PlacedExpression } from '../live/live-channel.ts'

const maxShown = 30
/** events within this time are shown together */
const gatherMs = 600

export interface Feed {
  /** newest first */
  readonly shown: readonly PlacedExpression[]
  readonly waiting: number
  readonly isPaused: boolean
  add(expression: PlacedExpression): void
  /** the expression was withdrawn */
  remove(id: string): void
  togglePause(): void
  clear(): void
}

/** Collects live expressions. While paused it buffers them and shows them on resume. */
export function useFeed(): Feed {
  const [shown, setShown] = useState<readonly PlacedExpression[]>([])
  const [waiting, setWaiting] = useState(0)
  const [isPaused, setPaused] = useState(false)
  const own = useRef<{
    gathered: PlacedExpression[]
    isPaused: boolean
    shownAt: number
    timer?: ReturnType<typeof setTimeout> | undefined
  }>({
    gathered: [],
    isPaused: false,
    shownAt: 0,
  })

  const flush = useCallback(() => {
    const { current } = own
    clearTimeout(current.timer)
    current.timer = undefined
    // shown when the page is visible again
    if (document.hidden) return
    current.shownAt = performance.now()
    if (!current.isPaused) {
      const newest = current.gathered.splice(0).reverse()
      setShown((before) => [...newest, ...before].slice(0, maxShown))
    }
    setWaiting(current.gathered.length)
  }, [])
  const add = useCallback(
    (expression: PlacedExpression) => {
      const { current } = own
      current.gathered.push(expression)
      current.gathered.splice(0, current.gathered.length - maxShown)
      current.timer ??= setTimeout(flush, Math.max(gatherMs, current.shownAt + paceMs - performance.now()))
    },
    [flush],
  )
  const remove = useCallback((id: string) => {
    const isOther = (expression: PlacedExpression): boolean => expression.id !== id
    own.current.gathered = own.current.gathered.filter(isOther)
    setShown((before) => before.filter(isOther))
    if (own.current.isPaused) setWaiting(own.current.gathered.length)
  }, [])
  const togglePause = useCallback(() => {
    own.current.isPaused = !own.current.isPaused
    setPaused(own.current.isPaused)
    flush()
  }, [flush])
  const clear = useCallback(() => {
    own.current.gathered = []
    setShown([])
    setWaiting(0)
  }, [])
  useEffect(() => {
    document.addEventListener('visibilitychange', flush)
    return () => {
      document.removeEventListener('visibilitychange', flush)
      clearTimeout(own.current.timer)
    }
  }, [flush])
  return { shown, waiting, isPaused, add, remove, togglePause, clear }
}
