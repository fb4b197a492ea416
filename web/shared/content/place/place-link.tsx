import { type AnchorHTMLAttributes, type ReactNode, type Ref, useEffect, useRef } from 'react'
import { Link } from 'wouter'
import { useContentPlace } from './content-place.ts'

export interface PlaceLinkProps extends Omit<AnchorHTMLAttributes<HTMLAnchorElement>, 'href'> {
  /** undefined: the root */
  readonly to: string | undefined
  /** navigation state for the target */
  readonly state?: unknown
  readonly place?: Ref<HTMLAnchorElement>
  readonly children: ReactNode
}

/** A link to another text of the tenant, without a page load; in another tab it is an ordinary link. */
export function PlaceLink({ to, place, children, ...more }: PlaceLinkProps) {
  const { addressOf } = useContentPlace()
  return (
    <Link href={addressOf(to)} {...(place !== undefined && { ref: place })} {...more}>
      {children}
    </Link>
  )
}

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
