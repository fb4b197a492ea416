import type { AnyPgColumn } from 'drizzle-orm/pg-core'
import type { RowWindow } from '../../foundation/row-window.ts'
import { asc, desc, type SQL, sql } from './drizzle.ts'

/**
 * Builds keyset pagination over columns that are all ascending or all descending: with an index, a page costs the same at any depth.
 * @param valuesAt - returns the column values at a position
 * @returns `past`: condition for rows beyond the position of the window; undefined without a position
 */
export function keyset<Place>(
  columns: readonly AnyPgColumn[],
  order: 'ascending' | 'descending',
  { isBackward = false, beyond }: RowWindow<Place>,
  valuesAt: (place: Place) => readonly unknown[],
): { readonly past: SQL | undefined; readonly order: SQL[] } {
  const isAscending = (order === 'ascending') !== isBackward
  const tuple = (parts: readonly SQL[]): SQL => sql`(${sql.join([...parts], sql`, `)})`
  const place = beyond === undefined ? undefined : valuesAt(beyond)
  return {
    past:
      place &&
      sql`${tuple(columns.map((column) => sql`${column}`))} ${sql.raw(isAscending ? '>' : '<')} ${tuple(
        columns.map((column, index) => sql`${sql.param(place[index], column)}`),
      )}`,
    order: columns.map((column) => (isAscending ? asc(column) : desc(column))),
  }
}
