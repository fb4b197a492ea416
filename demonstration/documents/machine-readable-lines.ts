import type { Holder } from './holder.ts'

/**
 * Machine-readable lines as issuers print them.
 * @see ICAO Doc 9303 parts 3 (check digits, transliteration), 4 (TD3), 5 (TD1), 6 (TD2)
 */

/** Letters whose transliteration is not the letter without its diacritics (ICAO 9303-3, table 6.A). */
const special: Readonly<Record<string, string>> = {
  Å: 'AA',
  Ä: 'AE',
  Æ: 'AE',
  Ö: 'OE',
  Ø: 'OE',
  Œ: 'OE',
  Ü: 'UE',
  ß: 'SS',
  Þ: 'TH',
  Ð: 'D',
  Ł: 'L',
}

/** Transliterates a name to A-Z and fillers: removes apostrophes; hyphens and spaces become fillers. */
export function transliterate(name: string): string {
  return [...name.normalize('NFC')]
    .map((letter) => special[letter] ?? special[letter.toUpperCase()] ?? letter)
    .join('')
    .normalize('NFD')
    .replace(/[\u0300-\u036f'’]/g, '')
    .toUpperCase()
    .replace(/[^A-Z0-9]+/g, '<')
    .replace(/^<+|<+$/g, '')
}

/** Computes a check digit: weights 7-3-1, A as 10 to Z as 35, filler as 0; modulo 10. */
export function checkDigit(text: string): string {
  const weigh = (character: string): number => (character === '<' ? 0 : Number.parseInt(character, 36))
  return String([...text].reduce((sum, character, i) => sum + weigh(character) * ([7, 3, 1][i % 3] ?? 0), 0) % 10)
}

const fill = (text: string, length: number): string => text.slice(0, length).padEnd(length, '<')
const checked = (text: string): string => text + checkDigit(text)
const shortDate = (date: string): string => date.slice(2).replaceAll('-', '')
const plainNumber = (holder: Holder): string => holder.documentNumber.toUpperCase().replace(/[^A-Z0-9]/g, '')
const names = (holder: Holder): string => `${transliterate(holder.lastName)}<<${transliterate(holder.firstName)}`

/** Three lines of 30 on the back of a card. A number over nine characters continues in the optional data, followed by its check digit. */
export function linesTd1(holder: Holder, code = 'I<'): readonly string[] {
  const number = plainNumber(holder)
  const long = number.length > 9
  const optional = long ? `${number.slice(9)}${checkDigit(number)}` : ''
  const first = fill(`${code}${fill(holder.issuingCountry, 3)}${fill(number, 9)}${long ? '<' : checkDigit(fill(number, 9))}${optional}`, 30)
  const dates = `${checked(shortDate(holder.dateOfBirth))}${holder.sex}${checked(shortDate(holder.expires))}`
  const second = fill(`${dates}${fill(holder.nationality, 3)}`, 29)
  const composite = first.slice(5) + second.slice(0, 7) + second.slice(8, 15) + second.slice(18, 29)
  return [first, second + checkDigit(composite), fill(names(holder), 30)]
}

/** Two lines of 44 in a passport. */
export function linesTd3(holder: Holder): readonly string[] {
  const number = checked(fill(plainNumber(holder), 9))
  const dates = `${checked(shortDate(holder.dateOfBirth))}${holder.sex}${checked(shortDate(holder.expires))}`
  const second = `${number}${fill(holder.nationality, 3)}${dates}${checked('<'.repeat(14))}`
  const composite = second.slice(0, 10) + second.slice(13, 20) + second.slice(21, 43)
  return [fill(`P<${fill(holder.issuingCountry, 3)}${names(holder)}`, 44), second + checkDigit(composite)]
}

/** Two lines of 36 on an ID-2 card. */
export function linesTd2(holder: Holder, code = 'I<'): readonly string[] {
  const second = `${checked(fill(plainNumber(holder), 9))}${fill(holder.nationality, 3)}${checked(shortDate(holder.dateOfBirth))}${holder.sex}${checked(shortDate(holder.expires))}${'<'.repeat(7)}`
  const composite = second.slice(0, 10) + second.slice(13, 20) + second.slice(21, 35)
  return [fill(`${code}${fill(holder.issuingCountry, 3)}${names(holder)}`, 36), second + checkDigit(composite)]
}

/**
 * Two lines of 36 on the front of French cards issued from 1994 to 2021: surname truncated to 25 characters, given names (separated by two fillers)
 * to 14, a number of twelve characters, no date of expiry.
 */
export function linesFrench(holder: Holder): readonly string[] {
  const first = `IDFRA${fill(transliterate(holder.lastName), 25)}75C001`
  const givenNames = fill(transliterate(holder.firstName).replaceAll('<', '<<'), 14)
  const second = `${checked(fill(plainNumber(holder), 12))}${givenNames}${checked(shortDate(holder.dateOfBirth))}${holder.sex}`
  return [first, second + checkDigit(first + second)]
}
