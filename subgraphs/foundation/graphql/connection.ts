import { Directive, Field, ObjectType } from 'type-graphql'
import { InvalidInput } from '../fault.ts'
import { isStorableMoment, isStorableText } from '../validation/storable.ts'
import { invalid, outOfRange } from '../validation/violation.ts'

@Directive('@shareable')
@ObjectType({ description: 'Where a page of a list stands (Relay cursor connections)' })
export class PageInfo {
  @Field(() => String, { nullable: true, description: 'Cursor of the first node' })
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

/** An opaque cursor: the parts of a position, in base64url JSON. */
export const encodeCursor = (...parts: readonly (string | number)[]): string => Buffer.from(JSON.stringify(parts)).toString('base64url')

/** @throws {InvalidInput} when the cursor is none of ours */
export function decodeCursor(cursor: string, length: number): readonly (string | number)[] {
  try {
    const parts: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'))
    if (Array.isArray(parts) && parts.length === length && parts.every((part) => typeof part === 'string' || typeof part === 'number'))
      return parts
  } catch {
    // falls through to the one refusal
  }
  throw foreignCursor()
}

/** The refusal of a cursor that a list has not given. */
export const foreignCursor = (): InvalidInput => {
  const message = '`after` is not a cursor of this list'
  return new InvalidInput(message, [invalid(['after'], message)])
}

/** How many nodes a page is to have. @throws {InvalidInput} for none, and for more than the list gives at once */
export function pageSize(first: number, most: number): number {
  if (first >= 1 && first <= most) return first
  throw new InvalidInput(`\`first\` must be from 1 to ${most}`, [outOfRange(['first'], 1, most)])
}

/** The cursor of a list that is ordered by time and id, as `encodeCursor(milliseconds, id)` made it. @throws {InvalidInput} when it is none of ours */
export function decodeMomentCursor(cursor: string): { readonly moment: Date; readonly id: string } {
  const [milliseconds, id] = decodeCursor(cursor, 2)
  const moment = new Date(Number(milliseconds))
  if (!isStorableMoment(moment) || typeof id !== 'string' || !isStorableText(id)) throw foreignCursor()
  return { moment, id }
}

/** Edges, nodes and page info of a page for which one node more than asked was fetched. */
export function pageOf<Node>(fetched: readonly Node[], first: number, continued: boolean, cursorOf: (node: Node) => string) {
  const edges = fetched.slice(0, first).map((node) => ({ node, cursor: cursorOf(node) }))
  return {
    edges,
    nodes: edges.map((edge) => edge.node),
    pageInfo: new PageInfo(edges[0]?.cursor ?? null, edges.at(-1)?.cursor ?? null, fetched.length > first, continued),
  }
}
