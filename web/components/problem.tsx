import { CivigraphError, NoAnswerError } from '@civigraph/client'
import { CombinedError } from '@urql/core'
import { useSharedWords } from '../shared/words/language.tsx'
import type { SharedWord, Words } from '../shared/words/words-in.ts'

/** Shows an error in the language of the page, followed by the platform's English message where the two differ. */
export function Problem({ error }: { error: Error | undefined }) {
  const words = useSharedWords()
  if (error === undefined) return null
  return (
    <div role="alert" className="notice bad">
      {problemsOf(error, words).map(({ sentence, detail }) => (
        <div key={`${sentence} ${detail}`}>
          <p>{sentence}</p>
          {detail !== undefined && (
            <p className="quiet" lang="en" dir="ltr">
              {detail}
            </p>
          )}
        </div>
      ))}
    </div>
  )
}

interface Translated {
  readonly sentence: string
  /** the platform's English message, where `sentence` is its translation */
  readonly detail?: string | undefined
}

/** Returns the problems of an error without duplicates: one per GraphQL error, else one of the error itself. */
export function problemsOf(error: Error, words: Words<SharedWord>): readonly Translated[] {
  const { graphQLErrors = [], networkError } = error instanceof CombinedError ? error : {}
  const refusals = new Map(
    // the message is a translation where `detail` has the English one
    graphQLErrors.map(({ message, extensions: { code = '', detail = message } }) => [String(detail), String(code)]),
  )
  if (refusals.size > 0) return [...refusals].map(([message, code]) => translated(message, code, words))
  const cause = networkError ?? error
  // `fetch` rejects with a TypeError whose text differs by browser
  if (cause instanceof NoAnswerError || isFetchFailure(cause) || (networkError !== undefined && !(cause instanceof CivigraphError)))
    return [{ sentence: words.word('error.no-answer') }]
  return [translated(cause.message, cause instanceof CivigraphError ? (cause.code ?? '') : '', words)]
}

const isFetchFailure = (error: Error): boolean => error instanceof TypeError && /fetch|network|load failed/i.test(error.message)

function translated(message: string, code: string, { language, named }: Words<SharedWord>): Translated {
  const sentence = named('error', code)
  return language === 'en' || sentence === code ? { sentence: message } : { sentence, detail: message }
}
