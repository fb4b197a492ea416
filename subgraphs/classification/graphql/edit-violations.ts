import type { Violation } from '../../../foundation/validation/violation.ts'
import type { TaxonomyEdit } from '../taxonomy/taxonomy-edits.ts'
import type { TaxonomyTextInput } from './taxonomy.input.ts'

/** Lists of texts of the input of an edit. */
export type EditTexts = Readonly<
  Partial<Record<'labels' | 'descriptions' | 'examples' | 'words', readonly TaxonomyTextInput[] | null | undefined>>
>

/** members of a domain, and of an edit, by the names that inputs have for them */
const inputNames: Readonly<Record<string, string>> = {
  ...{ id: 'key', slug: 'key', parent: 'parentKey', parentId: 'parentKey' },
  ...{ into: 'intoKey', successorId: 'successorKey', successor: 'successorKey' },
}

/** Returns violations of an edit with the members of the GraphQL input in their paths. */
export function violationsOfInput(
  violations: readonly Violation[],
  { kind }: Pick<TaxonomyEdit, 'kind'>,
  texts: EditTexts,
): readonly Violation[] {
  const pathOf = ([member, lang, index = 0]: Violation['path']): Violation['path'] => {
    if (member === undefined) return []
    if (kind === 'phrases') return ['expressionIds']
    const name = inputNames[member]
    if (name !== undefined) return [name]
    const list = isListed(member, texts) ? texts[member] : undefined
    // a text that the edit takes from another domain
    if (list == null) return [kind === 'merge' ? 'intoKey' : 'key']
    const places = [...list.keys()].filter((place) => list[place]?.lang === lang)
    const place = typeof index === 'number' ? places[index] : undefined
    return place === undefined ? [member] : [member, place]
  }
  return violations.map(({ path, ...rule }) => ({ ...rule, path: pathOf(path) }))
}

const isListed = (member: string | number, texts: EditTexts): member is keyof EditTexts => Object.hasOwn(texts, member)
