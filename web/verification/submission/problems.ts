import { CivigraphError, ForbiddenError, NoAnswerError, RateLimitedError, UnauthenticatedError, UnavailableError } from '@civigraph/client'
import type { Word } from '../words/words.ts'
import { type Draft, type FieldName, members, type TextName } from './draft.ts'

/** A problem of the form's input, or a refusal by the service. */
export interface FormProblem {
  /** undefined: the whole form */
  readonly field?: FieldName | undefined
  readonly word: Word
  /** the service's own message */
  readonly detail?: string | undefined
}

const required: readonly FieldName[] = ['key', 'firstName', 'lastName', 'citizenCode', 'country', 'selfie', 'front']
const isPhotograph = (field: FieldName): field is 'selfie' | 'front' | 'back' => ['selfie', 'front', 'back'].includes(field)

/** Returns the problems found before sending, in the order of the form. */
export function problemsOfDraft({ texts, photographs }: Draft): readonly FormProblem[] {
  const fields = Object.keys(members) as FieldName[]
  return fields.flatMap((field): FormProblem[] => {
    if (isPhotograph(field))
      return required.includes(field) && photographs[field] === undefined ? [{ field, word: 'problem.no-photograph' }] : []
    if (required.includes(field) && texts[field].trim() === '') return [{ field, word: 'problem.empty' }]
    const broken = rules[field]?.(texts[field].trim())
    return broken === undefined ? [] : [{ field, word: broken }]
  })
}

const country = (text: string): Word | undefined => (text === '' || /^[a-z]{2,3}$/i.test(text) ? undefined : 'problem.country')

const rules: Readonly<Partial<Record<TextName, (text: string) => Word | undefined>>> = {
  // the characters that a browser sends in a header
  key: (text) => (/^[\x20-\x7e]+$/.test(text) ? undefined : 'problem.key'),
  country,
  nationality: country,
  callbackUrl: (text) => (text === '' || URL.canParse(text) ? undefined : 'problem.url'),
}

/** Returns the problems of a failed submission, each at its field where it has one. */
export function problemsOf(error: unknown): readonly FormProblem[] {
  if (error instanceof UnauthenticatedError) return [{ field: 'key', word: 'problem.unknown-key' }]
  if (error instanceof ForbiddenError) return [{ field: 'key', word: 'problem.forbidden' }]
  if (error instanceof NoAnswerError) return [{ word: 'problem.no-answer' }]
  if (error instanceof RateLimitedError) return [{ word: 'problem.too-often' }]
  if (error instanceof UnavailableError) return [{ word: 'problem.unavailable' }]
  if (!(error instanceof CivigraphError))
    return [{ word: 'problem.unreadable', detail: error instanceof Error ? error.message : String(error) }]
  if (error.status === 413) return [{ word: 'problem.too-large' }]
  if (error.entries.length === 0) return [{ word: 'problem.refused', detail: error.message }]
  return error.entries.map(({ path, message }) => {
    const member = path.join('.')
    const field = (Object.keys(members) as FieldName[]).find((name) => members[name] === member)
    return { field, word: 'problem.said', detail: `${message} (${member})` }
  })
}
