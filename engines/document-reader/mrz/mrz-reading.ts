import type { MrzFormatName } from './formats.ts'

/** A character that was not taken as first read, and why. */
export interface MrzRepair {
  readonly line: number
  readonly column: number
  readonly from: string
  readonly to: string
  /**
   * grammar: only one look-alike is allowed at this place (a letter in a date). check_digits: the only look-alike substitution with which every check
   * digit holds; it counts only where the visual zone agrees. printed_zone: a letter for a digit or the other way round, as the visual zone has it,
   * and with which every check digit holds.
   */
  readonly because: 'grammar' | 'check_digits' | 'printed_zone'
}

/** The machine-readable zone as read. Lines have the exact length of their format; nothing in them was chosen by a check digit. */
export interface MrzReading {
  readonly format: MrzFormatName
  readonly lines: readonly string[]
  readonly confidence: number
  /** the deterministic ones, already in `lines` */
  readonly repairs: readonly MrzRepair[]
  /** the one substitution that would satisfy every check digit; not in `lines` */
  readonly proposal?: MrzRepair & {
    /** a reading of the same line saw the other character, or the two differ only as letter and digit (0 and O): a slip of the reader is likely */
    readonly doubtful: boolean
  }
  /** how often the lines were read */
  readonly readings: number
  /** how many slips of the reader would explain digits that fail: look-alikes in one or two places; absent when the digits hold, or none would */
  readonly slips?: 1 | 2
  /** the digits hold, or two readers agree in everything that they cover and no slips explain it: then a failing digit is the document's */
  readonly settled: boolean
}
