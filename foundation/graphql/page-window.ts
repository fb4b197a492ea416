import { ArgsType, Field, Int } from 'type-graphql'
import { Fault, refuseViolations } from '../fault.ts'
import { exclusive } from '../validation/violation.ts'
import { type PageWindow, sizeViolations } from './connection.ts'
import type { CursorArgument } from './cursors.ts'

/** The page that a client requests: forward from the start or after a cursor, or backward from the end or before one. */
export interface PageRequest {
  readonly first?: number | null | undefined
  readonly after?: string | null | undefined
  readonly last?: number | null | undefined
  readonly before?: string | null | undefined
}

export interface PageLimits {
  readonly defaultSize: number
  readonly maxSize: number
}

/**
 * Validates a page request. `last` or `before` reads backward; the size is `last`, else `first`, which has a default.
 * @param placeOf - decodes a cursor; its error names the argument
 * @throws {InvalidInput} for a size out of range, and for `after` together with `before`
 */
export function pageWindow<Place>(
  { first, after, last, before }: PageRequest,
  { defaultSize, maxSize }: PageLimits,
  placeOf: (cursor: string, argument: CursorArgument) => Place,
): PageWindow<Place> {
  const isBackward = last != null || before != null
  const size = last ?? first ?? defaultSize
  const violations = [
    ...(isBackward && after != null ? [exclusive(['after'], '`after` goes with `first`, `before` with `last`')] : []),
    ...sizeViolations(size, maxSize, last == null ? 'first' : 'last'),
  ]
  const cursor = isBackward ? before : after
  const argument = isBackward ? 'before' : 'after'
  let beyond: Place | undefined
  try {
    beyond = cursor == null ? undefined : placeOf(cursor, argument)
  } catch (error) {
    // the sizes are reported with it
    if (!(error instanceof Fault && error.details.entries !== undefined) || violations.length === 0) throw error
    violations.push(...error.details.entries)
  }
  refuseViolations(violations)
  return { size, limit: size + 1, isBackward, beyond }
}

const rangeOf = ({ maxSize }: PageLimits): string => `1 to ${maxSize.toLocaleString('en')}`
const afterDescription = 'Returns the nodes after this cursor.'

/** The arguments of a forward-only list. */
export function forwardArguments(limits: PageLimits): abstract new () => Pick<PageRequest, 'first' | 'after'> {
  @ArgsType()
  abstract class ForwardArguments implements Pick<PageRequest, 'first' | 'after'> {
    @Field(() => Int, { nullable: true, defaultValue: limits.defaultSize, description: `Maximum number of nodes, ${rangeOf(limits)}.` })
    readonly first?: number | null
    @Field(() => String, { nullable: true, description: afterDescription })
    readonly after?: string | null
  }
  return ForwardArguments
}

/** The arguments of a list that can be read from both ends. */
export function pageArguments(limits: PageLimits): abstract new () => PageRequest {
  const range = rangeOf(limits)
  @ArgsType()
  abstract class PageArguments implements PageRequest {
    @Field(() => Int, {
      nullable: true,
      defaultValue: limits.defaultSize,
      description: `Maximum number of nodes from the start of the list, ${range}; ignored when \`last\` is set.`,
    })
    readonly first?: number | null
    @Field(() => String, { nullable: true, description: afterDescription })
    readonly after?: string | null
    @Field(() => Int, { nullable: true, description: `Maximum number of nodes from the end of the list, ${range}.` })
    readonly last?: number | null
    @Field(() => String, { nullable: true, description: 'Returns the nodes before this cursor.' })
    readonly before?: string | null
  }
  return PageArguments
}
