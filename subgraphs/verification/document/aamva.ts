import { type BarcodeContent, dateOfDigits, nameOf, present } from './barcode-content.ts'

/** separators of elements, records and segments */
const separators = '\n\x1e\r'
/** issuer's number and version of the standard */
const opening = /^(?:ANSI |AAMVA)\d{8}/
const element = /^(D[A-Z]{2})(.*)$/

/**
 * Reads licences and identity cards of the states of the USA and Canada.
 * @returns undefined for another format
 * @see AAMVA DL/ID Card Design Standard, annex D: D.12.2 header, D.12.5 elements
 */
export function readAamva(text: string): BarcodeContent | undefined {
  if (!text.startsWith(`@${separators}`) || !opening.test(text.slice(1 + separators.length))) return undefined
  const elements = new Map<string, string>()
  // the first element follows the subfile designators and the name of its own subfile
  const first = text.search(/(?<=(?:DL|ID)\d{8}(?:[A-Z]{2}\d{8}){0,15}(?:DL|ID))D[A-Z]{2}/)
  for (const line of (first < 0 ? '' : text.slice(first)).split('\n')) {
    const [, id, value] = element.exec(line) ?? []
    if (id !== undefined && value !== undefined) elements.set(id, value.trim())
  }
  // Canada writes the year first, the USA last
  const order = elements.get('DCG') === 'CAN' ? 'YYYYMMDD' : 'MMDDYYYY'
  const unknown = /^(?:NONE|unavl)?$/
  const name = (...ids: readonly string[]): string | undefined => {
    const parts = ids.map((id) => elements.get(id) ?? '').filter((part) => !unknown.test(part))
    return nameOf(parts.join(' ').replace(/,/g, ' '))
  }
  return {
    standard: 'aamva',
    ...present({
      surname: name('DCS'),
      givenNames: name('DCT') ?? name('DAC', 'DAD'),
      birth: dateOfDigits(elements.get('DBB'), order),
      expiry: dateOfDigits(elements.get('DBA'), order),
      number: elements.get('DAQ'),
    }),
  }
}
