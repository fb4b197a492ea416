import pg from 'pg'
import { codeOf, EngineUnavailable, Fault, messageOf } from '../../foundation/fault.ts'
import { KnownReason } from '../../foundation/health/stalled.ts'
import { DrizzleQueryError } from './drizzle.ts'

/**
 * A statement that PostgreSQL rejected. Contains schema names but no values: the errors of the driver and of Drizzle contain parameters, which may be
 * personal data.
 */
export class QueryRefused extends Error {
  /** SQLSTATE, such as 23505 for a unique violation */
  readonly code: string
  readonly constraint: string | undefined
  readonly table: string | undefined
  readonly statement: string | undefined

  constructor(error: pg.DatabaseError, statement: string | undefined) {
    const code = error.code ?? 'XX000'
    // messages of class 22 (data exception) and others quote values; those of classes 23 and 42 contain schema names only, those of 28 and 3D and of
    // poolers the configured user and database
    super(/^(08P01|23|28|3D|40|42|55)/.test(code) ? error.message : `PostgreSQL rejected the statement (SQLSTATE ${code})`)
    this.name = 'QueryRefused'
    this.code = code
    this.constraint = error.constraint
    this.table = error.table
    this.statement = statement
  }
}

/**
 * SQLSTATE classes and codes of a temporarily unavailable server: connection, resources (disk, memory, connections), operator intervention (shutdown,
 * statement timeout), system error, lock timeout, read-only standby.
 */
const unavailableState = /^(08|53|57|58)|^(55P03|25006|25P03|25P04)$/
/** PgBouncer uses 08P01 for everything, also for errors that need a change of its configuration */
const refusedByPooler = /unsupported startup parameter/

const unavailableSocket = /^(ECONN|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|EHOST|ENET)/
/** node-postgres gives these errors no code */
const unavailableMessage =
  /Connection terminated|timeout exceeded when trying to connect|Query read timeout|not queryable|after calling end/

const tooManyConnections = '53300'
const noConnection = (): KnownReason =>
  new KnownReason('PostgreSQL has no free connection (max_connections): lower DATABASE_POOL, raise max_connections, or use PgBouncer')

/** SQLSTATE class 28: wrong user or password; 3D000: the database does not exist */
const refusedBySettings = /^(?:28|3D)/

/** Returns the reason of a failed connection, with the next step for the operator if known. */
export function connectReasonOf(error: unknown): string {
  const reason = messageOf(error)
  if (refusedByPooler.test(reason)) return `${reason}: add it to ignore_startup_parameters of PgBouncer`
  return error instanceof QueryRefused && refusedBySettings.test(error.code) ? `${reason}: check DATABASE_URL` : reason
}

/** Whether the error means that PostgreSQL is unavailable, rather than that the statement is wrong. */
export function indicatesUnavailable(error: unknown): boolean {
  if (error instanceof AggregateError) return error.errors.some(indicatesUnavailable)
  if (error instanceof pg.DatabaseError) return unavailableState.test(error.code ?? '') && !refusedByPooler.test(error.message)
  if (!(error instanceof Error)) return false
  const { code } = error as NodeJS.ErrnoException
  return (code !== undefined && unavailableSocket.test(code)) || unavailableMessage.test(error.message)
}

/** As `indicatesUnavailable`, including errors wrapped by this package. */
export function causedByUnavailability(error: unknown): boolean {
  if (error instanceof EngineUnavailable || indicatesUnavailable(error)) return true
  return error instanceof Error && error.cause !== undefined && causedByUnavailability(error.cause)
}

/** Translates a driver error to EngineUnavailable or QueryRefused; returns other errors unchanged. */
export function translatedError(error: unknown): unknown {
  if (error instanceof Fault) return error
  if (error instanceof DrizzleQueryError) return translatedOf(error.cause, error.query)
  return translatedOf(error, undefined)
}

function translatedOf(error: unknown, statement: string | undefined): unknown {
  if (error instanceof Fault) return error
  if (codeOf(error) === tooManyConnections) return new EngineUnavailable('database', noConnection())
  if (indicatesUnavailable(error)) return new EngineUnavailable('database', new Error(messageOf(error)))
  return error instanceof pg.DatabaseError ? new QueryRefused(error, statement) : error
}
