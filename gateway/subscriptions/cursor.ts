import type { ExecutionResult } from 'graphql'
import { GraphQLError } from 'graphql'
import { z } from 'zod'
import type { RequestContext } from '../../foundation/graphql/request-context.ts'
import { isEntity, ownValue } from '../planning/steps/entity.ts'
import type { ResumeRule } from './resume.ts'

/** A request for a subscription, perhaps for one that was interrupted. */
export interface SubscriptionContext extends RequestContext {
  /** of the last event that the client has had: what came after it is told first */
  readonly cursor?: string | undefined
}

/** A number together with the field whose events have it: it says nothing about any other. */
const Place = z.tuple([z.string(), z.union([z.string(), z.number()])])

/** Where in its events a subscription has come, for `extensions.cursor`. @returns undefined for an event that has no number */
export function cursorOf(event: ExecutionResult, { field, path }: ResumeRule): string | undefined {
  const place = Place.safeParse([field, valueAt(event, path)])
  return place.success ? Buffer.from(JSON.stringify(place.data)).toString('base64url') : undefined
}

/** What a client sends as `extensions.cursor`; null, or an empty text, says that it has had no event yet. @throws {GraphQLError} for anything else */
export function cursorGiven(given: unknown): string | undefined {
  if (given === undefined || given === null || given === '') return undefined
  if (typeof given === 'string') return given
  throw new GraphQLError('extensions.cursor must be a text', { extensions: { code: 'BAD_REQUEST', http: { status: 400 } } })
}

/** The number in a cursor. @throws {GraphQLError} MALFORMED for what is no cursor of this subscription */
export function placeIn(cursor: string, rule: ResumeRule | undefined): unknown {
  const [field, number] = Place.safeParse(parsed(cursor)).data ?? []
  if (rule === undefined || field !== rule.field || !rule.isNumber(number)) throw foreignCursor()
  return number
}

/** Whether an event only says that events before it can no longer be told. */
export function isLagged(event: ExecutionResult, { kindPath }: ResumeRule): boolean {
  return kindPath !== undefined && /^lagged$/i.test(String(valueAt(event, kindPath)))
}

/** Where a client that comes back is told that it has to begin anew. */
export const cursorTooOld = (requestId: string): GraphQLError =>
  new GraphQLError('What came after this cursor is no longer kept in full; read the present state and subscribe without a cursor', {
    extensions: { code: 'CURSOR_TOO_OLD', requestId },
  })

const foreignCursor = (): GraphQLError =>
  new GraphQLError('The cursor is not one of this subscription; subscribe without a cursor', { extensions: { code: 'MALFORMED' } })

function valueAt({ data }: ExecutionResult, [field, member]: readonly [string, string]): unknown {
  const event = data?.[field]
  return isEntity(event) ? ownValue(event, member) : undefined
}

function parsed(cursor: string): unknown {
  try {
    return JSON.parse(Buffer.from(cursor, 'base64url').toString())
  } catch {
    return undefined
  }
}
