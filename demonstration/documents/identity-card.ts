import { field, machineReadableZone, type PrintStyle, photo, printedDate, renderDocument, title } from './drawn-document.ts'
import type { Holder } from './holder.ts'
import { linesFrench, linesTd1, linesTd2 } from './machine-readable-lines.ts'

export interface CardOptions extends PrintStyle {
  /** `french`: 2 x 36 on the front (cards until 2021); `td1`: 3 x 30 on the back; `td2`: 2 x 36 on the front; `plain`: no machine-readable zone */
  readonly layout?: 'french' | 'td1' | 'td2' | 'plain'
  readonly kind?: 'identity' | 'residence'
  /** Replaces the machine-readable lines: a forged or damaged zone */
  readonly lines?: readonly string[]
  /** Seed of the person in the photograph if it is not the holder: an exchanged picture */
  readonly faceSeed?: number
}

export interface DrawnCard {
  /** PNG */
  readonly front: Buffer
  readonly back: Buffer
}

/** ID-1 and ID-2 in millimetres (ISO/IEC 7810). */
const [id1, id2] = [
  { width: 85.6, height: 54 },
  { width: 105, height: 74 },
] as const
const sizes = { td1: id1, plain: id1, french: id2, td2: id2 } as const
const colours = { paper: '#e6eef6', pattern: '#7aa0c8' } as const
const titles = { identity: "CARTE NATIONALE D'IDENTITÉ", residence: 'TITRE DE SÉJOUR' } as const

/** Draws both sides of an identity card or residence permit, with correct check digits unless other lines are given. */
export async function drawIdentityCard(holder: Holder, options: CardOptions = {}): Promise<DrawnCard> {
  const [front, back] = await Promise.all([drawFront(holder, options), drawBack(holder, options)])
  return { front, back }
}

function drawFront(holder: Holder, options: CardOptions): Promise<Buffer> {
  const { layout = 'td1', kind = 'identity' } = options
  const { width, height } = sizes[layout]
  const left = 31
  const parts = [
    title(titles[kind], { x: 3.5, y: 5, size: 2.4 }, options),
    photo(options.faceSeed ?? holder.seed, { x: 3.5, y: 9, width: 24, height: 30.5 }, options),
    field('N°', holder.documentNumber, { x: width - 27, y: 4.4 }, options, 2.6),
    field('NOM / Surname', holder.lastName.toUpperCase(), { x: left, y: 11 }, options),
    field('PRÉNOMS / Given names', holder.firstName, { x: left, y: 17.7 }, options),
    field('SEXE / Sex', holder.sex, { x: left, y: 24.4 }, options),
    field('NATIONALITÉ / Nationality', holder.nationality, { x: left + 12, y: 24.4 }, options),
    field('DATE DE NAISSANCE / Date of birth', printedDate(holder.dateOfBirth), { x: left, y: 31.1 }, options),
    field('LIEU DE NAISSANCE / Place of birth', holder.placeOfBirth, { x: left, y: 37.8 }, options),
  ]
  if (layout === 'french') parts.push(machineReadableZone(options.lines ?? linesFrench(holder), { width, height }, 6, options))
  else parts.push(field("DATE D'EXPIRATION / Expiry date", printedDate(holder.expires), { x: left, y: 44.5 }, options))
  if (layout === 'td2') {
    const lines = options.lines ?? linesTd2(holder, kind === 'residence' ? 'IR' : 'I<')
    parts.push(machineReadableZone(lines, { width, height }, 6, options))
  }
  return renderDocument({ width, height, ...colours, parts }, options)
}

function drawBack(holder: Holder, options: CardOptions): Promise<Buffer> {
  const { layout = 'td1', kind = 'identity' } = options
  const { width, height } = sizes[layout]
  const parts = [
    field('DATE DE DÉLIVRANCE / Date of issue', printedDate(holder.issued), { x: 5, y: 6 }, options),
    field("DATE D'EXPIRATION / Expiry date", printedDate(holder.expires), { x: 5, y: 13 }, options),
    field('AUTORITÉ / Authority', 'Préfecture', { x: 5, y: 20 }, options),
  ]
  if (layout === 'td1') {
    const lines = options.lines ?? linesTd1(holder, kind === 'residence' ? 'IR' : 'I<')
    parts.push(machineReadableZone(lines, { width, height }, 5, options))
  }
  return renderDocument({ width, height, ...colours, parts }, options)
}
