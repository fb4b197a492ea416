import { apiCompare } from 'api-smart-diff'
import { z } from 'zod'

/** What a change of a REST document takes from its clients. */
export interface RestBreak {
  readonly description: string
  /** by one of which the changelog may tell it: `GET /figures`, and of a parameter its name, too */
  readonly names: readonly string[]
}

const Parameter = z.object({ name: z.string() })

/**
 * What breaks clients between two OpenAPI documents. Schemas are compared where operations use them: what a request may have and what a
 * response has break in opposite directions.
 */
export function restBreaks(before: object, after: object): readonly RestBreak[] {
  return apiCompare(before, after).diffs.flatMap((change) => {
    const path = change.path.map(String)
    const [section = '', route = '', method = '', ...rest] = path
    const isBreaking = change.type === 'breaking' || missedInResponses(change.action, rest)
    // components are compared where they are used
    if (!isBreaking || section === 'components') return []
    const operation = section === 'paths' ? `${method.toUpperCase()} ${route}`.trim() : section
    const parameter = Parameter.safeParse(change.action === 'remove' ? change.before : change.after)
    const names = rest[0] === 'parameters' && parameter.success ? [operation, parameter.data.name] : [operation]
    return [{ description: `${names.join(', ')}: ${change.action} ${rest.join('/') || 'the whole'}.`, names }]
  })
}

/** The library takes a response for compatible when a member goes that was not required, and when a type changes. */
function missedInResponses(action: string, [part, , ...rest]: readonly string[]): boolean {
  if (part !== 'responses') return false
  return action === 'remove' ? rest.at(-2) === 'properties' : action === 'replace' && rest.at(-1) === 'type'
}
