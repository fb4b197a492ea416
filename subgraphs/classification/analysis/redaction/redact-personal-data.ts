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

/** Takes personal data out of a text. Names are not recognised: they cannot be told from words without a model. */
export function redactPersonalData(text: string): Redaction {
  const types = new Set<PersonalDataType>()
  let redacted = text
  let plain = plainText(redacted)
  for (const { type, find } of rules) {
    let made = ''
    let kept = 0
    for (const { from, to } of find(plain.text)) {
      types.add(type)
      // what is kept is kept as it was written
      made += `${redacted.slice(kept, plain.places[from])}[${type}]`
      kept = plain.places[to] ?? redacted.length
    }
    if (kept === 0) continue
    redacted = made + redacted.slice(kept)
    plain = plainText(redacted)
  }
  return { text: redacted, types: [...types].sort() }
}
