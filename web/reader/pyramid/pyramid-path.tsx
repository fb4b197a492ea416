import { Link } from 'wouter'
import { written } from '../../shared/content/text/language-of.ts'
import { useContentWords } from '../../shared/content/words/words.ts'
import { usePlace } from '../place/use-place.ts'
import { useWords } from '../words/words.ts'
import { shownTitle } from './picture-elements.ts'
import type { PyramidText } from './pyramid-tree.ts'

/** ancestors shown beside the root */
const maxShown = 3

export interface PyramidPathProps {
  /** topmost first */
  readonly ancestors: readonly PyramidText[]
  readonly current: PyramidText | undefined
  /** whether ancestors between the root and the first one are missing */
  readonly isCut: boolean
}

/** The way back to the root: on one line, with a gap in a long one. */
export function PyramidPath({ ancestors, current, isCut }: PyramidPathProps) {
  const { word } = useWords()
  const content = useContentWords()
  const { addressIn } = usePlace()
  const shown = ancestors.slice(-maxShown)
  const hidden = ancestors.slice(0, -maxShown)
  const root = isCut ? undefined : hidden[0]
  const before = hidden.at(-1)
  const isGap = before !== undefined && before !== root
  return (
    <nav className="pyramid-path" aria-label={content.word('trail')}>
      <ol>
        {isCut && (
          <li>
            <Link href={addressIn('pyramid', undefined)}>{word('pyramid.root')}</Link>
          </li>
        )}
        {root !== undefined && <Step text={root} id={undefined} />}
        {isGap && (
          <li className="gap">
            <Link
              href={addressIn('pyramid', before.id)}
              aria-label={word('pyramid.above', { title: shownTitle(before.title, word('untitled')) })}
            >
              …
            </Link>
          </li>
        )}
        {shown.map((text, at) => (
          <Step key={text.id} text={text} id={!isCut && hidden.length === 0 && at === 0 ? undefined : text.id} />
        ))}
        {current !== undefined && (
          <li>
            <span aria-current="page" {...written(current)}>
              {shownTitle(current.title, word('untitled'))}
            </span>
          </li>
        )}
      </ol>
    </nav>
  )
}

/** @param id - undefined for the root */
function Step({ text, id }: { text: PyramidText; id: string | undefined }) {
  const { word } = useWords()
  const { addressIn } = usePlace()
  return (
    <li>
      <Link href={addressIn('pyramid', id)} {...written(text)}>
        {shownTitle(text.title, word('untitled'))}
      </Link>
    </li>
  )
}
