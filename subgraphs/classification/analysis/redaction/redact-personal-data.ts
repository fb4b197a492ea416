import { email, spokenEmail } from './email.ts'
import { iban } from './iban.ts'
import { announcedNationalId, frenchNationalId } from './national-id.ts'
import { paymentCard } from './payment-card.ts'
import { phone } from './phone.ts'
import { plainText } from './plain-text.ts'
import type { PersonalDataType, Rule } from './rule.ts'
import { spokenPhone } from './spoken-phone.ts'

export interface Redaction {
  /** with each piece of personal data replaced by `[its type]` */
  readonly text: string
  readonly types: readonly PersonalDataType[]
}

/** in order: text that an earlier rule redacted is not searched again */
const rules: readonly Rule[] = [spokenEmail, email, iban, paymentCard, frenchNationalId, announcedNationalId, phone, spokenPhone]

/** Removes personal data from a text. Names are not recognised: without a model they cannot be distinguished from words. */
export function redactPersonalData(text: string): Redaction {
  const types = new Set<PersonalDataType>()
  let redacted = text
  let plain = plainText(redacted)
  for (const { type, find } of rules) {
    let output = ''
    let copied = 0
    for (const { from, to } of find(plain.text)) {
      types.add(type)
      // the remaining text keeps its original form
      output += `${redacted.slice(copied, plain.places[from])}[${type}]`
      copied = plain.places[to] ?? redacted.length
    }
    if (copied === 0) continue
    redacted = output + redacted.slice(copied)
    plain = plainText(redacted)
  }
  return { text: redacted, types: [...types].sort() }
}
