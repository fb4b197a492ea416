import { refuseViolations } from '../../../foundation/fault.ts'
import { type ExpressionFilter, expressionFilterViolations } from '../../../foundation/filter/expression-filter.ts'
import { renamed } from '../../../foundation/validation/renamed.ts'
import type { Violation } from '../../../foundation/validation/violation.ts'
import type { TopicTrainer } from '../analysis/topic/topic-trainer.ts'
import type { ExpressionFilterInput, ExpressionStreamFilterInput } from './expression.input.ts'

const names: Readonly<Record<string, string>> = {
  lat: 'circle.lat',
  lon: 'circle.lon',
  radiusKm: 'circle.radiusKm',
}

/**
 * Converts a GraphQL filter, for search and subscriptions; a retired domain stands for its successor.
 * @throws {InvalidInput} naming every invalid member, unknown domains included
 */
export async function readFilter(input: FilterInput, topics: Pick<TopicTrainer, 'tree'>): Promise<ExpressionFilter> {
  refuseViolations(await filterViolations(input, topics))
  const { taxonomy, ...conditions } = filterOf(input)
  return taxonomy === undefined ? conditions : { ...conditions, taxonomy: (await topics.tree()).storedIds(taxonomy) }
}

type FilterInput = ExpressionStreamFilterInput | null | undefined

/** Returns the invalid members of a GraphQL filter. */
export async function filterViolations(input: FilterInput, topics: Pick<TopicTrainer, 'tree'>): Promise<readonly Violation[]> {
  const filter = filterOf(input)
  const { name: domains } = domainsOf(input)
  const violations = expressionFilterViolations(filter, (member) => (member === 'taxonomy' ? domains : (names[member] ?? member)))
  const { taxonomy } = filter
  // too many or too long ids are not looked up
  if (taxonomy === undefined || violations.some(({ path }) => path[0] === domains)) return violations
  const tree = await topics.tree()
  const unknown = taxonomy.flatMap((id, index): Violation[] =>
    tree.knows(id) ? [] : [{ code: 'unknown', path: [domains, index], message: 'Unknown domain' }],
  )
  return [...violations, ...unknown]
}

const domainsOf = (input: FilterInput) => renamed<ExpressionFilterInput, 'domainIds' | 'domains'>(input ?? {}, 'domainIds', 'domains')

function filterOf(input: FilterInput): ExpressionFilter {
  const { sentiment, lang, box, circle } = input ?? {}
  const { value: taxonomy } = domainsOf(input)
  return {
    ...(taxonomy == null ? {} : { taxonomy }),
    ...(sentiment == null ? {} : { sentiment }),
    ...(lang == null ? {} : { lang }),
    ...(box == null ? {} : { box }),
    ...(circle == null ? {} : { circle }),
  }
}
