import { PlaceLink } from '../../shared/content/place/place-link.tsx'
import { written } from '../../shared/content/text/language-of.ts'
import { useWords } from '../words/words.ts'
import { positions } from './positions.ts'

const maxShown = 3

/** On the first page: the texts in progress, with links to the stored positions. */
export function ContinueReading({ tenant }: { tenant: string }) {
  const { word, percent } = useWords()
  const begun = positions().filter((position) => position.tenant === tenant)
  if (begun.length === 0) return null
  return (
    <section className="go-on" aria-labelledby="go-on">
      <h2 id="go-on">{word('go-on.title')}</h2>
      <ul>
        {begun.slice(0, maxShown).map((position) => (
          <li key={position.id}>
            <PlaceLink to={position.id} state={{ goOn: true }} {...written(position)}>
              {position.title}
            </PlaceLink>{' '}
            <span className="quiet">{word('go-on.share', { share: percent(position.share) })}</span>
          </li>
        ))}
      </ul>
    </section>
  )
}
