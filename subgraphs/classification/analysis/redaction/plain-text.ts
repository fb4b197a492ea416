import { normalForm } from '../../../../foundation/text/normal-form.ts'

/** A normalised text and the position of each of its characters in the original; one more for the end. */
export interface PlainText {
  readonly text: string
  readonly places: readonly number[]
}

const isDigit = (code: number): boolean => /\p{Nd}/u.test(String.fromCodePoint(code))

/** Digits of every script are encoded in runs of ten (Unicode 4.6). */
function digitValue(code: number): string {
  let zero = code
  while (code - zero < 9 && isDigit(zero - 1)) zero -= 1
  return String(code - zero)
}

/** character references (HTML 13.5) and percent-encodings (RFC 3986, 2.1) of characters that occur in personal data */
const reference = /&(?:#(\d{2,6})|#x([\da-f]{2,5})|(commat|period|lowbar|hyphen|nbsp));|%(2[0BDE]|40)|[\s\S]/giu
const lastCodePoint = 0x10ffff
const namedSigns: Readonly<Record<string, string>> = { commat: '@', period: '.', lowbar: '_', hyphen: '-', nbsp: ' ' }

/** Yields code points, or what a character reference represents. */
function* signsOf(text: string): Iterable<{ readonly written: string; readonly meant: string }> {
  for (const [written, decimal, hexadecimal, named, escaped] of text.matchAll(reference)) {
    const code = decimal === undefined ? Number.parseInt(hexadecimal ?? escaped ?? '', 16) : Number(decimal)
    const sign = named === undefined ? code <= lastCodePoint && String.fromCodePoint(code) : namedSigns[named.toLowerCase()]
    yield { written, meant: sign || written }
  }
}

/** digits and letters in negative circles, squares and flags, which have no compatibility form: first and last code point, first sign */
const drawnDigits = [
  [0x2776, 0x277f, 1],
  [0x2780, 0x2789, 1],
  [0x278a, 0x2793, 1],
  [0x24f5, 0x24fe, 1],
  [0x24ff, 0x24ff, 0],
  [0x1f10b, 0x1f10c, 0],
  [0x1f51f, 0x1f51f, 10],
] as const
const drawnLetters = [
  [0x1f150, 0x1f169],
  [0x1f170, 0x1f189],
  [0x1f1e6, 0x1f1ff],
] as const

function drawnSign(code: number): string | undefined {
  const digit = drawnDigits.find(([first, last]) => code >= first && code <= last)
  if (digit !== undefined) return String(digit[2] === 0 ? 0 : digit[2] + code - digit[0])
  const letter = drawnLetters.find(([first, last]) => code >= first && code <= last)
  return letter && String.fromCharCode(0x41 + code - letter[0])
}

/** longer compatibility forms are words of one sign (`ﷺ` has 18 characters), never part of personal data; they would multiply the text */
const maxFormLength = 3

function plainCharacter(character: string): string {
  if (/[\p{Cf}\p{Me}\p{Default_Ignorable_Code_Point}]/u.test(character)) return ''
  if (/[\p{Zs}\t]/u.test(character)) return ' '
  if (/[\p{Zl}\p{Zp}]/u.test(character)) return '\n'
  if (/\p{Pd}|[−⁃]/u.test(character)) return '-'
  if (/[•‧∙⋅・●◦▪]/u.test(character)) return '·'
  if (/[。｡۔٫]/u.test(character)) return '.'
  if (/[⁄∕]/u.test(character)) return '/'
  // full-width, bold or circled forms
  const usual = drawnSign(character.codePointAt(0) ?? 0) ?? normalForm(character, 'NFKC')
  const code = usual.codePointAt(0)
  if (code !== undefined && code > 0x7f && /^\p{Nd}$/u.test(usual)) return digitValue(code)
  return usual.length > maxFormLength ? character : usual
}

/** Returns whether a combining mark decorates a digit or a sign of an address; over a letter it may change the meaning. */
const isDecoration = (character: string, before: string): boolean => /[\d@.+-]$/.test(before) && /\p{Mn}/u.test(character)

/**
 * Maps look-alikes to one form: digits of any script, keycap or circled digits, letters of any width, any space or dash; drops invisible
 * characters. At most three times as long as the text.
 */
export function plainText(text: string): PlainText {
  let plain = ''
  const places: number[] = []
  let at = 0
  const add = (character: string, length: number): void => {
    const replacement = character >= '!' && character <= '~' ? character : plainCharacter(character)
    if (replacement !== '' && !(replacement === ' ' && plain.endsWith(' ')) && !isDecoration(replacement, plain.slice(-1))) {
      plain += replacement
      for (let unit = 0; unit < replacement.length; unit += 1) places.push(at)
    }
    at += length
  }
  // most texts contain neither
  if (/[&%]/.test(text)) for (const { written, meant } of signsOf(text)) add(meant, written.length)
  else for (const character of text) add(character, character.length)
  return { text: plain, places: [...places, at] }
}
