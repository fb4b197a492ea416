import { field, machineReadableZone, type PrintStyle, photo, printedDate, renderDocument, title } from './drawn-document.ts'
import type { Holder } from './holder.ts'
import { linesTd3 } from './machine-readable-lines.ts'

export interface PassportOptions extends PrintStyle {
  /** Replaces the machine-readable lines: a forged or damaged zone */
  readonly lines?: readonly string[]
  /** Seed of the person in the photograph if it is not the holder: an exchanged picture */
  readonly faceSeed?: number
}

/** Data page, ID-3 in millimetres (ISO/IEC 7810). */
const size = { width: 125, height: 88 } as const

/** Draws the data page of a passport, with correct check digits unless other lines are given. @returns PNG */
export function drawPassport(holder: Holder, options: PassportOptions = {}): Promise<Buffer> {
  const left = 42
  const parts = [
    title('PASSEPORT / PASSPORT', { x: 5, y: 6.5, size: 2.8 }, options),
    photo(options.faceSeed ?? holder.seed, { x: 5, y: 14, width: 32, height: 41 }, options),
    field('TYPE / Type', 'P', { x: left, y: 11 }, options),
    field('CODE DU PAYS / Country code', holder.issuingCountry, { x: left + 14, y: 11 }, options),
    field('PASSEPORT N° / Passport No.', holder.documentNumber, { x: left + 48, y: 11 }, options),
    field('NOM / Surname', holder.lastName.toUpperCase(), { x: left, y: 18 }, options),
    field('PRÉNOMS / Given names', holder.firstName, { x: left, y: 25 }, options),
    field('NATIONALITÉ / Nationality', holder.nationality, { x: left, y: 32 }, options),
    field('DATE DE NAISSANCE / Date of birth', printedDate(holder.dateOfBirth), { x: left, y: 39 }, options),
    field('SEXE / Sex', holder.sex, { x: left, y: 46 }, options),
    field('LIEU DE NAISSANCE / Place of birth', holder.placeOfBirth, { x: left + 14, y: 46 }, options),
    field('DATE DE DÉLIVRANCE / Date of issue', printedDate(holder.issued), { x: left, y: 53 }, options),
    field("DATE D'EXPIRATION / Date of expiry", printedDate(holder.expires), { x: left, y: 60 }, options),
    machineReadableZone(options.lines ?? linesTd3(holder), size, 7.5, options),
  ]
  return renderDocument({ ...size, paper: '#f2efe6', pattern: '#b99a7a', parts }, options)
}
