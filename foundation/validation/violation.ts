/** What can be wrong with one member of an input. A protocol that has words of its own for them has a place for each. */
export type ViolationCode =
  | 'required'
  | 'too_short'
  | 'too_long'
  | 'too_many'
  | 'too_small'
  | 'too_large'
  | 'out_of_range'
  | 'wrong_pattern'
  | 'control_characters'
  | 'unstorable_text'
  | 'blank'
  | 'not_an_object'
  | 'too_complex'
  | 'not_a_date'
  | 'wrong_order'
  | 'unknown'
  | 'reserved'
  | 'idempotency_mismatch'
  | 'challenge_expired'
  | 'challenge_used'
  | 'external_id_taken'
  | 'tree_cycle'
  | 'tree_orphan'
  | 'tree_second_root'
  | 'invalid'

/** The limits that a rule has, in characters, items or the member's own unit, and what came where that is worth telling. */
export interface Constraint {
  readonly min?: number
  readonly max?: number
  readonly actual?: number
}

/** One member of an input that breaks a rule. */
export interface Violation {
  readonly code: ViolationCode
  /** members as the schema spells them, from the arguments down; an argument `input` or `filter` that holds all others is left out */
  readonly path: readonly (string | number)[]
  /** for people; never the value itself */
  readonly message: string
  readonly constraint?: Constraint
}

type Path = Violation['path']

export function required(path: Path): Violation {
  return { code: 'required', path, message: 'Field required' }
}

/** Of characters. */
export function tooShort(path: Path, min: number): Violation {
  return { code: 'too_short', path, message: `String should have at least ${counted(min, 'character')}`, constraint: { min } }
}

/** Of characters. */
export function tooLong(path: Path, max: number): Violation {
  return { code: 'too_long', path, message: `String should have at most ${counted(max, 'character')}`, constraint: { max } }
}

/** Of items. @param actual - how many came, where they were counted */
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

/** A rule that has no code of its own. */
export function invalid(path: Path, message: string): Violation {
  return { code: 'invalid', path, message }
}

/** Of a text with U+0000 or half of a pair, which no database takes. */
export function unstorable(path: Path): Violation {
  return { code: 'unstorable_text', path, message: 'the string should have neither U+0000 nor lone surrogates' }
}

/** `location.lat: Field required` */
export function sentenceOf({ path, message }: Violation): string {
  return `${path.join('.')}: ${message}`
}

/** A path for those who write `external_id` where the schema says `externalId`: REST, and lines of files. */
export function inSnakeCase(path: Path): Path {
  return path.map((step) => (typeof step === 'number' ? step : step.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)))
}

const counted = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`
