import type { PrintStyle } from '../../demonstration/documents/drawn-document.ts'
import type { Holder } from '../../demonstration/documents/holder.ts'
import { drawIdentityCard } from '../../demonstration/documents/identity-card.ts'
import { linesFrench, linesTd1, linesTd2, linesTd3 } from '../../demonstration/documents/machine-readable-lines.ts'
import { drawPassport } from '../../demonstration/documents/passport.ts'
import type { DocumentKind } from '../../subgraphs/verification/checks/evidence.ts'
import { drawForeignCard, wordings } from './foreign-card.ts'

/** Both sides as drawn; a passport has one side. */
export interface Sides {
  readonly front: Buffer
  readonly back?: Buffer
}

/** A kind of document that the evaluation can draw. */
export interface Kind {
  readonly name: string
  readonly documentType: DocumentKind
  /** Lines of a valid machine-readable zone, for kinds that have one. */
  readonly lines?: (holder: Holder) => readonly string[]
  /** Line and last column of the birth date's digits in the machine-readable zone. */
  readonly birthAt?: readonly [number, number]
  /** The kind that is declared instead when kinds are mixed up. */
  readonly mistakenFor: DocumentKind
  draw(holder: Holder, printing: PrintStyle, change: { readonly lines?: readonly string[]; readonly faceSeed?: number }): Promise<Sides>
}

const foreign = (language: string): Kind => ({
  name: `card, ${language} labels`,
  documentType: 'NATIONAL_ID',
  lines: linesTd1,
  birthAt: [1, 5],
  mistakenFor: 'PASSPORT',
  draw: (holder, printing, change) => {
    const wording = wordings[language]
    if (wording === undefined) throw new RangeError(`no wording ${language}`)
    return drawForeignCard(holder, wording, printing, change)
  },
})

export const kinds: readonly Kind[] = [
  {
    name: 'identity card, TD1',
    documentType: 'NATIONAL_ID',
    lines: linesTd1,
    birthAt: [1, 5],
    mistakenFor: 'PASSPORT',
    draw: (holder, printing, change) => drawIdentityCard(holder, { ...printing, ...change }),
  },
  {
    name: 'identity card, French 2 x 36',
    documentType: 'CNI',
    lines: linesFrench,
    birthAt: [1, 32],
    mistakenFor: 'TITRE_DE_SEJOUR',
    draw: (holder, printing, change) => drawIdentityCard(holder, { ...printing, ...change, layout: 'french' }),
  },
  {
    name: 'residence permit, TD1',
    documentType: 'TITRE_DE_SEJOUR',
    lines: (holder) => linesTd1(holder, 'IR'),
    birthAt: [1, 5],
    mistakenFor: 'NATIONAL_ID',
    draw: (holder, printing, change) => drawIdentityCard(holder, { ...printing, ...change, kind: 'residence' }),
  },
  {
    name: 'residence permit, TD2',
    documentType: 'TITRE_DE_SEJOUR',
    lines: (holder) => linesTd2(holder, 'IR'),
    birthAt: [1, 18],
    mistakenFor: 'PASSPORT',
    draw: (holder, printing, change) => drawIdentityCard(holder, { ...printing, ...change, kind: 'residence', layout: 'td2' }),
  },
  {
    name: 'passport, TD3',
    documentType: 'PASSPORT',
    lines: linesTd3,
    birthAt: [1, 18],
    mistakenFor: 'NATIONAL_ID',
    draw: async (holder, printing, change) => ({ front: await drawPassport(holder, { ...printing, ...change }) }),
  },
  {
    name: 'card without a zone',
    documentType: 'NATIONAL_ID',
    mistakenFor: 'PASSPORT',
    draw: (holder, printing, change) => drawIdentityCard(holder, { ...printing, ...change, layout: 'plain' }),
  },
  ...Object.keys(wordings).map(foreign),
]
