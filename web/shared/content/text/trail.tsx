import { PlaceLink } from '../place/place-link.tsx'
import { useContentWords } from '../words/words.ts'
import type { ContentView } from './content-view.ts'
import { written } from './language-of.ts'
import './trail.css'

/** The way from the root; where it is longer than what is told, it begins with a gap. */
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
