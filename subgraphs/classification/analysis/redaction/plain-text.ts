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
export function plainText(text: string): PlainText {
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
