import type { ContentText } from '../place/content-view.ts'

export const fieldNames = ['title', 'summary', 'body', 'locale'] as const
export type FieldName = (typeof fieldNames)[number]
/** The editable fields of a text; empty where it has none. */
export type TextFields = Readonly<Record<FieldName, string>>

export const emptyFields: TextFields = { title: '', summary: '', body: '', locale: '' }

export const fieldsOf = ({ title, summary, body, locale }: Pick<ContentText, FieldName>): TextFields => ({
  title,
  summary: summary ?? '',
  body: body ?? '',
  locale: locale ?? '',
})

/** Returns the update from one version to another; unchanged fields are left out. */
export function changesOf(base: TextFields, mine: TextFields): Partial<Record<FieldName, string | null>> {
  const changed = fieldNames.filter((name) => mine[name] !== base[name])
  return Object.fromEntries(changed.map((name) => [name, sentFor(name, mine[name])]))
}

/** Returns the input that creates a text. */
export function contentOf(mine: TextFields) {
  const { title, ...more } = changesOf(emptyFields, mine)
  return { ...more, title: title ?? '' }
}

const sentFor = (name: FieldName, text: string): string | null =>
  name === 'body' ? text || null : name === 'title' ? text.trim() : text.trim() || null

/** Returns the fields that two users changed differently. @param base - their common version */
export const conflictsOf = (base: TextFields, mine: TextFields, theirs: TextFields): readonly FieldName[] =>
  fieldNames.filter((name) => mine[name] !== base[name] && theirs[name] !== base[name] && mine[name] !== theirs[name])

/** Merges two versions: fields that the user did not change come from the other version. */
export const rebased = (base: TextFields, mine: TextFields, theirs: TextFields): TextFields => {
  const of = (name: FieldName): string => (mine[name] === base[name] ? theirs[name] : mine[name])
  return { title: of('title'), summary: of('summary'), body: of('body'), locale: of('locale') }
}

export const isSame = (one: TextFields, other: TextFields): boolean => fieldNames.every((name) => one[name] === other[name])

/** Returns the problems of a draft by field; the service checks the rest. */
export function problemIn(name: FieldName, { title, locale }: TextFields): 'problem.title' | 'problem.locale' | undefined {
  if (name === 'title' && title.trim() === '') return 'problem.title'
  const isLanguage = locale.trim() === '' || /^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8}){0,4}$/.test(locale.trim())
  return name === 'locale' && !isLanguage ? 'problem.locale' : undefined
}
