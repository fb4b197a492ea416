import type pg from 'pg'
import { translatedError } from '../../relational/query-errors.ts'

/** Runs a statement; the row type is that of the statement. */
export type Rows = <Row = Record<string, unknown>>(
  text: string,
  values: readonly unknown[],
  signal?: AbortSignal,
) => Promise<readonly Row[]>

/**
 * Runs statements on a pool or on the connection of a transaction. @param signal - checked before each statement
 * @throws {EngineUnavailable} {QueryRefused}
 */
export const rowsOf =
  (where: Pick<pg.Pool | pg.PoolClient, 'query'>): Rows =>
  async (text, values, signal) => {
    signal?.throwIfAborted()
    try {
      const { rows } = await where.query({ text, values: [...values] })
      return rows
    } catch (error) {
      throw translatedError(error)
    }
  }
