import { useEffect, useRef, useState } from 'react'
import { type Filters, wantedOf } from '../filters/address.ts'
import { type LiveChannel, type LiveListener, type LiveState, liveChannel } from './live-channel.ts'

export interface Live {
  readonly state: LiveState
  /** number of viewers; undefined while unknown */
  readonly audience: number | undefined
}

/** @param on - event handlers; may change */
export function useLive(filters: Filters, on: Pick<LiveListener, 'expression' | 'withdrawn' | 'changed'>): Live {
  const [state, setState] = useState<LiveState>('connecting')
  const [audience, setAudience] = useState<number>()
  const listener = useRef(on)
  listener.current = on
  const channel = useRef<LiveChannel>(undefined)
  useEffect(() => {
    const made = liveChannel({
      state: setState,
      audience: setAudience,
      expression: (expression) => listener.current.expression(expression),
      withdrawn: (id) => listener.current.withdrawn(id),
      changed: (what) => listener.current.changed(what),
    })
    channel.current = made
    return () => made.close()
  }, [])
  useEffect(() => {
    // live expressions match every period
    channel.current?.ask(wantedOf({ ...filters, period: '' }))
  }, [filters])
  return { state, audience }
}
