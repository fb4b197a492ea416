import type { AnyPgColumn } from 'drizzle-orm/pg-core'
import type { RowWindow } from '../../foundation/row-window.ts'
import { asc, desc, type SQL, sql } from './drizzle.ts'

/**
 * How rows are read that are ordered by these columns, all of them rising or all falling: a place in the list costs the same however deep
 * it is, where there is such an index.
 * @param valuesAt - of the columns at a place
 * @returns `past`: the condition of rows beyond the place of the window, undefined without one
 */
export function keyset<Place>(
  columns: readonly AnyPgColumn[],
  order: 'rising' | 'falling',
  { isBackward = false, beyond }: RowWindow<Place>,
  valuesAt: (place: Place) => readonly unknown[],
): { readonly past: SQL | undefined; readonly order: SQL[] } {
  const isRising = (order === 'rising') !== isBackward
  const tuple = (parts: readonly SQL[]): SQL => sql`(${sql.join([...parts], sql`, `)})`
  const place = beyond === undefined ? undefined : valuesAt(beyond)
  return {
    past:
      place &&
      sql`${tuple(columns.map((column) => sql`${column}`))} ${sql.raw(isRising ? '>' : '<')} ${tuple(
        columns.map((column, index) => sql`${sql.param(place[index], column)}`),
      )}`,
    order: columns.map((column) => (isRising ? asc(column) : desc(column))),
  }
}
