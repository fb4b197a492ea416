/** Kinds of personal data that are looked for. */
export type PersonalDataType = 'email' | 'iban' | 'national_id' | 'payment_card' | 'phone'

export interface Redaction {
  /** each piece of personal data replaced by `[its type]` */
  readonly text: string
  readonly types: readonly PersonalDataType[]
}

/** The last digits of an IBAN make the whole, moved and spelled as a number, 1 modulo 97 (ISO 13616). */
function isIban(candidate: string): boolean {
  const iban = candidate.replace(/[ .-]/g, '').toUpperCase()
  if (iban.length < 15 || iban.length > 34) return false
  const digits = (iban.slice(4) + iban.slice(0, 4)).replace(/[A-Z]/g, (letter) => String(letter.charCodeAt(0) - 55))
  let rest = 0
  for (const digit of digits) rest = (rest * 10 + Number(digit)) % 97
  return rest === 1
}

const digitsOf = (text: string): string => text.replace(/\D/g, '')

/** The check digit of payment cards (Luhn; ISO/IEC 7812-1). */
function isCard(candidate: string): boolean {
  const sum = [...digitsOf(candidate)].reverse().reduce((all, digit, index) => {
    const value = Number(digit) * (index % 2 === 1 ? 2 : 1)
    return all + (value > 9 ? value - 9 : value)
  }, 0)
  return sum % 10 === 0
}

/** What looks like a telephone number and is none: dates, also with a time; years; file numbers of a year; counts in thousands. */
const countsAndDates = [
  /^(?:19|20)\d{2}[-/.]\d{1,2}[-/.]\d{1,2}(?:\D|$)/,
  /^\d{1,2}[-/.]\d{1,2}[-/.]\d{4}$/,
  /^(?:19|20)\d{2}(?:[ /-](?:19|20)\d{2})+$/,
  /^(?:19|20)\d{2}[-/]\d{4}$/,
  /^\d{1,2}(?:[ .]\d{3}){2,}$/,
  /^\d{1,3}(?:[ .]\d{3})*[ .]000$/,
]

/** Digits with single separators. */
function isPhone(candidate: string): boolean {
  const digits = digitsOf(candidate)
  if (countsAndDates.some((shape) => shape.test(candidate.trim()))) return false
  const international = /^\s*(\+|00)/.test(candidate)
  return international ? digits.length >= 8 && digits.length <= 15 : digits.length >= 8 && digits.length <= 12
}

interface Rule {
  readonly type: PersonalDataType
  readonly pattern: RegExp
  readonly holds?: (candidate: string) => boolean
}

/** In this order: what an earlier rule took is not looked at again. */
const rules: readonly Rule[] = [
  { type: 'email', pattern: /[\p{L}\p{N}._%+-]{1,64}(?:@| ?[[(]at[\])] ?)[\p{L}\p{N}-]{1,63}(?:\.[\p{L}\p{N}-]{1,63}){1,8}/giu },
  { type: 'iban', pattern: /\b[A-Z]{2}\d{2}(?:[ .-]?[A-Z0-9]{2,4}){3,8}\b|\b[a-z]{2}\d{2}[a-z0-9]{11,30}\b/g, holds: isIban },
  { type: 'payment_card', pattern: /(?<![\p{L}\p{N}])[3-6]\d{3}(?:[ -]?\d{4}){2}[ -]?\d{3,4}(?![\p{L}\p{N}])/gu, holds: isCard },
  // France: sex, year, month, department, commune, order, key; others: a long number that is announced as one
  { type: 'national_id', pattern: /\b[12] ?\d{2} ?(?:0[1-9]|1[0-2]|[2-9]\d) ?(?:\d{2}|2[AB]) ?\d{3} ?\d{3}(?: ?\d{2})?\b/gi },
  {
    type: 'national_id',
    pattern:
      /(?<=\b(?:CNI|NIN|NNI|CIN|carte d[’']identité|identity card|national id|passport|passeport|بطاقة التعريف|جواز السفر)[^\n\d]{0,15})[A-Z]{0,2}\d[\d ]{5,18}\d\b/giu,
  },
  {
    type: 'phone',
    pattern:
      /(?<![\p{L}\p{N}.,])(?:\+|00)?\(?\d{1,4}\)?(?:[ .\-/]?\(?\d{2,4}\)?){2,6}(?![\p{L}\p{N}]|[ ]?(?:%|€|\$|F?CFA|francs?|euros?|dollars?))/giu,
    holds: isPhone,
  },
]

/** Eastern Arabic and Persian digits, so that numbers written with them are seen too; the length stays the same. */
const westernDigits = (text: string): string =>
  text.replace(/[٠-٩۰-۹]/g, (digit) => String((digit.charCodeAt(0) - (digit < '۰' ? 0x660 : 0x6f0)) % 10))

/** Takes personal data out of a text. Names are not recognised: they cannot be told from words without a model. */
export function redactPersonalData(text: string): Redaction {
  const types = new Set<PersonalDataType>()
  let redacted = text
  for (const { type, pattern, holds } of rules) {
    // looked for in a copy of equal length with western digits; what is kept is kept as it was written
    const plain = westernDigits(redacted)
    let made = ''
    let from = 0
    for (const match of plain.matchAll(pattern)) {
      if (holds !== undefined && !holds(match[0])) continue
      types.add(type)
      made += `${redacted.slice(from, match.index)}[${type}]`
      from = match.index + match[0].length
    }
    redacted = made + redacted.slice(from)
  }
  return { text: redacted, types: [...types].sort() }
}

/** What may be in a text: no control characters but line breaks and tabs, no lone surrogates, NFC, no space around. */
export function cleanText(text: string): string {
  return text
    .toWellFormed()
    .replace(/\r\n?/g, '\n')
    .replace(/[^\P{Cc}\n\t]/gu, '')
    .normalize('NFC')
    .trim()
}
