import { useEffect, useState } from 'react'
import { loadWorld, type World } from './drawing/base-map/world.ts'

const retryMs = 10_000

/** The outlines of countries and the names of towns, as far as they are loaded. @param isWanted - false: not yet */
export function useWorld(isWanted: boolean): World | undefined {
  const [world, setWorld] = useState<World>()
  useEffect(() => {
    if (!isWanted) return
    let isCancelled = false
    let timer: ReturnType<typeof setTimeout>
    const load = (): void => {
      loadWorld((loaded) => !isCancelled && setWorld(loaded)).catch(() => {
        if (!isCancelled) timer = setTimeout(load, retryMs)
      })
    }
    load()
    return () => {
      isCancelled = true
      clearTimeout(timer)
    }
  }, [isWanted])
  return world
}
