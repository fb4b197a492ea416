import type { ContentView } from '../place/content-view.ts'
import { PlaceLink } from '../place/place-link.tsx'
import { useContentWords } from '../words/words.ts'
import { written } from './language-of.ts'
import './trail.css'

/** The breadcrumb; it starts with a gap where ancestors are missing. */
export function Trail({ node, ancestors }: ContentView) {
  const { word } = useContentWords()
  if (node.depth === 0) return null
  return (
    <nav className="trail" aria-label={word('trail')}>
      <ol>
        {node.path_truncated && (
          <li>
            <PlaceLink to={undefined} aria-label={word('start')}>
              …
            </PlaceLink>
          </li>
        )}
        {ancestors.map((above) => (
          <li key={above.id}>
            <PlaceLink to={above.id} {...written(above)}>
              {above.title}
            </PlaceLink>
          </li>
        ))}
        <li>
          <span aria-current="page" {...written(node)}>
            {node.title}
          </span>
        </li>
      </ol>
    </nav>
  )
}
