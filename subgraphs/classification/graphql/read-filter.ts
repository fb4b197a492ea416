import { dayAfter, startOfDay } from '../../../foundation/calendar-day.ts'
import { refuseViolations } from '../../../foundation/fault.ts'
import { type ExpressionFilter, expressionFilterViolations } from '../../../foundation/filter/expression-filter.ts'
import { isTextViolation, readTextQuery } from '../../../foundation/text/text-query.ts'
import { renamed } from '../../../foundation/validation/renamed.ts'
import type { Violation } from '../../../foundation/validation/violation.ts'
import type { TopicTrainer } from '../analysis/topic/topic-trainer.ts'
import type { ExpressionFilterInput, ExpressionStreamFilterInput } from './expression.input.ts'

const names: Readonly<Record<string, string>> = {
  lat: 'circle.lat',
  lon: 'circle.lon',
  radiusKm: 'circle.radiusKm',
}

/** A filter of a list. */
export type ListFilter = Omit<ExpressionFilter, 'circle'> & {
  /** sub-domains that were moved out of the domains of `taxonomy` */
  readonly exceptSubDomains?: readonly string[]
  readonly from?: Date
  readonly before?: Date
}

/**
 * Converts the filter of a list or a search.
 * @param timezone - IANA name of the time zone of its days
 * @throws {InvalidInput} naming every invalid member, unknown domains included
 */
export async function readListFilter(
  input: ExpressionFilterInput | null | undefined,
  topics: Pick<TopicTrainer, 'tree'>,
  timezone: string,
): Promise<ListFilter> {
  const { circle: _, ...filter } = await readFilter(input, topics)
  const { from, to } = input ?? {}
  const stored = filter.taxonomy && (await topics.tree()).storedWithin(filter.taxonomy)
  return {
    ...filter,
    ...(stored && { taxonomy: stored.ids, exceptSubDomains: stored.exceptSubDomains }),
    ...(from != null && { from: new Date(startOfDay(timezone, dayOf(from))) }),
    ...(to != null && { before: new Date(startOfDay(timezone, dayAfter(dayOf(to), 1))) }),
  }
}

/** 2026-11-21 as 20261121 */
const dayOf = (text: string): number => Number(text.replaceAll('-', ''))

/**
 * Converts the filter of a subscription.
 * @throws {InvalidInput} naming every invalid member, unknown domains included
 */
export async function readFilter(input: FilterInput, topics: Pick<TopicTrainer, 'tree'>): Promise<ExpressionFilter> {
  refuseViolations(await filterViolations(input, topics))
  const { taxonomy, ...conditions } = filterOf(input)
  return taxonomy === undefined ? conditions : { ...conditions, taxonomy: (await topics.tree()).storedIds(taxonomy) }
}

type FilterInput = (ExpressionStreamFilterInput & Pick<ExpressionFilterInput, 'from' | 'to'>) | null | undefined

/** Returns the invalid members of a GraphQL filter. */
export async function filterViolations(input: FilterInput, topics: Pick<TopicTrainer, 'tree'>): Promise<readonly Violation[]> {
  const violations: Violation[] = []
  const { name: domains, value } = domainsOf(input, violations)
  const filter = filterOf(input, value)
  violations.push(
    ...expressionFilterViolations(filter, (member) => (member === 'taxonomy' ? domains : (names[member] ?? member))),
    ...orderViolations(input),
  )
  const text = input?.q == null ? undefined : readTextQuery(input.q)
  if (text !== undefined && isTextViolation(text)) violations.push(text)
  const { taxonomy } = filter
  // too many or too long ids are not looked up
  if (taxonomy === undefined || violations.some(({ path }) => path[0] === domains)) return violations
  const tree = await topics.tree()
  const unknown = taxonomy.flatMap((id, index): Violation[] =>
    tree.knows(id) ? [] : [{ code: 'unknown', path: [domains, index], message: 'Unknown domain' }],
  )
  return [...violations, ...unknown]
}

const orderViolations = (input: FilterInput): readonly Violation[] =>
  input?.from != null && input.to != null && input.from > input.to
    ? [{ code: 'wrong_order', path: ['from'], message: 'from should not be after to' }]
    : []

const domainsOf = (input: FilterInput, violations?: Violation[]) =>
  renamed<ExpressionFilterInput, 'domainIds' | 'domains'>(input ?? {}, 'domainIds', 'domains', violations)

function filterOf(input: FilterInput, taxonomy = domainsOf(input).value): ExpressionFilter {
  const { sentiment, lang, box, circle, q } = input ?? {}
  const text = q == null ? undefined : readTextQuery(q)
  return {
    ...(taxonomy == null ? {} : { taxonomy }),
    ...(sentiment == null ? {} : { sentiment }),
    ...(lang == null ? {} : { lang }),
    ...(box == null ? {} : { box }),
    ...(circle == null ? {} : { circle }),
    ...(text === undefined || isTextViolation(text) ? {} : { text }),
  }
}
