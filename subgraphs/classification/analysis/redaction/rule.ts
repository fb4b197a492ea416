/** Kinds of personal data that are looked for. */
export type PersonalDataType = 'email' | 'iban' | 'national_id' | 'payment_card' | 'phone'

/** What one kind of personal data looks like in a text that `plainText` has made plain. */
export interface Rule {
  readonly type: PersonalDataType
  /** global */
  readonly pattern: RegExp
  /** how many characters of what was matched are meant, with what stands shortly before it; absent: all */
  readonly reach?: (candidate: string, before: string) => number
}

export const wholeWhen =
  (holds: (candidate: string, before: string) => boolean) =>
  (candidate: string, before: string): number =>
    holds(candidate, before) ? candidate.length : 0

export const digitsOf = (text: string): string => text.replace(/\D/g, '')
