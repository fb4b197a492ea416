import { z } from 'zod'
import { maxDigits } from '../json/python-json.ts'
import { maxEntries, ownIssue, tooLongEntry } from '../response/invalid-request.ts'

/** A list of at most `max` items; a longer one is refused before its items are validated. Collects at most as many problems as a refusal reports. */
export function listOf<Item extends z.ZodType>(item: Item, max: number): z.ZodType<z.output<Item>[]> {
  return z
    .unknown()
    .superRefine((value, context) => {
      if (!Array.isArray(value)) context.addIssue(ownIssue({ type: 'list_type', msg: 'Input should be a valid list' }))
      else if (value.length > max) context.addIssue(ownIssue(tooLongEntry(max, value.length)))
      else if (value.length > maxEntries) {
        let problems = 0
        for (const [index, member] of value.entries()) {
          const { error } = item.safeParse(member)
          for (const issue of error?.issues ?? []) context.addIssue({ ...issue, path: [index, ...issue.path] })
          problems += error?.issues.length ?? 0
          if (problems >= maxEntries) break
        }
      }
    })
    .pipe(z.array(item))
    .meta({ type: 'array', maxItems: max })
}

/**
 * An integer in a query, parsed as pydantic does: `10_0`, `+5`, `5.0`, ` 5 ` and thirty digits are integers, `1e2` and empty text are not. @param max
 * - larger values are refused; default: the largest safe integer, to be clamped by the caller
 */
export function laxInteger(min: number, max = Number.MAX_SAFE_INTEGER): z.ZodType<number, string> {
  return z.string().transform((text, context) => {
    const trimmed = withoutOuterBlanks(text)
    const digits = trimmed.replace(/^[+-]?[0_]*|\.0+$/g, '')
    if (digits.length > maxDigits && /^\d/.test(digits)) {
      context.addIssue(ownIssue({ type: 'int_parsing_size', msg: 'Unable to parse input string as an integer, exceeded maximum size' }))
      return z.NEVER
    }
    if (!/^[+-]?\d+(_\d+)*(\.0+)?$/.test(trimmed)) {
      context.addIssue(ownIssue({ type: 'int_parsing', msg: 'Input should be a valid integer, unable to parse string as an integer' }))
      return z.NEVER
    }
    const value = Number(trimmed.replaceAll('_', ''))
    if (value < min) {
      context.addIssue(ownIssue({ type: 'greater_than_equal', msg: `Input should be greater than or equal to ${min}`, ctx: { ge: min } }))
      return z.NEVER
    }
    if (value > max && max < Number.MAX_SAFE_INTEGER) {
      context.addIssue(ownIssue({ type: 'less_than_equal', msg: `Input should be less than or equal to ${max}`, ctx: { le: max } }))
      return z.NEVER
    }
    return Math.min(value, max)
  })
}

/** Without a regular expression: one ending in `$` would take quadratic time for thousands of blanks. */
function withoutOuterBlanks(text: string): string {
  let [start, end] = [0, text.length]
  while (start < end && /^\p{White_Space}$/u.test(text.charAt(start))) start++
  while (end > start && /^\p{White_Space}$/u.test(text.charAt(end - 1))) end--
  return text.slice(start, end)
}

/**
 * A value of an enum of the graph under its documented REST name. @param otherwise - in place of a value of a newer release, which the documented
 * interface lacks
 */
export const documentedValue = <const Value extends string>(values: readonly Value[], otherwise: NoInfer<Value>) =>
  z
    .string()
    .toLowerCase()
    .transform((value): Value => values.find((each) => each === value) ?? otherwise)
