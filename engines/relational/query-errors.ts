import pg from 'pg'
import { EngineUnavailable, Fault, messageOf } from '../../foundation/fault.ts'
import { DrizzleQueryError } from './drizzle.ts'

/**
 * A statement that PostgreSQL refused. It carries the statement and names of our schema, never a value: the driver's own error and
 * Drizzle's show parameters, which may be what a citizen sent.
 */
export class QueryRefused extends Error {
  /** SQLSTATE, such as 23505 for a value that must be unique */
  readonly code: string
  readonly constraint: string | undefined
  readonly table: string | undefined
  readonly statement: string | undefined

  constructor(error: pg.DatabaseError, statement: string | undefined) {
    const code = error.code ?? 'XX000'
    // class 22 (data exception) and the like quote the value in the message; classes 23 and 42 name only what is ours, 28 and 3D what a
    // setting names: the user and the database, and so does what a pooler refuses
    super(/^(08P01|23|28|3D|40|42|55)/.test(code) ? error.message : `PostgreSQL refused the statement (SQLSTATE ${code})`)
    this.name = 'QueryRefused'
    this.code = code
    this.constraint = error.constraint
    this.table = error.table
    this.statement = statement
  }
}

/**
 * SQLSTATE classes and codes of a server that cannot serve now: connection, resources (disk, memory, connections), operator intervention
 * (shutdown, statement time-out), system error, lock time-out, a standby that takes no writes.
 */
const unavailableState = /^(08|53|57|58)|^(55P03|25006|25P03|25P04)$/
/** PgBouncer gives everything 08P01, also what only its configuration can mend */
const refusedByPooler = /unsupported startup parameter/

const unavailableSocket = /^(ECONN|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|EHOST|ENET)/
/** node-postgres gives these no code */
const unavailableMessage =
  /Connection terminated|timeout exceeded when trying to connect|Query read timeout|not queryable|after calling end/

/** SQLSTATE class 28 is a user or a password that is wrong, 3D000 a database that is not there */
const refusedBySettings = /^(?:28|3D)/

/** What an operator is told of a connection that was not made, with the next step where it is known. */
export function connectReasonOf(error: unknown): string {
  const reason = messageOf(error)
  if (refusedByPooler.test(reason)) return `${reason}: list it in ignore_startup_parameters of PgBouncer`
  return error instanceof QueryRefused && refusedBySettings.test(error.code) ? `${reason}: look at DATABASE_URL` : reason
}

/** Whether the failure says that PostgreSQL cannot be used, rather than that the statement is wrong. */
export function saysUnavailable(error: unknown): boolean {
  if (error instanceof AggregateError) return error.errors.some(saysUnavailable)
  if (error instanceof pg.DatabaseError) return unavailableState.test(error.code ?? '') && !refusedByPooler.test(error.message)
  if (!(error instanceof Error)) return false
  const { code } = error as NodeJS.ErrnoException
  return (code !== undefined && unavailableSocket.test(code)) || unavailableMessage.test(error.message)
}

/** The same of an error that was wrapped in a sentence of ours. */
export function comesOfAbsence(error: unknown): boolean {
  if (error instanceof EngineUnavailable || saysUnavailable(error)) return true
  return error instanceof Error && error.cause !== undefined && comesOfAbsence(error.cause)
}

/** What callers of the database see: EngineUnavailable, QueryRefused, or (a bug elsewhere) the error itself. */
export function translated(error: unknown): unknown {
  if (error instanceof Fault) return error
  if (error instanceof DrizzleQueryError) return translatedOf(error.cause, error.query)
  return translatedOf(error, undefined)
}

function translatedOf(error: unknown, statement: string | undefined): unknown {
  if (error instanceof Fault) return error
  if (saysUnavailable(error)) return new EngineUnavailable('database', new Error(messageOf(error)))
  return error instanceof pg.DatabaseError ? new QueryRefused(error, statement) : error
}
