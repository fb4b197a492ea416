import type { ReactNode } from 'react'

/** A label with a background colour; the colour repeats the meaning of the text. */
export function Badge({ kind, children }: { kind: 'good' | 'warn' | 'bad' | 'plain'; children: ReactNode }) {
  return <span className={`badge ${kind}`}>{children}</span>
}
