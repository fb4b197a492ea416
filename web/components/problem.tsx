import { CivigraphError, NoAnswerError } from '@civigraph/client'
import { CombinedError } from '@urql/core'
import { useSharedWords } from '../shared/words/language.tsx'
import { type RuleWords, useRuleWords } from '../shared/words/rules.ts'
import type { SharedWord, Words } from '../shared/words/words-in.ts'

/** Shows an error and the rules that the input breaks in the language of the page, followed by the platform's English message where the two differ. */
export function Problem({ error }: { error: Error | undefined }) {
  const words = useSharedWords()
  const ruleOf = useRuleWords(words.language !== 'en')
  if (error === undefined) return null
  return (
    <div role="alert" className="notice bad">
      {problemsOf(error, words, ruleOf).map(({ sentence, rules, detail }) => (
        <div key={`${sentence} ${detail}`}>
          <p>{sentence}</p>
          {rules?.map((rule) => (
            <p key={rule}>{rule}</p>
          ))}
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

interface TranslatedError {
  readonly sentence: string
  /** the rules that the input breaks, where `detail` is set */
  readonly rules?: readonly string[]
  /** the platform's English message, where `sentence` is its translation */
  readonly detail?: string | undefined
}

/** Returns the problems of an error without duplicates: one per GraphQL error, else one of the error itself. */
export function problemsOf(error: Error, words: Words<SharedWord>, ruleOf: RuleWords = () => undefined): readonly TranslatedError[] {
  const { graphQLErrors = [], networkError } = error instanceof CombinedError ? error : {}
  const refusals = new Map(
    // the message is a translation where `detail` has the English one
    graphQLErrors.map(({ message, extensions: { code = '', detail = message, entries = [] } }) => [
      String(detail),
      { code: String(code), entries: entries as readonly { readonly code: string }[] },
    ]),
  )
  if (refusals.size > 0) return [...refusals].map(([message, { code, entries }]) => translated(message, code, words, { ruleOf, entries }))
  const cause = networkError ?? error
  // `fetch` rejects with a TypeError whose text differs by browser
  if (cause instanceof NoAnswerError || isFetchFailure(cause) || (networkError !== undefined && !(cause instanceof CivigraphError)))
    return [{ sentence: words.word('error.no-answer') }]
  return [translated(cause.message, cause instanceof CivigraphError ? (cause.code ?? '') : '', words, { ruleOf })]
}

const isFetchFailure = (error: Error): boolean => error instanceof TypeError && /fetch|network|load failed/i.test(error.message)

function translated(
  message: string,
  code: string,
  { language, named }: Words<SharedWord>,
  { ruleOf, entries = [] }: { readonly ruleOf: RuleWords; readonly entries?: readonly { readonly code: string }[] },
): TranslatedError {
  const sentence = named('error', code)
  // the platform's message names roles, which help a user with an account only
  if (code === 'UNAUTHENTICATED') return { sentence }
  if (language === 'en' || sentence === code) return { sentence: message }
  const rules = new Set(entries.flatMap((entry) => ruleOf(entry.code) ?? []))
  return { sentence, rules: [...rules].map((rule) => `${rule.charAt(0).toLocaleUpperCase(language)}${rule.slice(1)}.`), detail: message }
}
