import { z } from 'zod'
import type { Barcode } from '../../../engines/document-reader/document-reader.ts'
import type { MrzFormatName } from '../../../engines/document-reader/mrz/formats.ts'
import { readData } from '../../../foundation/files/data-file.ts'
import { type BarcodeContent, dateOfDigits, nameOf, present, type Seal } from './barcode-content.ts'
import { type MachineReadableZone, parseMrz } from './machine-readable-zone.ts'

const [group, record, unit] = ['\x1d', '\x1e', '\x1f']

/** lengths of fixed-length fields; every other field ends at a separator */
const { fixed } = readData(
  'subgraphs/verification/document/data/two-d-doc-fields.json',
  z.strictObject({
    source: z.url(),
    fixed: z.record(z.string().regex(/^[0-9A-Z]{2}$/, 'must be two digits or letters'), z.int().positive()),
  }),
)

/** Marker, version, authority, certificate, dates of document and signature, kind; from version 3 the scope, from 4 the country. */
const header = /^DC(0[1-4])([A-Z0-9]{4})([A-Z0-9]{4})[0-9A-F]{4}[0-9A-F]{4}[0-9A-Z]{2}/
const lengthOfHeader: Readonly<Record<string, number>> = { '01': 22, '02': 22, '03': 24, '04': 26 }

/**
 * Reads the visible electronic seal of French documents.
 * @returns undefined for another format  @param now - decides the century of two-digit years in a zone
 * @see ANTS, Spécifications techniques des Codes à Barres 2D-Doc, version 3.1.3
 */
export function read2dDoc({ text, bytes }: Pick<Barcode, 'text' | 'bytes'>, now: number): BarcodeContent | undefined {
  const [, version = '', authority = '', certificate = ''] = header.exec(text) ?? []
  const from = lengthOfHeader[version]
  if (from === undefined) return undefined
  const end = text.indexOf(unit)
  const fields = fieldsOf(text.slice(from, end < 0 ? undefined : end))
  const zone = zoneOf(fields.get('6F'), now)
  return {
    standard: '2d_doc',
    ...present({
      surname: zone?.surname ?? nameOf(fields.get('62') ?? fields.get('6G')),
      givenNames: zone?.givenNames ?? nameOf((fields.get('60') ?? fields.get('61'))?.replace(/\//g, ' ')),
      birth: zone?.birth ?? dateOfDigits(fields.get('69'), 'DDMMYYYY'),
      expiry: zone?.expiry ?? dateOfDigits(fields.get('6O'), 'DDMMYYYY'),
      number: zone?.number ?? fields.get('66'),
      seal: end < 0 ? undefined : sealOf(`${authority}${certificate}`, bytes),
    }),
  }
}

/** Splits fields: a two-character name, then the value; a separator ends values without a fixed length. */
function fieldsOf(message: string): ReadonlyMap<string, string> {
  const fields = new Map<string, string>()
  let at = 0
  while (at + 2 <= message.length) {
    const id = message.slice(at, at + 2)
    const length = fixed[id]
    const end = length === undefined ? endOfValue(message, at) : Math.min(at + 2 + length, message.length)
    // the rest of a truncated value is on the document
    if (message.charAt(end) !== record) fields.set(id, message.slice(at + 2, end).trim())
    at = message.charAt(end) === group || message.charAt(end) === record ? end + 1 : end
  }
  return fields
}

function endOfValue(message: string, from: number): number {
  const ends = [group, record].map((separator) => message.indexOf(separator, from)).filter((end) => end >= 0)
  return Math.min(message.length, ...ends)
}

const formats: Readonly<Record<number, readonly [MrzFormatName, width: number]>> = { 88: ['TD3', 44], 72: ['TD2', 36], 90: ['TD1', 30] }

/** Reads a machine-readable zone, with blanks instead of fillers. */
function zoneOf(text: string | undefined, now: number): MachineReadableZone | undefined {
  if (text === undefined) return undefined
  const filled = text.replace(/ /g, '<')
  const [format, width] = (filled.startsWith('IDFRA') && filled.length === 72 ? (['FRA_CNI', 36] as const) : formats[filled.length]) ?? []
  if (format === undefined || width === undefined) return undefined
  const lines = Array.from({ length: filled.length / width }, (_, line) => filled.slice(line * width, (line + 1) * width))
  const zone = parseMrz(format, lines, now)
  return zone.checks.every(({ holds }) => holds) ? zone : undefined
}

/**
 * Reads the signature (RFC 4648 without padding); an unsigned annex may follow it.
 * @param bytes - of the whole barcode: the signature covers bytes, not text, whose encoding varies
 */
function sealOf(certificate: string, bytes: Uint8Array): Seal | undefined {
  const end = bytes.indexOf(unit.charCodeAt(0))
  const written = /^[A-Z2-7]+/.exec(Buffer.from(bytes.subarray(end + 1)).toString('latin1'))?.[0]
  return written === undefined ? undefined : { certificate, signed: Buffer.from(bytes.subarray(0, end)), signature: fromBase32(written) }
}

function fromBase32(text: string): Buffer {
  const bits = [...text].map((letter) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(letter).toString(2).padStart(5, '0')).join('')
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)))
}
