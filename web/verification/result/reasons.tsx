import { useWords } from '../words/words.ts'
import { advicesFor } from './advice.ts'

/**
 * The reasons against verification in plain language, with advice.
 * @param failure - "<code>: <sentence>" of an unusable image
 */
export function Reasons({ reasons, failure }: { reasons: readonly string[]; failure: string | null }) {
  const { word, named } = useWords()
  const [code = '', member] = /^(\w+): .*?(?:\((\w+)\))?$/.exec(failure ?? '')?.slice(1) ?? []
  const sentences =
    failure === null
      ? reasons.map((reason) => ({ key: reason, text: named('reason', reason) }))
      : [{ key: code, text: [member && `${named('image', member)}: `, named('failure', code)].join('') }]
  if (sentences.length === 0) return null
  return (
    <>
      <h2>{word('reasons', { count: sentences.length })}</h2>
      <ul className="reasons">
        {sentences.map(({ key, text }) => (
          <li key={key}>{text}</li>
        ))}
      </ul>
      {failure === null && (
        <>
          <h2>{word('advice.title')}</h2>
          <ul>
            {advicesFor(reasons).map((advice) => (
              <li key={advice}>{word(`do.${advice}`)}</li>
            ))}
          </ul>
        </>
      )}
    </>
  )
}
