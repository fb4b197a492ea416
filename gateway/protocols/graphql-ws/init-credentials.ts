import { Unauthenticated } from '../../../foundation/fault.ts'
import type { Credentials } from '../../../foundation/http/authentication.ts'

/** Reads the credentials of an init payload; header names are case-insensitive. */
export function initCredentials(parameters: Readonly<Record<string, unknown>>): Credentials {
  const named = (wanted: string): string | undefined => {
    const found = Object.entries(parameters).find(([name]) => name.toLowerCase() === wanted)
    if (found === undefined) return undefined
    // a key that is not a string is invalid, not absent
    if (typeof found[1] !== 'string') throw new Unauthenticated(`${wanted} is not a string`)
    return found[1]
  }
  return { apiKey: named('x-service-api-key'), authorization: named('authorization'), named }
}
