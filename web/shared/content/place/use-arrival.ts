import { useEffect, useRef } from 'react'

/**
 * Moves the focus after following a link between texts; the first text of a page starts at the top.
 * @param id - of the displayed text
 */
export function useArrival(id: string | undefined, arrive: () => void): void {
  const shown = useRef<string>()
  useEffect(() => {
    const isFollowed = shown.current !== undefined && id !== undefined && shown.current !== id
    shown.current = id ?? shown.current
    if (isFollowed) arrive()
    // once per text
  }, [id])
}
