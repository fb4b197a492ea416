/** clear: passed; consider: a person should review it; unidentified: could not be performed. */
export type CheckResult = 'clear' | 'consider' | 'unidentified'

/** A named number or text measured by a check. */
export type CheckProperty = { readonly key: string } & ({ readonly number: number } | { readonly text: string })

export interface NamedCheck {
  readonly name: string
  readonly result: CheckResult
  readonly properties?: CheckProperty[]
}

/** One check of a verification, in the shape of the GraphQL type VerificationCheck. */
export interface Check {
  readonly result: CheckResult
  readonly breakdown?: NamedCheck[]
  readonly properties?: CheckProperty[]
}

type Facts = Readonly<Record<string, string | number | undefined>>

/** Rounds numbers to four decimals and omits undefined values. */
export function propertiesOf(facts: Facts): { properties?: CheckProperty[] } {
  const properties = Object.entries(facts).flatMap(([key, value]): CheckProperty[] => {
    if (value === undefined) return []
    return [typeof value === 'number' ? { key, number: Math.round(value * 1e4) / 1e4 } : { key, text: value }]
  })
  return properties.length === 0 ? {} : { properties }
}

export const checkOf = (result: CheckResult, facts: Facts = {}): Check => ({ result, ...propertiesOf(facts) })
export const named = (name: string, result: CheckResult, facts: Facts = {}): NamedCheck => ({ name, result, ...propertiesOf(facts) })

/** Returns the combined result: consider outweighs clear; unidentified parts count only when there is no other part. */
export function worst(results: readonly CheckResult[]): CheckResult {
  if (results.includes('consider')) return 'consider'
  return results.includes('clear') ? 'clear' : 'unidentified'
}

/** Combines parts into one check. */
export const combined = (breakdown: NamedCheck[], facts: Facts = {}): Check => ({
  result: worst(breakdown.map(({ result }) => result)),
  breakdown,
  ...propertiesOf(facts),
})
