import type { MrzFormatName } from './formats.ts'

/** A character that differs from its first reading, and why. */
export interface MrzRepair {
  readonly line: number
  readonly column: number
  readonly from: string
  readonly to: string
  /**
   * grammar: the position allows only one look-alike (a letter in a date). check_digits: the only look-alike substitution that satisfies every check
   * digit; valid only if the visual zone agrees. printed_zone: a letter for a digit or the reverse, as in the visual zone, that satisfies every check
   * digit.
   */
  readonly because: 'grammar' | 'check_digits' | 'printed_zone'
}

/** The machine-readable zone as read. Lines have the exact length of the format; no character was chosen by a check digit. */
export interface MrzReading {
  readonly format: MrzFormatName
  readonly lines: readonly string[]
  readonly confidence: number
  /** deterministic repairs, already applied to `lines` */
  readonly repairs: readonly MrzRepair[]
  /** the only substitution that would satisfy every check digit; not applied to `lines` */
  readonly proposal?: MrzRepair & {
    /** another reading has the other character, or the two are a letter and a digit that look alike: probably an OCR error */
    readonly doubtful: boolean
  }
  /** number of readings of the lines */
  readonly readings: number
  /** number of OCR errors (look-alikes) that would explain failing digits; absent if the digits hold or more than two would be needed */
  readonly slips?: 1 | 2
  /**
   * whether the digits hold, or two readings agree on all covered characters and no OCR error explains the failure: then the document itself has a
   * wrong check digit
   */
  readonly settled: boolean
}
