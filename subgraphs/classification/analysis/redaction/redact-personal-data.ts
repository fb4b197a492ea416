import { isSpokenPhone, spokenEmail, spokenPhone } from './spoken-data.ts'

/** Kinds of personal data that are looked for. */
export type PersonalDataType = 'email' | 'iban' | 'national_id' | 'payment_card' | 'phone'

export interface Redaction {
  /** each piece of personal data replaced by `[its type]` */
  readonly text: string
  readonly types: readonly PersonalDataType[]
}

/** The last digits of an IBAN make the whole, moved and spelled as a number, 1 modulo 97 (ISO 13616). */
function isIban(candidate: string): boolean {
  const iban = candidate.replace(/[^A-Z0-9]/gi, '').toUpperCase()
  if (iban.length < 15 || iban.length > 34 || digitsOf(iban).length < 10) return false
  const digits = (iban.slice(4) + iban.slice(0, 4)).replace(/[A-Z]/g, (letter) => String(letter.charCodeAt(0) - 55))
  let rest = 0
  for (const digit of digits) rest = (rest * 10 + Number(digit)) % 97
  return rest === 1
}

/** An IBAN may be followed by words that look as if they were part of it: as much from the beginning as is one. */
function ibanAtStart(candidate: string): number {
  const ends = [...candidate.matchAll(/[A-Z0-9](?![A-Z0-9])/gi)].map(({ index }) => index + 1)
  return ends.findLast((end) => isIban(candidate.slice(0, end))) ?? 0
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

/** Books, periodicals and laws: what stands before numbers of theirs. */
const publication = /(?<!\p{L})(?:ISBN|ISSN|EAN)(?:-1[03])?[\s:#n°º.-]{0,4}[\d -]{0,8}$|(?<!\d)97[89][ -](?:\d[ -]?)?$/iu
const law =
  /(?<!\p{L})(?:articles?|art\.?|alinéas?|paragraphs?|paragraphes?|sections?|lois?|laws?|décrets?|decrees?|arrêtés?|المادة|القانون|المرسوم)[ :]{0,2}(?:n[°º.o]{0,2}|no\.?|num[ée]ro|number|رقم)?[ :]{0,2}$/iu

/** Digits with single separators. @param before - what stands before them */
function isPhone(candidate: string, before: string): boolean {
  const digits = digitsOf(candidate)
  if (publication.test(before)) return false
  // such as 06 12 34 56 78, whatever is said before
  const isPlain = /^(?:\+|00|0[1-9](?:[ .-]?\d\d){4}$)/.test(candidate.trim())
  if (!isPlain && law.test(before)) return false
  if (countsAndDates.some((shape) => shape.test(candidate.trim()))) return false
  const international = /^\s*(\+|00)/.test(candidate)
  return international ? digits.length >= 8 && digits.length <= 15 : digits.length >= 8 && digits.length <= 12
}

interface Rule {
  readonly type: PersonalDataType
  readonly pattern: RegExp
  /** how many characters of what was matched are meant, with what stands shortly before it; absent: all */
  readonly reach?: (candidate: string, before: string) => number
}

const wholeWhen =
  (holds: (candidate: string, before: string) => boolean) =>
  (candidate: string, before: string): number =>
    holds(candidate, before) ? candidate.length : 0

/** characters that say what a number is of */
const maxBefore = 40

/** In this order: what an earlier rule took is not looked at again. */
const rules: readonly Rule[] = [
  { type: 'email', pattern: spokenEmail },
  {
    type: 'email',
    pattern:
      /[\p{L}\p{N}._%+-]{1,64}(?: ?@ ?| ?[[({](?:at|arobase|a)[\])}] ?| arobase )[\p{L}\p{N}-]{1,63}(?:(?:\.| ?[[({](?:dot|point)[\])}] ?)[\p{L}\p{N}-]{1,63}){1,8}/giu,
  },
  { type: 'iban', pattern: /(?:(?<![A-Z0-9])|(?<=IBAN))[A-Z]{2}\d{2}(?:[ ./-]?[A-Z0-9]){11,30}(?![A-Z0-9])/gi, reach: ibanAtStart },
  {
    type: 'payment_card',
    pattern: /(?<![\p{L}\p{N}])(?:[3-6]\d{3}(?:[ .-]?\d{4}){2}[ .-]?\d{3,4}|3[47]\d{2}[ .-]?\d{6}[ .-]?\d{5})(?![\p{L}\p{N}])/gu,
    reach: wholeWhen(isCard),
  },
  // France: sex, year, month, department, commune, order, key; others: a long number that is announced as one
  {
    type: 'national_id',
    pattern: /\b[12][ .-]?\d{2}[ .-]?(?:0[1-9]|1[0-2]|[2-9]\d)[ .-]?(?:\d{2}|2[AB])[ .-]?\d{3}[ .-]?\d{3}(?:[ .-]?\d{2})?\b/gi,
  },
  {
    type: 'national_id',
    pattern:
      /(?<=(?<!\p{L})(?:CNI|NIN|NNI|CIN|NIR|SSN|carte d[’']identité|identity card|national id|national insurance|NI number|social security|sécurité sociale|passport|passeport|بطاقة التعريف|البطاقة الوطنية|بطاقة الهوية|رقم الهوية|جواز السفر)(?!\p{L})[^\n\d]{0,15}?)(?<![A-Z0-9])(?:[A-Z]{1,3}[ -]?)?\d(?:[ -]?[A-Z]{0,2}[ -]?\d){4,18}(?: ?[A-Z])?(?![\p{L}\p{N}])/giu,
  },
  {
    type: 'phone',
    pattern: new RegExp(
      `(?:(?<![\\p{L}\\p{N}]|\\d[.,:])|(?<=(?<!\\p{L})(?:t[ée]l|t[ée]l[ée]phone|phone|mobile|whatsapp)))(?:${[
        '(?:\\+|00)?\\(?\\d{1,4}\\)?(?:[ .\\-/]?\\(?\\d{2,4}\\)?){2,6}',
        // digit by digit, or with other marks between
        '0[ ._/·-]?[1-9](?:[ ._/·-]?\\d){8}',
        '\\+(?:[ ._/·-]?\\d){8,15}',
      ].join('|')})(?![\\p{L}\\p{N}]|[ ]?(?:%|€|\\$|F?CFA|francs?|euros?|dollars?))`,
      'giu',
    ),
    reach: wholeWhen(isPhone),
  },
  { type: 'phone', pattern: spokenPhone, reach: wholeWhen(isSpokenPhone) },
]

/** A text as it is searched, and where each of its characters stands in what was written; one more for the end. */
interface PlainText {
  readonly text: string
  readonly places: readonly number[]
}

const isDigit = (code: number): boolean => /\p{Nd}/u.test(String.fromCodePoint(code))

/** Digits of every script stand in rows of ten (Unicode 4.6). */
function digitValue(code: number): string {
  let zero = code
  while (code - zero < 9 && isDigit(zero - 1)) zero -= 1
  return String(code - zero)
}

/** signs as pages of the web spell them (HTML 13.5), where personal data has them */
const reference = /&(?:#(\d{2,6})|#x([\da-f]{2,5})|(commat|period|lowbar|hyphen|nbsp));|[\s\S]/giu
const lastCodePoint = 0x10ffff
const namedSigns: Readonly<Record<string, string>> = { commat: '@', period: '.', lowbar: '_', hyphen: '-', nbsp: ' ' }

/** Signs as a reader sees them: a code point, or what a character reference stands for. */
function* signsOf(text: string): Iterable<{ readonly written: string; readonly meant: string }> {
  for (const [written, decimal, hexadecimal, named] of text.matchAll(reference)) {
    const code = decimal === undefined ? Number.parseInt(hexadecimal ?? '', 16) : Number(decimal)
    const sign = named === undefined ? code <= lastCodePoint && String.fromCodePoint(code) : namedSigns[named.toLowerCase()]
    yield { written, meant: sign || written }
  }
}

function plainCharacter(character: string): string {
  if (/\p{Cf}/u.test(character)) return ''
  if (/[\p{Zs}\t]/u.test(character)) return ' '
  if (/\p{Pd}|−/u.test(character)) return '-'
  // of full width, in bold, in circles
  const usual = character.normalize('NFKC')
  const code = usual.codePointAt(0)
  return code !== undefined && code > 0x7f && /^\p{Nd}$/u.test(usual) ? digitValue(code) : usual
}

/**
 * What a reader takes for the same is made the same: digits of any script, letters of any width, any space or dash; what cannot be seen
 * is left out.
 */
function plainText(text: string): PlainText {
  let plain = ''
  const places: number[] = []
  let at = 0
  const add = (character: string, length: number): void => {
    const made = character >= '!' && character <= '~' ? character : plainCharacter(character)
    if (made !== '' && !(made === ' ' && plain.endsWith(' '))) {
      plain += made
      for (let unit = 0; unit < made.length; unit += 1) places.push(at)
    }
    at += length
  }
  // most texts have no character references
  if (text.includes('&')) for (const { written, meant } of signsOf(text)) add(meant, written.length)
  else for (const character of text) add(character, character.length)
  return { text: plain, places: [...places, at] }
}

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

/** What may be in a text: no control characters but line breaks and tabs, no lone surrogates, NFC, no space around. */
export function cleanText(text: string): string {
  return text
    .toWellFormed()
    .replace(/\r\n?/g, '\n')
    .replace(/[^\P{Cc}\n\t]/gu, '')
    .normalize('NFC')
    .trim()
}
