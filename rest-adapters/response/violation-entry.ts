import type { Violation, ViolationCode } from '../../foundation/validation/violation.ts'
import type { InvalidEntry } from './invalid-request.ts'

/** Returns the location in the request of a member of an operation's input. */
export type PlaceOf = (path: Violation['path']) => InvalidEntry['loc']

type Explanation = Omit<InvalidEntry, 'loc' | 'input'>

const inWords = ({ message }: Violation): Explanation => ({ type: 'value_error', msg: message })
const asValueError = ({ message }: Violation): Explanation => ({ type: 'value_error', msg: `Value error, ${message}` })
const as =
  (type: string) =>
  ({ message }: Violation): Explanation => ({ type, msg: message })

/** The entry of each violation in the terms of the reference implementation; does not compile while a code is missing. */
const explained: Readonly<Record<ViolationCode, (violation: Violation) => Explanation>> = {
  required: () => ({ type: 'missing', msg: 'Field required' }),
  too_short: ({ constraint: { min = 1 } = {} }) => ({
    type: 'string_too_short',
    msg: `String should have at least ${counted(min, 'character')}`,
    ctx: { min_length: min },
  }),
  too_long: ({ constraint: { max = 0 } = {} }) => ({
    type: 'string_too_long',
    msg: `String should have at most ${counted(max, 'character')}`,
    ctx: { max_length: max },
  }),
  too_many: ({ constraint: { max = 0, actual } = {} }) => {
    const msg = `List should have at most ${counted(max, 'item')}`
    return actual === undefined
      ? { type: 'too_long', msg, ctx: { max_length: max } }
      : {
          type: 'too_long',
          msg: `${msg} after validation, not ${actual}`,
          ctx: { field_type: 'List', max_length: max, actual_length: actual },
        }
  },
  too_small: ({ constraint: { min = 0 } = {} }) => ({
    type: 'greater_than_equal',
    msg: `Input should be greater than or equal to ${min}`,
    ctx: { ge: min },
  }),
  too_large: ({ constraint: { max = 0 } = {} }) => ({
    type: 'less_than_equal',
    msg: `Input should be less than or equal to ${max}`,
    ctx: { le: max },
  }),
  out_of_range: (violation) => {
    const { min, max } = violation.constraint ?? {}
    if (min === undefined || max === undefined) return asValueError(violation)
    return { type: 'value_error', msg: `Input should be from ${min} to ${max}`, ctx: { ge: min, le: max } }
  },
  wrong_pattern: as('string_pattern_mismatch'),
  control_characters: as('string_control_characters'),
  unstorable_text: asValueError,
  blank: as('string_blank'),
  not_an_object: () => ({ type: 'dict_type', msg: 'Input should be a valid dictionary' }),
  too_complex: inWords,
  not_a_date: () => ({ type: 'date_from_datetime_parsing', msg: 'Input should be a valid date in the format YYYY-MM-DD' }),
  wrong_order: asValueError,
  unknown: asValueError,
  reserved: inWords,
  idempotency_mismatch: as('idempotency_mismatch'),
  challenge_expired: as('challenge_expired'),
  challenge_used: as('challenge_used'),
  expired: inWords,
  external_id_taken: as('external_id_taken'),
  tree_cycle: as('tree_cycle'),
  tree_orphan: as('tree_orphan'),
  tree_second_root: as('tree_second_root'),
  tree_too_deep: inWords,
  has_children: inWords,
  id_taken: inWords,
  unknown_language: inWords,
  wrong_script: inWords,
  duplicate_language: inWords,
  duplicate_phrase: inWords,
  too_few: inWords,
  wrong_type: inWords,
  unknown_member: inWords,
  exclusive: inWords,
  mismatch: inWords,
  duplicate: inWords,
  not_base64: inWords,
  not_an_email: inWords,
  not_a_public_url: inWords,
  not_private: inWords,
  wrong_cursor: inWords,
  wrong_token: inWords,
  unpaired_quotation_mark: inWords,
  only_stop_words: inWords,
  invalid: inWords,
}

/** Returns the entry of a violation, without echoing the value, whose origin in the request is unknown. */
export function violationEntry(violation: Violation, placeOf: PlaceOf): InvalidEntry {
  const { type, msg, ctx } = explained[violation.code](violation)
  return { type, loc: placeOf(violation.path), msg: inRestSpelling(msg), ...(ctx && { ctx }) }
}

/** Whether a value from an operation's error is a known violation. */
export function isViolation(value: unknown): value is Violation {
  return (
    typeof value === 'object' &&
    value !== null &&
    'code' in value &&
    typeof value.code === 'string' &&
    Object.hasOwn(explained, value.code) &&
    'path' in value &&
    Array.isArray(value.path) &&
    'message' in value
  )
}

const counted = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`

/** Converts a GraphQL message for REST: `externalId` becomes `external_id`, the only member with two words in messages. */
export const inRestSpelling = (sentence: string): string => sentence.replaceAll(/\bexternalId\b/g, 'external_id')
