import { Fault, invalidInput } from '../fault.ts'
import type { Violation } from './violation.ts'

/** A refusal instead of a value. */
interface Refusal {
  readonly violations: readonly Violation[]
  readonly error: Fault
}

async function attempt<Value>(read: () => Value | Promise<Value>): Promise<{ readonly value: Value } | Refusal> {
  try {
    return { value: await read() }
  } catch (error) {
    // a cursor of another list is MALFORMED
    if (error instanceof Fault && error.details.entries !== undefined) return { violations: error.details.entries, error }
    throw error
  }
}

/**
 * Reads two parts of an input, such as a page request and a filter.
 * @throws {InvalidInput} with the invalid members of both  @throws {Fault} the error of the only invalid one
 */
export async function both<One, Other>(
  readOne: () => One | Promise<One>,
  readOther: () => Other | Promise<Other>,
): Promise<readonly [One, Other]> {
  const [one, other] = [await attempt(readOne), await attempt(readOther)]
  if ('value' in one) {
    if ('value' in other) return [one.value, other.value]
    throw other.error
  }
  if ('value' in other) throw one.error
  throw invalidInput([...one.violations, ...other.violations])
}
