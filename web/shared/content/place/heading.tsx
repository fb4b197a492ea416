import type { ReactNode, Ref } from 'react'
import { useContentPlace } from './content-place.ts'

export interface HeadingProps {
  /** levels below the title of a text */
  readonly below?: number
  readonly id?: string
  readonly className?: string
  readonly dir?: 'auto'
  readonly tabIndex?: -1
  readonly place?: Ref<HTMLHeadingElement>
  readonly children: ReactNode
}

/** A heading at its level on the page. */
export function Heading({ below = 0, place, ...more }: HeadingProps) {
  const { level } = useContentPlace()
  const Level = levels[level + below - 1] ?? 'h6'
  return <Level {...(place !== undefined && { ref: place })} {...more} />
}

const levels = ['h1', 'h2', 'h3', 'h4', 'h5', 'h6'] as const
