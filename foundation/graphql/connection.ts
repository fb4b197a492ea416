import { Directive, Field, ObjectType } from 'type-graphql'
import type { RowWindow } from '../row-window.ts'
import { outOfRange, type Violation } from '../validation/violation.ts'

@Directive('@shareable')
@ObjectType({ description: 'Position of a page in a list (Relay cursor connections).' })
export class PageInfo {
  @Field(() => String, {
    nullable: true,
    description: 'Cursor of the first node, for `before`; null when the page is empty.',
  })
  readonly startCursor: string | null
  @Field(() => String, { nullable: true, description: 'Cursor of the last node, for `after`; null when the page is empty.' })
  readonly endCursor: string | null
  @Field(() => Boolean, { description: 'Whether more nodes follow this page.' })
  readonly hasNextPage: boolean
  @Field(() => Boolean, { description: 'Whether nodes precede this page.' })
  readonly hasPreviousPage: boolean

  constructor(startCursor: string | null, endCursor: string | null, hasNextPage: boolean, hasPreviousPage: boolean) {
    this.startCursor = startCursor
    this.endCursor = endCursor
    this.hasNextPage = hasNextPage
    this.hasPreviousPage = hasPreviousPage
  }
}

/** The rows to fetch for a page: one more than its size shows whether others follow. */
export interface PageWindow<Place> extends Required<RowWindow<Place>> {
  /** maximum number of nodes of the page */
  readonly size: number
}

/** Returns the violation of a page size that is not from 1 to the maximum of the list. */
export const sizeViolations = (requested: number, max: number, argument: 'first' | 'last'): readonly Violation[] =>
  requested >= 1 && requested <= max ? [] : [outOfRange([argument], 1, max)]

/**
 * Builds edges, nodes and page info from the fetched rows, in list order.
 * @param window - `isCut`: whether rows were left out because the fetched ones are large
 */
export function pageOf<Node>(
  fetched: readonly Node[],
  {
    size,
    isBackward,
    beyond,
    isCut: isShort = false,
  }: Pick<PageWindow<unknown>, 'size' | 'isBackward' | 'beyond'> & { readonly isCut?: boolean },
  cursorOf: (node: Node) => string,
) {
  const shown = fetched.slice(0, size).map((node) => ({ node, cursor: cursorOf(node) }))
  const edges = isBackward ? shown.toReversed() : shown
  const [isCut, isContinued] = [isShort || fetched.length > size, beyond !== undefined]
  return {
    edges,
    nodes: edges.map((edge) => edge.node),
    pageInfo: new PageInfo(
      edges[0]?.cursor ?? null,
      edges.at(-1)?.cursor ?? null,
      isBackward ? isContinued : isCut,
      isBackward ? isCut : isContinued,
    ),
  }
}

/** Maximum number of affected ids that a mutation returns for cache invalidation; its counts include all. */
export const maxReportedIds = 1000
