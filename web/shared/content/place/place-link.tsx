import type { AnchorHTMLAttributes, ReactNode, Ref } from 'react'
import { Link } from 'wouter'
import { useContentPlace } from './content-place.ts'

export interface PlaceLinkProps extends Omit<AnchorHTMLAttributes<HTMLAnchorElement>, 'href'> {
  /** undefined: the root */
  readonly to: string | undefined
  /** what the place is told of how it was come to */
  readonly state?: unknown
  readonly place?: Ref<HTMLAnchorElement>
  readonly children: ReactNode
}

/** Leads to another text of the same tenant, without loading the page again; opened elsewhere it is a link like any other. */
export function PlaceLink({ to, place, children, ...more }: PlaceLinkProps) {
  const { addressOf } = useContentPlace()
  return (
    <Link href={addressOf(to)} {...(place !== undefined && { ref: place })} {...more}>
      {children}
    </Link>
  )
}
