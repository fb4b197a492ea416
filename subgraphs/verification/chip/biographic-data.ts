import { type MrzFormatName, mrzFormat } from '../../../engines/document-reader/mrz/formats.ts'
import { type MachineReadableZone, parseMrz } from '../document/machine-readable-zone.ts'
import { contentOf, firstTag, Unreadable } from './pki/asn1.ts'

const dataGroup1 = 0x61
const zone = 0x5f1f
/** by number of characters of the zone without line ends (ICAO Doc 9303-10, 4.7.1) */
const formats: Readonly<Record<number, MrzFormatName>> = { 88: 'TD3', 90: 'TD1', 72: 'TD2' }

/** Reads the machine-readable zone of the chip. @param now - decides the century of two-digit years  @throws {Unreadable} */
export function readBiographicData(file: Uint8Array, now: number): MachineReadableZone {
  const text = Buffer.from(contentOf(contentOf(firstTag(file).bytes, dataGroup1), zone)).toString('latin1')
  const format = formats[text.length]
  if (format === undefined || !/^[A-Z0-9<]+$/.test(text)) throw new Unreadable('the machine-readable zone is invalid')
  const { width } = mrzFormat(format)
  const lines = Array.from({ length: text.length / width }, (_, line) => text.slice(line * width, (line + 1) * width))
  return parseMrz(format, lines, now)
}
