import { isStorableText } from './values.ts'

/** Codes of invalid members of an input. Each protocol maps them to its own messages, and the pages to words in three languages. */
export const violationCodes = [
  'required',
  'too_short',
  'too_long',
  'too_few',
  'too_many',
  'too_small',
  'too_large',
  'out_of_range',
  'wrong_pattern',
  'control_characters',
  'unstorable_text',
  'blank',
  'not_an_object',
  'too_complex',
  'not_a_date',
  'wrong_order',
  'unknown',
  'reserved',
  'idempotency_mismatch',
  'challenge_expired',
  'challenge_used',
  'external_id_taken',
  'expired',
  'tree_cycle',
  'tree_orphan',
  'tree_second_root',
  'tree_too_deep',
  'has_children',
  'id_taken',
  'unknown_language',
  'wrong_script',
  'duplicate_language',
  'duplicate_phrase',
  'wrong_type',
  'unknown_member',
  'exclusive',
  'mismatch',
  'duplicate',
  'not_base64',
  'not_an_email',
  'not_a_public_url',
  'not_private',
  'wrong_cursor',
  'wrong_token',
  'unpaired_quotation_mark',
  'only_stop_words',
  'invalid',
] as const
export type ViolationCode = (typeof violationCodes)[number]

/** The limits of a rule, in characters, items or the unit of the member, and the actual value if useful. */
export interface Constraint {
  readonly min?: number
  readonly max?: number
  readonly actual?: number
}

/** One invalid member of an input. */
export interface Violation {
  readonly code: ViolationCode
  /** member names of the schema from the arguments down; a single `input` or `filter` argument is left out */
  readonly path: readonly (string | number)[]
  /** for people; never contains the value */
  readonly message: string
  readonly constraint?: Constraint
}

type Path = Violation['path']

export function required(path: Path): Violation {
  return { code: 'required', path, message: 'Field required' }
}

/** Creates a violation of a minimum length in characters. */
export function blank(path: Path): Violation {
  return { code: 'blank', path, message: 'String should have at least one visible character' }
}

export function tooShort(path: Path, min: number): Violation {
  return { code: 'too_short', path, message: `String should have at least ${counted(min, 'character')}`, constraint: { min } }
}

/** Creates a violation of a maximum length in characters. */
export function tooLong(path: Path, max: number): Violation {
  return { code: 'too_long', path, message: `String should have at most ${counted(max, 'character')}`, constraint: { max } }
}

/** Returns the violations of a text that cannot be stored or is too long. */
export function textViolations(path: Path, text: string, max: number): readonly Violation[] {
  if (!isStorableText(text)) return [unstorable(path)]
  return text.length > max ? [tooLong(path, max)] : []
}

/** Creates a violation of a minimum number of items. */
export function tooFew(path: Path, min: number): Violation {
  return { code: 'too_few', path, message: `List should have at least ${counted(min, 'item')}`, constraint: { min } }
}

/** Creates a violation of a maximum number of items. @param actual - number of items received, if counted */
export function tooMany(path: Path, max: number, actual?: number): Violation {
  const message = `List should have at most ${counted(max, 'item')}`
  if (actual === undefined) return { code: 'too_many', path, message, constraint: { max } }
  return { code: 'too_many', path, message: `${message}, not ${actual}`, constraint: { max, actual } }
}

export function tooSmall(path: Path, min: number): Violation {
  return { code: 'too_small', path, message: `Input should be greater than or equal to ${min}`, constraint: { min } }
}

export function tooLarge(path: Path, max: number): Violation {
  return { code: 'too_large', path, message: `Input should be less than or equal to ${max}`, constraint: { max } }
}

export function outOfRange(path: Path, min: number, max: number): Violation {
  return { code: 'out_of_range', path, message: `Input should be from ${min} to ${max}`, constraint: { min, max } }
}

/** Creates a violation of a member that another one excludes. */
export function exclusive(path: Path, message: string): Violation {
  return { code: 'exclusive', path, message }
}

/** Creates a violation of a value of another type. */
export function wrongType(path: Path, message: string): Violation {
  return { code: 'wrong_type', path, message }
}

/** Creates a violation of a pattern. */
export function wrongPattern(path: Path, message: string): Violation {
  return { code: 'wrong_pattern', path, message }
}

/** Creates a violation of a rule without a code of its own. */
export function invalid(path: Path, message: string): Violation {
  return { code: 'invalid', path, message }
}

/** Creates a violation for text with U+0000 or lone surrogates, which databases cannot store. */
export function unstorable(path: Path): Violation {
  return { code: 'unstorable_text', path, message: 'the string should have neither U+0000 nor lone surrogates' }
}

/** Formats a violation: `location.lat: Field required` */
export function sentenceOf({ path, message }: Violation): string {
  return path.length === 0 ? message : `${path.join('.')}: ${message}`
}

/** Converts a path to snake case for REST and import files: `externalId` as `external_id`. */
export function inSnakeCase(path: Path): Path {
  return path.map((step) => (typeof step === 'number' ? step : step.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)))
}

const counted = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`
