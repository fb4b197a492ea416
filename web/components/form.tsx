import { type FormEvent, type ReactNode, useEffect, useMemo, useRef } from 'react'
import { Form as Behaviour } from 'react-aria-components'
import type { CombinedError } from 'urql'
import { useSharedWords } from '../shared/words/language.tsx'
import { type RuleWords, useRuleWords } from '../shared/words/rules.ts'
import { Problem } from './problem.tsx'

/** A field of the input and the rule that it breaks. */
interface Entry {
  readonly code: string
  readonly path: readonly (string | number)[]
  readonly message: string
}

export interface FormProps {
  readonly onSubmit: (event: FormEvent<HTMLFormElement>) => void
  /** the refusal; each entry is shown at the field of its name until the user changes that field */
  readonly error: CombinedError | undefined
  readonly children: ReactNode
}

/** A form that shows refused input at its fields and focuses the first of them; other errors are shown at the end. */
export function Form({ onSubmit, error, children }: FormProps) {
  const place = useRef<HTMLFormElement>(null)
  const { language } = useSharedWords()
  const ruleOf = useRuleWords(language !== 'en')
  const refused = useMemo(() => refusedFields(error, language === 'en' ? undefined : ruleOf), [error, language, ruleOf])
  const names = Object.keys(refused)
  const isElsewhere = names.length === 0 || names.some((name) => place.current?.elements.namedItem(name) == null)
  useEffect(() => {
    // focuses the first invalid field, as the browser does for an empty required field
    if (Object.keys(refused).length > 0) place.current?.reportValidity()
  }, [refused])
  return (
    <Behaviour ref={place} className="column" onSubmit={onSubmit} validationErrors={refused}>
      {children}
      {isElsewhere && <Problem error={error} />}
    </Behaviour>
  )
}

/**
 * Returns the message for each refused field, by its name; for a list, of its first refused item.
 * @param ruleOf - undefined keeps the platform's English messages
 */
function refusedFields(error: CombinedError | undefined, ruleOf: RuleWords | undefined): Readonly<Record<string, string>> {
  const entries = (error?.graphQLErrors ?? []).flatMap(({ extensions }) => (extensions.entries ?? []) as readonly Entry[])
  const messageOf = ({ code, message }: Entry): string => ruleOf?.(code) ?? message
  return Object.fromEntries(entries.toReversed().map((entry) => [String(entry.path[0] ?? ''), messageOf(entry)]))
}
