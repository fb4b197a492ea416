import { followable } from '../../shared/content/markdown/inline.tsx'
import type { PlacedText } from '../../shared/content/place/content-view.ts'
import { useWords } from '../words/words.ts'

/** Links to images and files of a text. */
export function MediaList({ media }: { media: PlacedText['media'] }) {
  const { word, language } = useWords()
  return (
    <div className="media">
      <h2 lang={language} dir="auto">
        {word('media')}
      </h2>
      <ul>
        {media.map(({ url, alt, caption, type }) => {
          const href = followable(url)
          const name = alt || caption || url
          const more = [caption === name ? null : caption, type].filter(Boolean).join(', ')
          return (
            <li key={`${url} ${name}`}>
              {href === undefined ? (
                <span dir="auto">{name}</span>
              ) : (
                <a href={href} rel="noopener noreferrer" dir="auto">
                  {name}
                </a>
              )}
              {more !== '' && (
                <span className="quiet" dir="auto">
                  {' '}
                  {more}
                </span>
              )}
            </li>
          )
        })}
      </ul>
    </div>
  )
}
