import { setImmediate } from 'node:timers/promises'
import { exceededJsonLimit, type JsonLimits, jsonLimitSteps } from '../../foundation/validation/json-limits.ts'

/** Limits of one GraphQL request as JSON: an HTTP body, GET parameters, or a WebSocket message. */
export interface RequestLimits extends JsonLimits {
  /** after decompression */
  readonly bytes: number
}

const depth = 200
const nameLength = 256

/** Requests without a verified key or token, checked before parsing. */
export const anonymousRequest: RequestLimits = { bytes: 256 * 1024, depth, values: 10_000, nameLength }

/** Requests with a verified key or token: room for 100,000 acknowledged ids and several images. */
export const identifiedRequest: JsonLimits = { depth, values: 250_000, nameLength }

/** Messages of a WebSocket client before its ConnectionInit is accepted, which contains a key and a token. */
export const unadmittedMessage: RequestLimits = { bytes: 64 * 1024, depth: 20, values: 200, nameLength }

/** Returns a message naming the first limit that a JSON text exceeds, or undefined. */
export function exceededRequestLimit(json: string, limits: JsonLimits): string | undefined {
  const exceeded = exceededJsonLimit(json, limits)
  return exceeded && sentences[exceeded](limits)
}

/** Characters checked in one turn of the event loop. */
const stepLength = 1024 * 1024

/** As `exceededRequestLimit` for a text of many megabytes; yields to the event loop between pieces. */
export async function exceededLimitOfLongRequest(json: string, limits: JsonLimits): Promise<string | undefined> {
  const steps = jsonLimitSteps(json, limits, stepLength)
  let step = steps.next()
  while (step.done !== true) {
    await setImmediate()
    step = steps.next()
  }
  return step.value && sentences[step.value](limits)
}

const sentences: Readonly<Record<keyof JsonLimits, (limits: JsonLimits) => string>> = {
  depth: (limits) => `The request is nested more than ${limits.depth} levels deep`,
  values: (limits) => `The request has more than ${limits.values} values`,
  nameLength: (limits) => `The request has a member name of more than ${limits.nameLength} characters`,
}
