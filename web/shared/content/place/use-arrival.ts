import { useEffect, useRef } from 'react'

/** Whoever has come from one text to another by a link goes on there; a page that is opened begins at its top. @param id - of the text that is shown */
export function useArrival(id: string | undefined, arrive: () => void): void {
  const shown = useRef<string>()
  useEffect(() => {
    const isFollowed = shown.current !== undefined && id !== undefined && shown.current !== id
    shown.current = id ?? shown.current
    if (isFollowed) arrive()
    // once for each text
  }, [id])
}
