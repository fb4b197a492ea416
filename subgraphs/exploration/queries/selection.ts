import { dayOfText } from '../../../foundation/calendar-day.ts'
import { refuseViolations } from '../../../foundation/fault.ts'
import { type BoundingBox, type BoundingBoxProblem, boundingBoxOf, problemOfBoundingBox } from '../../../foundation/filter/bounding-box.ts'
import type { Sentiment } from '../../../foundation/filter/expression-filter.ts'
import { isTextViolation, readTextQuery, type TextQuery } from '../../../foundation/text/text-query.ts'
import { renamed } from '../../../foundation/validation/renamed.ts'
import type { Violation, ViolationCode } from '../../../foundation/validation/violation.ts'
import type { RollUpKey } from '../roll-ups/roll-up-keys.ts'
import type { Period } from './period.ts'
import type { Snapshot } from './roll-up-reader.ts'

/** Conditions that are combined with AND; an absent condition matches everything. */
export interface Selection extends Period {
  readonly domain: string | null
  /** name of that member in the filter, for errors */
  readonly domainMember?: string
  readonly sentiment: Sentiment | null
  readonly lang: string | null
  readonly box: BoundingBox | null
  /** words and phrases of the text; such expressions are counted by the search index */
  readonly text?: TextQuery
}

/** A selection with words, which the search index counts. */
export type SearchedSelection = Selection & { readonly text: TextQuery }

export const isSearched = (selection: Selection): selection is SearchedSelection => selection.text !== undefined

/** A filter as received. */
export interface FilterInput {
  readonly domainId?: string | null
  /** former name of `domainId` */
  readonly domain?: string | null
  readonly sentiment?: Sentiment | null
  readonly lang?: string | null
  /** dates such as 2026-11-21 */
  readonly from?: string | null
  readonly to?: string | null
  readonly box?: BoundingBox | null
  /** words, and phrases in quotation marks */
  readonly q?: string | null
}

/** Validates a filter, except that the domain exists. @throws {InvalidInput} naming every invalid member */
export function selectionOf(filter: FilterInput): Selection {
  const { selection, violations } = readSelection(filter)
  refuseViolations(violations)
  return selection
}

/**
 * Validates a filter together with other arguments. An unknown domain alone is left to the query, which reads the taxonomy anyway.
 * @param others - violations of other arguments
 * @throws {InvalidInput} naming every invalid member
 */
export async function checkedSelection(
  filter: FilterInput,
  rollUps: { read<Result>(work: (snapshot: Pick<Snapshot, 'taxonomy'>) => Promise<Result>): Promise<Result> },
  others: readonly Violation[] = [],
): Promise<Selection> {
  const { selection, violations } = readSelection(filter)
  const all = [...others, ...violations]
  const { domain, domainMember } = selection
  if (all.length > 0 && domain !== null && !(await rollUps.read(async ({ taxonomy }) => taxonomy.knows(domain))))
    all.push(unknownDomain(domainMember))
  refuseViolations(all)
  return selection
}

/** Returns the same text for selections of the same expressions, whatever the client calls the domain. */
export const selectionKey = ({ domainMember: _, ...selection }: Selection): string => JSON.stringify(selection)

const unknownDomain = (member = 'domainId'): Violation => ({ code: 'unknown', path: [member], message: 'unknown domain or sub-domain' })

function readSelection(filter: FilterInput): { readonly selection: Selection; readonly violations: readonly Violation[] } {
  const { sentiment, lang, from, to, box, q } = filter
  const violations: Violation[] = []
  const { value: domain, name: domainMember } = renamed(filter, 'domainId', 'domain', violations)
  const add = (name: keyof FilterInput, code: ViolationCode, message: string): void => void violations.push({ code, path: [name], message })
  if (lang != null && !/^[a-z]{2,3}$/.test(lang)) add('lang', 'wrong_pattern', 'a language is a code of two or three letters')
  const dayOf = (name: 'from' | 'to', text: string | null | undefined): number | null => {
    const day = text == null ? null : dayOfText(text)
    if (day === undefined) add(name, 'not_a_date', 'Input should be a valid date in the format YYYY-MM-DD')
    return day ?? null
  }
  const [first, last] = [dayOf('from', from), dayOf('to', to)]
  if (first !== null && last !== null && first > last) add('from', 'wrong_order', 'from should not be after to')
  const problem = box == null ? undefined : boxProblem(box)
  if (problem !== undefined) add('box', ...problem)
  const text = q == null ? undefined : readTextQuery(q)
  if (text !== undefined && isTextViolation(text)) violations.push(text)
  const selection = {
    domain: domain ?? null,
    domainMember,
    sentiment: sentiment ?? null,
    lang: lang ?? null,
    from: first,
    to: last,
    box: box ?? null,
    ...(text !== undefined && !isTextViolation(text) && { text }),
  }
  return { selection, violations }
}

const boxRules: Readonly<Record<BoundingBoxProblem | 'number', readonly [ViolationCode, string]>> = {
  number: ['wrong_type', 'the edges should be finite numbers'],
  longitude: ['out_of_range', 'longitudes should be -180 to 180'],
  latitude: ['out_of_range', 'latitudes should be -90 to 90'],
  order: ['wrong_order', 'the southern edge should not be north of the northern one'],
}

function boxProblem({ west, south, east, north }: BoundingBox): readonly [ViolationCode, string] | undefined {
  const box = boundingBoxOf([west, south, east, north])
  const problem = box === undefined ? 'number' : problemOfBoundingBox(box)
  return problem && boxRules[problem]
}

/** @throws {InvalidInput} for a domain that is not in the taxonomy */
export function refuseUnknownDomain({ taxonomy }: Pick<Snapshot, 'taxonomy'>, { domain, domainMember }: Selection): void {
  if (domain !== null && !taxonomy.knows(domain)) refuseViolations([unknownDomain(domainMember)])
}

/** Returns by number of a key whether it matches the selection. @throws {InvalidInput} for a domain that is not in the taxonomy */
export function matchingKeys(snapshot: Snapshot, selection: Selection): readonly boolean[] {
  refuseUnknownDomain(snapshot, selection)
  const { domain, sentiment, lang } = selection
  const current = domain === null ? null : (snapshot.taxonomy.current(domain)?.id ?? domain)
  const matches = (key: RollUpKey): boolean =>
    (current === null || key.domain === current || key.subDomain === current) &&
    (sentiment === null || key.sentiment === sentiment) &&
    (lang === null || key.lang === lang)
  return Array.from(snapshot.keys, (key) => key !== undefined && matches(key))
}
