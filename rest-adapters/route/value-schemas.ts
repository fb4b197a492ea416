import { z } from 'zod'
import { maxDigits } from '../request/python-json.ts'
import { ownIssue } from '../response/invalid-request.ts'

/** A list of at most so many items; a longer one is refused before its items are looked at. */
export function listOf<Item extends z.ZodType>(item: Item, max: number): z.ZodType<z.output<Item>[]> {
  return z
    .unknown()
    .superRefine((value, context) => {
      if (!Array.isArray(value)) context.addIssue(ownIssue({ type: 'list_type', msg: 'Input should be a valid list' }))
      else if (value.length > max) {
        const msg = `List should have at most ${max} item${max === 1 ? '' : 's'} after validation, not ${value.length}`
        context.addIssue(ownIssue({ type: 'too_long', msg, ctx: { field_type: 'List', max_length: max, actual_length: value.length } }))
      }
    })
    .pipe(z.array(item))
    .meta({ type: 'array', maxItems: max })
}

/**
 * An integer in a query, as pydantic reads one from text: `10_0`, `+5`, `5.0`, ` 5 ` and thirty digits are integers, `1e2` and the empty
 * text are not.
 * @param max - a larger one is refused; without it, it is the largest there is: who has a lower limit clamps it there
 */
export function laxInteger(min: number, max = Number.MAX_SAFE_INTEGER): z.ZodType<number, string> {
  return z.string().transform((text, context) => {
    const trimmed = text.replace(/^\p{White_Space}+|(?<!\p{White_Space})\p{White_Space}+$/gu, '')
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
