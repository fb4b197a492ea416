import { Unauthenticated } from '../../foundation/fault.ts'
import type { Credentials } from '../http/authentication.ts'

/** The credentials in an init payload; header names are read whatever their case. */
export function initCredentials(parameters: Readonly<Record<string, unknown>>): Credentials {
  const named = (wanted: string): string | undefined => {
    const found = Object.entries(parameters).find(([name]) => name.toLowerCase() === wanted)
    if (found === undefined) return undefined
    // A key that is not a string is a wrong key, not an absent one.
    if (typeof found[1] !== 'string') throw new Unauthenticated(`${wanted} is not a string`)
    return found[1]
  }
  return { apiKey: named('x-service-api-key'), authorization: named('authorization'), named }
}
