import { photo, renderDocument } from '../../../demonstration/documents/drawn-document.ts'
import { escapeXml } from '../../../demonstration/drawing/drawing.ts'

/** The text of a card in Arabic only; dates and numbers in European digits, as in the Maghreb. */
export interface ArabicCard {
  readonly country: string
  readonly title: string
  readonly surname: string
  readonly givenNames: string
  /** as printed */
  readonly birth: string
  readonly sex: 'ذكر' | 'أنثى'
  readonly nationality: string
  readonly number: string
  readonly expires: string
  /** Seed of the face. */
  readonly seed: number
}

export const mauritanian: ArabicCard = {
  country: 'الجمهورية الإسلامية الموريتانية',
  title: 'بطاقة التعريف الوطنية',
  surname: 'ولد أحمد',
  givenNames: 'محمد الأمين',
  birth: '03.08.1996',
  sex: 'ذكر',
  nationality: 'موريتانية',
  number: '4472913056',
  expires: '11.02.2031',
  seed: 5,
}

const size = { width: 85.6, height: 54 } as const
const colours = { paper: '#e8efe0', pattern: '#8fb07a' } as const
const edge = size.width - 3.6

/** A line that ends at `x` on the right, where Arabic starts. */
const line = (text: string, x: number, y: number, height: number): string =>
  `<text x="${x}" y="${y}" font-family="DejaVu Sans" font-size="${height}" font-weight="${height > 2.5 ? 'bold' : 'normal'}" text-anchor="end" fill="#151515">${escapeXml(text)}</text>`

const field = (label: string, value: string, x: number, y: number): string => line(label, x, y, 2.2) + line(value, x, y + 4, 3.3)

/** Draws both sides, without a machine-readable zone. @param labels - above their values, or before them on one line   @returns PNG */
export async function drawArabicCard(
  card: ArabicCard,
  labels: 'above' | 'before',
): Promise<{ readonly front: Buffer; readonly back: Buffer }> {
  const fields: readonly (readonly [string, string])[] = [
    ['اللقب', card.surname],
    ['الاسم', card.givenNames],
    ['تاريخ الميلاد', card.birth],
    ['الجنس', card.sex],
    ['الجنسية', card.nationality],
    ['رقم البطاقة', card.number],
  ]
  const placed =
    labels === 'before'
      ? fields.map(([label, value], at) => line(`${label}: ${value}`, edge, 18 + at * 6.2, 3.1))
      : fields.map(([label, value], at) =>
          at < 2
            ? field(label, value, edge, 16.5 + at * 8.5)
            : field(label, value, at % 2 === 0 ? edge : 50, 34 + Math.floor((at - 2) / 2) * 8.5),
        )
  const front = [
    line(card.country, edge, 6, 3.3),
    line(card.title, edge, 11, 3.3),
    photo(card.seed, { x: 3.5, y: 13, width: 24, height: 30.5 }),
    ...placed,
  ]
  const back = [
    field('تاريخ الانتهاء', card.expires, edge, 12),
    field('مكان الميلاد', 'نواكشوط', edge, 22),
    field('العنوان', 'تفرغ زينة، نواكشوط', edge, 32),
  ]
  const [drawnFront, drawnBack] = await Promise.all([front, back].map((parts) => renderDocument({ ...size, ...colours, parts }, {})))
  if (drawnFront === undefined || drawnBack === undefined) throw new Error('unreachable: two sides are drawn')
  return { front: drawnFront, back: drawnBack }
}
