/** A text as it is searched, and where each of its characters stands in what was written; one more for the end. */
export interface PlainText {
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

/** signs as pages (HTML 13.5) and addresses (RFC 3986, 2.1) of the web spell them, where personal data has them */
const reference = /&(?:#(\d{2,6})|#x([\da-f]{2,5})|(commat|period|lowbar|hyphen|nbsp));|%(2[0BDE]|40)|[\s\S]/giu
const lastCodePoint = 0x10ffff
const namedSigns: Readonly<Record<string, string>> = { commat: '@', period: '.', lowbar: '_', hyphen: '-', nbsp: ' ' }

/** Signs as a reader sees them: a code point, or what a character reference stands for. */
function* signsOf(text: string): Iterable<{ readonly written: string; readonly meant: string }> {
  for (const [written, decimal, hexadecimal, named, escaped] of text.matchAll(reference)) {
    const code = decimal === undefined ? Number.parseInt(hexadecimal ?? escaped ?? '', 16) : Number(decimal)
    const sign = named === undefined ? code <= lastCodePoint && String.fromCodePoint(code) : namedSigns[named.toLowerCase()]
    yield { written, meant: sign || written }
  }
}

/** Digits and letters in negative circles, squares and flags, which have no compatibility form: first and last code point, first sign. */
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

/** Longer compatibility forms are words of one sign (`ﷺ` is 18 characters), never part of personal data; they would multiply the text. */
const longestForm = 3

function plainCharacter(character: string): string {
  if (/[\p{Cf}\p{Me}\p{Default_Ignorable_Code_Point}]/u.test(character)) return ''
  if (/[\p{Zs}\t]/u.test(character)) return ' '
  if (/[\p{Zl}\p{Zp}]/u.test(character)) return '\n'
  if (/\p{Pd}|[−⁃]/u.test(character)) return '-'
  if (/[•‧∙⋅・●◦▪]/u.test(character)) return '·'
  if (/[。｡۔٫]/u.test(character)) return '.'
  if (/[⁄∕]/u.test(character)) return '/'
  // of full width, in bold, in circles
  const usual = drawnSign(character.codePointAt(0) ?? 0) ?? character.normalize('NFKC')
  const code = usual.codePointAt(0)
  if (code !== undefined && code > 0x7f && /^\p{Nd}$/u.test(usual)) return digitValue(code)
  return usual.length > longestForm ? character : usual
}

/** A mark over a sign of a number or an address does not change it for a reader; over a letter it may. */
const isDecoration = (character: string, before: string): boolean => /[\d@.+-]$/.test(before) && /\p{Mn}/u.test(character)

/**
 * What a reader takes for the same is made the same: digits of any script, on keys or in circles, letters of any width, any space or dash; what
 * cannot be seen is left out. At most three times as long as the text.
 */
export function plainText(text: string): PlainText {
  let plain = ''
  const places: number[] = []
  let at = 0
  const add = (character: string, length: number): void => {
    const made = character >= '!' && character <= '~' ? character : plainCharacter(character)
    if (made !== '' && !(made === ' ' && plain.endsWith(' ')) && !isDecoration(made, plain.slice(-1))) {
      plain += made
      for (let unit = 0; unit < made.length; unit += 1) places.push(at)
    }
    at += length
  }
  // most texts have neither
  if (/[&%]/.test(text)) for (const { written, meant } of signsOf(text)) add(meant, written.length)
  else for (const character of text) add(character, character.length)
  return { text: plain, places: [...places, at] }
}
