import type { ReactNode } from 'react'

/** A word with a ground of its own; the colour says again what the word says. */
export function Badge({ kind, children }: { kind: 'good' | 'warn' | 'bad' | 'plain'; children: ReactNode }) {
  return <span className={`badge ${kind}`}>{children}</span>
}
