import { Directive, Field, ObjectType } from 'type-graphql'
import { InvalidInput } from '../fault.ts'
import type { RowWindow } from '../row-window.ts'
import { isStorableMoment, isStorableText } from '../validation/storable.ts'
import { invalid, outOfRange } from '../validation/violation.ts'

@Directive('@shareable')
@ObjectType({ description: 'Where a page of a list stands (Relay cursor connections)' })
export class PageInfo {
  @Field(() => String, {
    nullable: true,
    description: 'Cursor of the first node; give it as `before`, where a list has that, for the page before',
  })
  readonly startCursor: string | null
  @Field(() => String, { nullable: true, description: 'Cursor of the last node; give it as `after` for the next page' })
  readonly endCursor: string | null
  @Field(() => Boolean, { description: 'Whether more nodes follow' })
  readonly hasNextPage: boolean
  @Field(() => Boolean, { description: 'Whether nodes precede' })
  readonly hasPreviousPage: boolean

  constructor(startCursor: string | null, endCursor: string | null, hasNextPage: boolean, hasPreviousPage: boolean) {
    this.startCursor = startCursor
    this.endCursor = endCursor
    this.hasNextPage = hasNextPage
    this.hasPreviousPage = hasPreviousPage
  }
}

/** The rows that answer a request for a page: one more than it has tells whether others follow. */
export interface PageWindow<Place> extends Required<RowWindow<Place>> {
  /** most nodes of the page */
  readonly size: number
}

/** The arguments that take cursors, for refusals. */
export type CursorArgument = 'after' | 'before'

/** An opaque cursor: the parts of a position, in base64url JSON. */
export const encodeCursor = (...parts: readonly (string | number)[]): string => Buffer.from(JSON.stringify(parts)).toString('base64url')

/** @throws {InvalidInput} when the cursor is none of ours */
export function decodeCursor(cursor: string, length: number, argument?: CursorArgument): readonly (string | number)[] {
  try {
    const parts: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'))
    if (Array.isArray(parts) && parts.length === length && parts.every((part) => typeof part === 'string' || typeof part === 'number'))
      return parts
  } catch {
    // falls through to the one refusal
  }
  throw foreignCursor(argument)
}

/** The refusal of a cursor that a list has not given. */
export const foreignCursor = (argument: CursorArgument = 'after'): InvalidInput => {
  const message = `\`${argument}\` is not a cursor of this list`
  return new InvalidInput(message, [invalid([argument], message)])
}

/** How many nodes a page is to have. @throws {InvalidInput} for none, and for more than the list gives at once */
export function pageSize(wanted: number, most: number, argument: 'first' | 'last' = 'first'): number {
  if (wanted >= 1 && wanted <= most) return wanted
  throw new InvalidInput(`\`${argument}\` must be from 1 to ${most}`, [outOfRange([argument], 1, most)])
}

/** The cursor of a list that is ordered by time and id, as `encodeCursor(milliseconds, id)` made it. @throws {InvalidInput} when it is none of ours */
export function decodeMomentCursor(cursor: string, argument?: CursorArgument): { readonly moment: Date; readonly id: string } {
  const [milliseconds, id] = decodeCursor(cursor, 2, argument)
  const moment = new Date(Number(milliseconds))
  if (!isStorableMoment(moment) || typeof id !== 'string' || !isStorableText(id)) throw foreignCursor(argument)
  return { moment, id }
}

/** Edges, nodes and page info of what was fetched for a window, in the order of the list. */
export function pageOf<Node>(
  fetched: readonly Node[],
  { size, isBackward, beyond }: Pick<PageWindow<unknown>, 'size' | 'isBackward' | 'beyond'>,
  cursorOf: (node: Node) => string,
) {
  const shown = fetched.slice(0, size).map((node) => ({ node, cursor: cursorOf(node) }))
  const edges = isBackward ? shown.toReversed() : shown
  const [isCut, isContinued] = [fetched.length > size, beyond !== undefined]
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
