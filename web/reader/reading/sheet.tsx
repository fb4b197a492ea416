import type { Magazine } from '../contents/use-magazine.ts'
import type { ContentView } from '../service/content-view.ts'
import { Article } from './article.tsx'
import { Downloads } from './downloads.tsx'
import { GoOnReading } from './go-on-reading.tsx'
import { Inside } from './inside.tsx'
import { Trail } from './trail.tsx'
import { Turn } from './turn.tsx'

/** A text, and the ways from it. */
export function Sheet({ view, magazine }: { view: ContentView; magazine: Magazine }) {
  const { node } = view
  return (
    <div className="sheet" aria-busy={magazine.isReading}>
      <Trail {...view} />
      <Article node={node} />
      {node.depth === 0 && <GoOnReading tenant={node.tenant_id} />}
      <Inside id={node.id} magazine={magazine} />
      <Turn node={node} outline={magazine.outline} />
      <Downloads key={node.id} node={node} />
    </div>
  )
}
