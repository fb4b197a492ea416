import { useEffect } from 'react'

/** Sets the document title while mounted. */
export function useTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} · Civigraph`
  }, [title])
}
