import type { ExecutionResult } from 'graphql'
import { GraphQLError } from 'graphql'
import { z } from 'zod'
import type { RequestContext } from '../../foundation/graphql/request-context.ts'
import { isEntity, ownValue } from './entity.ts'
import type { ResumeRule } from './resume.ts'

/** The context of a subscription, possibly a resumed one. */
export interface SubscriptionContext extends RequestContext {
  /** cursor of the last event that the client received; later events are sent first */
  readonly cursor?: string | undefined
}

/** A number with its subscription field, since it is valid only there. */
const Place = z.tuple([z.string(), z.union([z.string(), z.number()])])

/** Returns the cursor of an event, for `extensions.cursor`. @returns undefined for an event without a number */
export function cursorOf(event: ExecutionResult, { field, path }: ResumeRule): string | undefined {
  const place = Place.safeParse([field, valueAt(event, path)])
  return place.success ? Buffer.from(JSON.stringify(place.data)).toString('base64url') : undefined
}

/** Parses `extensions.cursor` of a client; null or an empty text means that it has received no event. @throws {GraphQLError} for anything else */
export function parseCursor(value: unknown): string | undefined {
  if (value === undefined || value === null || value === '') return undefined
  if (typeof value === 'string') return value
  throw new GraphQLError('extensions.cursor must be a string', { extensions: { code: 'BAD_REQUEST', http: { status: 400 } } })
}

/** Returns the number in a cursor. @throws {GraphQLError} MALFORMED unless it is a cursor of this subscription */
export function placeIn(cursor: string, rule: ResumeRule | undefined): unknown {
  const [field, number] = Place.safeParse(parsed(cursor)).data ?? []
  if (rule === undefined || field !== rule.field || !rule.isNumber(number)) throw foreignCursor()
  return number
}

/** Whether an event only reports that earlier events are no longer available. */
export function isLagged(event: ExecutionResult, { kindPath }: ResumeRule): boolean {
  return kindPath !== undefined && /^lagged$/i.test(String(valueAt(event, kindPath)))
}

/** The error for a client whose cursor is too old to resume. */
export const cursorTooOld = (requestId: string): GraphQLError =>
  new GraphQLError('Events after this cursor are no longer available: query the current state and subscribe without a cursor', {
    extensions: { code: 'CURSOR_TOO_OLD', requestId },
  })

const foreignCursor = (): GraphQLError =>
  new GraphQLError('The cursor belongs to another subscription: subscribe without a cursor', { extensions: { code: 'MALFORMED' } })

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
