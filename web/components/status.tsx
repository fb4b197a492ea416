import type { ReactNode } from 'react'

/** A label with a background colour; the colour repeats the meaning of the text. */
export function Badge({ kind, children }: { kind: 'good' | 'warn' | 'bad' | 'plain'; children: ReactNode }) {
  return <span className={`badge ${kind}`}>{children}</span>
}

interface MetricProps {
  readonly term: string
  readonly value: string
  readonly note?: string
  readonly href?: string
  readonly isBad?: boolean
}

/** A number with its label, inside a `<dl>`. */
export function Metric({ term, value, note, href, isBad = false }: MetricProps) {
  return (
    <div className={isBad ? 'metric bad' : 'metric'}>
      <dt>{href === undefined ? term : <a href={href}>{term}</a>}</dt>
      <dd>{value}</dd>
      {note !== undefined && <dd className="note">{note}</dd>}
    </div>
  )
}
