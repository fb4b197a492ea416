import { createHash } from 'node:crypto'
import { Fault } from '../fault.ts'
import { isStorableMoment, isStorableText } from '../validation/values.ts'

/** The cursor arguments, for error messages. */
export type CursorArgument = 'after' | 'before'

type Part = string | number

/** The cursors of one list: opaque, and valid only for the same list with the same filter. */
export class Cursors {
  readonly #mark: string

  /**
   * @param list - name of the list and of its parent
   * @param filter - null and empty conditions equal absent ones
   */
  constructor(list: readonly string[], filter?: unknown) {
    const text = JSON.stringify([list, filter], (_, value: unknown) => (isNothing(value) ? undefined : value))
    this.#mark = createHash('sha256').update(text).digest('base64url').slice(0, 8)
  }

  /** Returns the cursor of a position, given by the sort key. */
  of(...place: readonly Part[]): string {
    return Buffer.from(JSON.stringify([this.#mark, ...place])).toString('base64url')
  }

  /** Decodes a cursor. @throws {Fault} MALFORMED if it belongs to another list */
  placeOf(cursor: string, length: number, argument?: CursorArgument): readonly Part[] {
    try {
      const [mark, ...place] = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8')) as readonly unknown[]
      if (mark === this.#mark && place.length === length && place.every(isPart)) return place
    } catch {
      // reports the same error as below
    }
    throw foreignCursor(argument)
  }

  /** Returns the cursor for a list ordered by time and id. */
  ofMoment(moment: Date, id: string): string {
    return this.of(moment.getTime(), id)
  }

  /**
   * Decodes a cursor of a list ordered by time and id.
   * @param isId - whether the storage can compare ids with this text @throws {Fault} MALFORMED
   */
  momentOf(
    cursor: string,
    argument?: CursorArgument,
    isId: (text: string) => boolean = isStorableText,
  ): { readonly moment: Date; readonly id: string } {
    const [milliseconds, id] = this.placeOf(cursor, 2, argument)
    const moment = new Date(Number(milliseconds))
    if (!isStorableMoment(moment) || typeof id !== 'string' || !isId(id)) throw foreignCursor(argument)
    return { moment, id }
  }

  /** Decodes a cursor of a list ordered by id. @throws {Fault} MALFORMED */
  idOf(cursor: string, argument: CursorArgument, isId: (text: string) => boolean): string {
    const [id] = this.placeOf(cursor, 1, argument)
    if (typeof id === 'string' && isId(id)) return id
    throw foreignCursor(argument)
  }
}

/** Returns the error for a cursor of another list. */
export const foreignCursor = (argument: CursorArgument = 'after'): Fault => {
  const message = `\`${argument}\` is not a cursor of this list`
  return new Fault('MALFORMED', message, { entries: [{ code: 'wrong_cursor', path: [argument], message }] })
}

const isPart = (part: unknown): part is Part => typeof part === 'string' || typeof part === 'number'

const isNothing = (value: unknown): boolean =>
  value === null || (typeof value === 'object' && Object.values(value as object).every((member) => member == null))
