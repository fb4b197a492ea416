import { InvalidInput } from '../../../foundation/fault.ts'
import { checkExpressionFilter, type ExpressionFilter } from '../../../foundation/filter/expression-filter.ts'
import type { TopicLearner } from '../analysis/topic/topic-learner.ts'
import type { ExpressionStreamFilterInput } from './expression.input.ts'

const names: Readonly<Record<string, string>> = {
  taxonomy: 'domains',
  lat: 'circle.lat',
  lon: 'circle.lon',
  radiusKm: 'circle.radiusKm',
}

/**
 * Converts a GraphQL filter, for search and subscriptions.
 * @throws {InvalidInput} for an invalid filter or an unknown domain
 */
export async function readFilter(
  input: ExpressionStreamFilterInput | null | undefined,
  topics: Pick<TopicLearner, 'ids'>,
): Promise<ExpressionFilter> {
  const { domains: taxonomy, sentiment, lang, box, circle } = input ?? {}
  const filter: ExpressionFilter = {
    ...(taxonomy == null ? {} : { taxonomy }),
    ...(sentiment == null ? {} : { sentiment }),
    ...(lang == null ? {} : { lang }),
    ...(box == null ? {} : { box }),
    ...(circle == null ? {} : { circle }),
  }
  checkExpressionFilter(filter, (member) => names[member] ?? member)
  if (taxonomy != null) {
    const taxonomyIds = await topics.ids()
    const unknown = taxonomy.findIndex((id) => !taxonomyIds.has(id))
    if (unknown >= 0)
      throw new InvalidInput('domains contains an unknown id', [{ code: 'unknown', path: ['domains', unknown], message: 'Unknown domain' }])
  }
  return filter
}
