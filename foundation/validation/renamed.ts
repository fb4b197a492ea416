import { refuseViolations } from '../fault.ts'
import { exclusive, type Violation } from './violation.ts'

/** The value of an input member that has a new name, and the name under which the client sent it. */
export interface RenamedMember<Value> {
  readonly name: string
  readonly value: Value | undefined
}

/**
 * Reads an input member under its new name or its former one; both are a violation.
 * @param violations - receives the violation, which is thrown without them  @param path - of the input
 */
export function renamed<Input extends object, Name extends keyof Input & string>(
  input: Input,
  name: Name,
  formerName: Name,
  violations?: Violation[],
  path: Violation['path'] = [],
): RenamedMember<Input[Name]> {
  const [value, former] = [input[name], input[formerName]]
  if (value != null && former != null) {
    const both = exclusive([...path, formerName], `\`${formerName}\` is the former name of \`${name}\`: send \`${name}\` only`)
    if (violations === undefined) refuseViolations([both])
    violations?.push(both)
  }
  return value === undefined && former !== undefined ? { name: formerName, value: former } : { name, value }
}
