import { email } from './email.ts'
import { iban } from './iban.ts'
import { announcedNationalId, frenchNationalId } from './national-id.ts'
import { paymentCard } from './payment-card.ts'
import { phone } from './phone.ts'
import { plainText } from './plain-text.ts'
import type { PersonalDataType, Rule } from './rule.ts'
import { spokenEmail } from './spoken-email.ts'
import { spokenPhone } from './spoken-phone.ts'

export interface Redaction {
  /** each piece of personal data replaced by `[its type]` */
  readonly text: string
  readonly types: readonly PersonalDataType[]
}

/** In this order: what an earlier rule took is not looked at again. */
const rules: readonly Rule[] = [spokenEmail, email, iban, paymentCard, frenchNationalId, announcedNationalId, phone, spokenPhone]

/** characters that say what a number is of */
const maxBefore = 40

/** Takes personal data out of a text. Names are not recognised: they cannot be told from words without a model. */
export function redactPersonalData(text: string): Redaction {
  const types = new Set<PersonalDataType>()
  let redacted = text
  let plain = plainText(redacted)
  for (const { type, pattern, reach } of rules) {
    let made = ''
    let from = 0
    for (const match of plain.text.matchAll(pattern)) {
      const before = plain.text.slice(Math.max(0, match.index - maxBefore), match.index)
      const length = reach?.(match[0], before) ?? match[0].length
      if (length === 0) continue
      types.add(type)
      // what is kept is kept as it was written
      made += `${redacted.slice(from, plain.places[match.index])}[${type}]`
      from = plain.places[match.index + length] ?? redacted.length
    }
    if (from === 0) continue
    redacted = made + redacted.slice(from)
    plain = plainText(redacted)
  }
  return { text: redacted, types: [...types].sort() }
}
