import { InvalidInput, refuseViolations } from '../fault.ts'
import type { Violation } from './violation.ts'

/** A refusal instead of a value. */
interface Refused {
  readonly violations: readonly Violation[]
}

async function attempt<Value>(read: () => Value | Promise<Value>): Promise<{ readonly value: Value } | Refused> {
  try {
    return { value: await read() }
  } catch (error) {
    if (error instanceof InvalidInput && error.details.entries !== undefined) return { violations: error.details.entries }
    throw error
  }
}

/** Reads two parts of an input, such as a page request and a filter. @throws {InvalidInput} with the invalid members of both */
export async function both<One, Other>(
  readOne: () => One | Promise<One>,
  readOther: () => Other | Promise<Other>,
): Promise<readonly [One, Other]> {
  const [one, other] = [await attempt(readOne), await attempt(readOther)]
  if ('value' in one && 'value' in other) return [one.value, other.value]
  const violations = [one, other].flatMap((part) => ('violations' in part ? part.violations : []))
  refuseViolations(violations)
  throw new InvalidInput('The input is invalid', violations)
}
