import { machineReadableZone, type PrintStyle, photo, renderDocument } from '../../demonstration/documents/drawn-document.ts'
import type { Holder } from '../../demonstration/documents/holder.ts'
import { linesTd1 } from '../../demonstration/documents/machine-readable-lines.ts'
import { textLine } from '../../demonstration/drawing/drawing.ts'

/** A national card in another language, with another layout. */
interface CardWording {
  readonly title: string
  readonly surname: string
  readonly givenNames: string
  readonly birth: string
  readonly sex: string
  readonly expiry: string
  readonly number: string
  /** Labels on the line of their values, or above them. */
  readonly labels: 'beside' | 'above'
  readonly photo: 'left' | 'right'
  readonly order: readonly ('surname' | 'givenNames' | 'birth' | 'sex' | 'expiry' | 'number')[]
  readonly date: (date: string) => string
}

const months = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC']
const parts = (date: string): readonly [string, string, string] => {
  const [year = '', month = '', day = ''] = date.split('-')
  return [year, month, day]
}

export const wordings: Readonly<Record<string, CardWording>> = {
  english: {
    title: 'NATIONAL IDENTITY CARD',
    surname: 'Surname',
    givenNames: 'First names',
    birth: 'Date of birth',
    sex: 'Sex',
    expiry: 'Expiry date',
    number: 'Card number',
    labels: 'above',
    photo: 'right',
    order: ['number', 'givenNames', 'surname', 'sex', 'birth', 'expiry'],
    date: (date) => `${parts(date)[2]} ${months[Number(parts(date)[1]) - 1]} ${parts(date)[0]}`,
  },
  spanish: {
    title: 'DOCUMENTO NACIONAL DE IDENTIDAD',
    surname: 'APELLIDOS',
    givenNames: 'NOMBRE',
    birth: 'FECHA DE NACIMIENTO',
    sex: 'SEXO',
    expiry: 'VALIDEZ',
    number: 'NÚMERO',
    labels: 'above',
    photo: 'left',
    order: ['surname', 'givenNames', 'sex', 'birth', 'expiry', 'number'],
    date: (date) => [...parts(date)].reverse().join(' '),
  },
  portuguese: {
    title: 'BILHETE DE IDENTIDADE',
    surname: 'Apelido:',
    givenNames: 'Nome:',
    birth: 'Data de nascimento:',
    sex: 'Sexo:',
    expiry: 'Validade:',
    number: 'Número:',
    labels: 'beside',
    photo: 'right',
    order: ['givenNames', 'surname', 'birth', 'sex', 'number', 'expiry'],
    date: (date) => [...parts(date)].reverse().join('-'),
  },
  french: {
    title: "CARTE D'IDENTITÉ",
    surname: 'Nom :',
    givenNames: 'Prénom(s) :',
    birth: 'Né(e) le :',
    sex: 'Sexe :',
    expiry: 'Expire le :',
    number: 'N° :',
    labels: 'beside',
    photo: 'left',
    order: ['number', 'surname', 'givenNames', 'sex', 'birth', 'expiry'],
    date: (date) => [...parts(date)].reverse().join('/'),
  },
}

const size = { width: 85.6, height: 54 } as const

/** Draws both sides; the back has a machine-readable zone if the country has one. */
export async function drawForeignCard(
  holder: Holder,
  wording: CardWording,
  printing: PrintStyle,
  { lines = linesTd1(holder), faceSeed = holder.seed }: { readonly lines?: readonly string[]; readonly faceSeed?: number } = {},
): Promise<{ readonly front: Buffer; readonly back: Buffer }> {
  const font = printing.font ?? 'DejaVu Sans'
  const left = wording.photo === 'left' ? 31 : 4
  const values = {
    surname: holder.lastName.toUpperCase(),
    givenNames: holder.firstName,
    birth: wording.date(holder.dateOfBirth),
    sex: holder.sex,
    expiry: wording.date(holder.expires),
    number: holder.documentNumber,
  }
  const fields = wording.order.map((name, at) => {
    const y = 12 + at * 6.9
    if (wording.labels === 'beside') {
      const label = textLine(wording[name], { x: left, y: y + 3, size: 2 }, { font, colour: '#444444' })
      return label + textLine(values[name], { x: left + 21, y: y + 3, size: 2.6 }, { font, bold: true })
    }
    return (
      textLine(wording[name], { x: left, y, size: 1.5 }, { font, colour: '#444444' }) +
      textLine(values[name], { x: left, y: y + 3.4, size: 2.7 }, { font, bold: true })
    )
  })
  const front = [
    textLine(wording.title, { x: 4, y: 6, size: 2.8 }, { font, bold: true, colour: '#203a20' }),
    photo(faceSeed, { x: wording.photo === 'left' ? 4 : size.width - 28, y: 12, width: 24, height: 30.5 }, printing),
    ...fields,
  ]
  const colours = { paper: '#eef3e6', pattern: '#8fb07a' } as const
  const back = [machineReadableZone(lines, size, 5, printing)]
  const [drawnFront, drawnBack] = await Promise.all(
    [front, back].map((drawn) => renderDocument({ ...size, ...colours, parts: drawn }, printing)),
  )
  if (drawnFront === undefined || drawnBack === undefined) throw new Error('unreachable: two sides are drawn')
  return { front: drawnFront, back: drawnBack }
}
