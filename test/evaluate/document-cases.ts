import sharp from 'sharp'
import { type Capture, capture, damage } from '../../demonstration/capture.ts'
import type { Printing } from '../../demonstration/drawn-document.ts'
import { type Holder, makeHolder } from '../../demonstration/holder.ts'
import { drawIdentityCard } from '../../demonstration/identity-card.ts'
import { linesFrench, linesTd1, linesTd2, linesTd3 } from '../../demonstration/machine-readable-lines.ts'
import { drawPassport } from '../../demonstration/passport.ts'
import { differentPersons, drawFace, drawGroup, type Look } from '../../demonstration/selfie.ts'
import type { DocumentKind } from '../../subgraphs/verification/evidence.ts'
import type { Submission } from '../../subgraphs/verification/submission.ts'
import { printings } from './fonts.ts'
import { drawForeignCard, wordings } from './foreign-card.ts'

/** One made submission and what is wrong with it. */
export interface DocumentCase {
  readonly kind: string
  /** how the document was captured */
  readonly condition: string
  readonly defect: string
  /** any of these tells what is wrong; empty where nothing is */
  readonly reasons: readonly string[]
  readonly printing: string
  readonly documentType: DocumentKind
  readonly countryCode: string
  make(): Promise<Submission>
}

/** Both sides as drawn; a passport has one. */
interface Sides {
  readonly front: Buffer
  readonly back?: Buffer
}

interface Kind {
  readonly name: string
  readonly documentType: DocumentKind
  /** the lines of a right zone, for kinds that have one */
  readonly lines?: (holder: Holder) => readonly string[]
  /** where the zone's digits of the date of birth are: line and column of the last one */
  readonly birthAt?: readonly [number, number]
  /** the kind that this one is declared to be where kinds are mixed up */
  readonly mistakenFor: DocumentKind
  draw(holder: Holder, printing: Printing, change: { readonly lines?: readonly string[]; readonly faceSeed?: number }): Promise<Sides>
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

const kinds: readonly Kind[] = [
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

/** How a document may be captured; names of the first two are those of the goal. */
const conditions: Readonly<Record<string, (side: Buffer, seed: number) => Promise<Buffer>>> = {
  clean: (side) => damage(side, 'clean'),
  scan: (side) => damage(side, 'scan'),
  photo: (side) => damage(side, 'photo'),
  'bad photo': (side) => damage(side, 'bad'),
  'turned by 90': (side) => capture(side, { rotate: 90, jpegQuality: 85 }),
  'turned by 180': (side) => capture(side, { rotate: 181, margin: 20, jpegQuality: 85 }),
  'turned by 270': (side) => capture(side, { rotate: 270, jpegQuality: 85 }),
  'askew by 8': (side, seed) => capture(side, { rotate: seed % 2 === 0 ? 8 : -8, margin: 30, blur: 0.6, jpegQuality: 80 }),
  tilted: (side, seed) => capture(side, { margin: 40, tilt: { far: seed % 2 === 0 ? 'top' : 'right', by: 0.08 }, ...phone }),
  'on a table': (side, seed) => capture(side, { onTable: { share: 0.6, seed, rotate: (seed % 5) - 2 }, ...phone }),
  'far away on a table': (side, seed) => capture(side, { onTable: { share: 0.42, seed, rotate: (seed % 7) - 3 }, ...phone }),
  'in poor light': (side) => capture(side, { brightness: 0.5, noise: 12, noiseSeed: 3, jpegQuality: 75 }),
}
const phone: Capture = { blur: 0.6, noise: 8, noiseSeed: 5, jpegQuality: 80 }

const persons = [...differentPersons, 7, 9, 36] as const
const printingNames = Object.keys(printings)

interface Defect {
  readonly name: string
  readonly reasons: readonly string[]
  /** undefined: the kind cannot have it */
  apply(plan: Plan): Plan | undefined
}

/** All that a submission is made of; a defect changes one thing of it. */
interface Plan {
  readonly kind: Kind
  readonly holder: Holder
  readonly declared: Holder
  readonly documentType: DocumentKind
  readonly countryCode: string
  readonly change: { readonly lines?: readonly string[]; readonly faceSeed?: number }
  readonly selfie: (holder: Holder) => Promise<Buffer>
  readonly capture: Capture | undefined
  readonly sides: (sides: Sides) => Promise<Sides> | Sides
}

const anotherPerson = (seed: number): number => differentPersons.find((other) => other !== seed && distinct(seed, other)) ?? 5
/** Pairs that the face model holds apart; of other drawn persons nothing is known. */
const distinct = (a: number, b: number): boolean => differentPersons.includes(a as 5) && differentPersons.includes(b as 5)

const forgedDigit = ({ kind, holder }: Plan): readonly string[] | undefined => {
  if (kind.lines === undefined || kind.birthAt === undefined) return undefined
  const [line, column] = kind.birthAt
  return kind
    .lines(holder)
    .map((text, at) => (at === line ? text.slice(0, column) + String((Number(text[column]) + 4) % 10) + text.slice(column + 1) : text))
}

const blank = (): Promise<Buffer> =>
  sharp({ create: { width: 900, height: 600, channels: 3, background: '#e4e4e0' } })
    .jpeg()
    .toBuffer()

const unreadable = ['ocr_unreadable', 'blurred_photo', 'dark_photo', 'glare_on_photo', 'cut_off_document', 'no_document_in_image'] as const

const defects: readonly Defect[] = [
  {
    name: 'another person’s selfie',
    reasons: ['face_mismatch'],
    apply: (plan) => ({ ...plan, selfie: () => drawFace(anotherPerson(plan.holder.seed)) }),
  },
  {
    name: 'exchanged photograph',
    reasons: ['face_mismatch'],
    apply: (plan) => ({ ...plan, change: { ...plan.change, faceSeed: anotherPerson(plan.holder.seed) } }),
  },
  {
    name: 'another surname declared',
    reasons: ['name_mismatch'],
    apply: (plan) => ({ ...plan, declared: { ...plan.declared, lastName: 'Vandenbrouck' } }),
  },
  {
    name: 'another given name declared',
    reasons: ['name_mismatch'],
    apply: (plan) => ({ ...plan, declared: { ...plan.declared, firstName: 'Ulrich' } }),
  },
  {
    name: 'another date of birth declared',
    reasons: ['dob_mismatch'],
    apply: (plan) => ({ ...plan, declared: { ...plan.declared, dateOfBirth: '1979-02-17' } }),
  },
  {
    name: 'date of birth declared one digit off',
    reasons: ['dob_mismatch'],
    apply: (plan) => ({ ...plan, declared: { ...plan.declared, dateOfBirth: oneOff(plan.holder.dateOfBirth) } }),
  },
  {
    name: 'forged digit in the zone',
    reasons: ['mrz_check_digit_failed'],
    apply: (plan) => {
      const lines = forgedDigit(plan)
      return lines && { ...plan, change: { ...plan.change, lines } }
    },
  },
  {
    name: 'forged printed date of birth',
    reasons: ['dob_mismatch'],
    // the zone stays that of the true date, which is what the card's digits vouch for; the forger declares the printed one
    apply: (plan) => {
      const lines = plan.kind.lines?.(plan.holder)
      const forged = { ...plan.holder, dateOfBirth: oneOff(plan.holder.dateOfBirth) }
      return lines && { ...plan, holder: forged, declared: forged, change: { ...plan.change, lines } }
    },
  },
  {
    name: 'forged printed surname',
    reasons: ['name_mismatch'],
    apply: (plan) => {
      const lines = plan.kind.lines?.(plan.holder)
      const forged = { ...plan.holder, lastName: 'VANDENBROUCK' }
      return lines && { ...plan, holder: forged, declared: forged, change: { ...plan.change, lines } }
    },
  },
  {
    name: 'expired',
    reasons: ['document_expired'],
    apply: (plan) => {
      const holder = { ...plan.holder, issued: '2009-05-04', expires: '2019-05-03' }
      return { ...plan, holder, declared: holder }
    },
  },
  {
    name: 'cut off at the left',
    reasons: [...unreadable, 'no_face_document', 'name_mismatch'],
    apply: (plan) => ({ ...plan, capture: { keep: { left: 0.3, width: 0.7 }, jpegQuality: 85 } }),
  },
  {
    name: 'blurred',
    reasons: unreadable,
    apply: (plan) => ({ ...plan, capture: { blur: 7, jpegQuality: 70 } }),
  },
  {
    name: 'dark',
    reasons: unreadable,
    apply: (plan) => ({ ...plan, capture: { brightness: 0.12, noise: 14, jpegQuality: 70 } }),
  },
  {
    name: 'glare',
    reasons: unreadable,
    apply: (plan) => ({ ...plan, capture: { glare: { x: 0.55, y: 0.45, radius: 0.25 }, jpegQuality: 80 } }),
  },
  {
    name: 'missing back',
    reasons: ['missing_back'],
    apply: (plan) => (plan.kind.documentType === 'PASSPORT' ? undefined : { ...plan, sides: ({ front }) => ({ front }) }),
  },
  {
    name: 'the front twice',
    reasons: ['missing_back'],
    apply: (plan) => (plan.kind.documentType === 'PASSPORT' ? undefined : { ...plan, sides: ({ front }) => ({ front, back: front }) }),
  },
  {
    name: 'sides exchanged',
    reasons: ['no_face_document'],
    apply: (plan) =>
      plan.kind.documentType === 'PASSPORT' ? undefined : { ...plan, sides: ({ front, back }) => ({ front: back ?? front, back: front }) },
  },
  {
    name: 'another kind declared',
    reasons: ['document_type_mismatch'],
    apply: (plan) => ({ ...plan, documentType: plan.kind.mistakenFor }),
  },
  {
    name: 'another country declared',
    reasons: ['document_type_mismatch'],
    apply: (plan) =>
      plan.kind.lines === undefined ? undefined : { ...plan, countryCode: plan.holder.issuingCountry === 'MLI' ? 'TGO' : 'MLI' },
  },
  {
    name: 'blank sheet for a document',
    reasons: ['no_document_in_image', 'ocr_unreadable'],
    apply: (plan) => ({ ...plan, sides: async () => ({ front: await blank(), back: await blank() }) }),
  },
  {
    name: 'selfie for a document',
    reasons: ['no_document_in_image', 'ocr_unreadable', 'unsupported_document'],
    apply: (plan) => ({ ...plan, sides: async ({ back }) => ({ front: await drawFace(plan.holder.seed), ...(back && { back }) }) }),
  },
  {
    name: 'nobody on the selfie',
    reasons: ['no_face_selfie'],
    apply: (plan) => ({ ...plan, selfie: blank }),
  },
  {
    name: 'two persons on the selfie',
    reasons: ['multiple_faces_selfie'],
    apply: (plan) => ({ ...plan, selfie: ({ seed }) => drawGroup([seed, anotherPerson(seed)]) }),
  },
]

/** The last digit of the day changed, still a day. */
function oneOff(date: string): string {
  const day = Number(date.slice(8))
  return `${date.slice(0, 8)}${String(day === 28 ? 24 : day + 1 > 28 ? 1 : day + 1).padStart(2, '0')}`
}

/** Genuine documents of every kind, clean and scanned in three prints each and every second kind in each worse condition; then each defect on every second kind, alone. */
export function documentCases(today: string): readonly DocumentCase[] {
  const cases: DocumentCase[] = []
  for (const [kindAt, kind] of kinds.entries()) {
    for (const [conditionAt, condition] of Object.keys(conditions).entries()) {
      const prints = conditionAt < 2 ? 3 : (kindAt + conditionAt) % 2
      for (let print = 0; print < prints; print++) {
        const seed = kindAt * 5 + conditionAt * 3 + print
        cases.push(caseOf(kind, condition, undefined, seed, today, print % 3 === 1 ? 'guilloche' : 'waves'))
      }
    }
    for (const [defectAt, defect] of defects.entries()) {
      if ((kindAt + defectAt) % 2 === 1) continue
      const condition = defectAt % 4 < 2 ? 'clean' : 'photo'
      cases.push(caseOf(kind, condition, defect, kindAt * 7 + defectAt * 3, today, 'waves'))
    }
  }
  return cases.filter((one) => one.kind !== '')
}

function caseOf(
  kind: Kind,
  condition: string,
  defect: Defect | undefined,
  seed: number,
  today: string,
  background: 'waves' | 'guilloche',
): DocumentCase {
  const printing = printingNames[seed % printingNames.length] ?? ''
  // a defect of the face needs two persons whom the model holds apart
  const person = (defect === undefined ? persons : differentPersons)[seed % (defect === undefined ? persons.length : 3)] ?? 5
  const holder = holderOf(person, seed, kind, today)
  const genuine: Plan = {
    kind,
    holder,
    declared: holder,
    documentType: kind.documentType,
    countryCode: holder.issuingCountry,
    change: {},
    selfie: ({ seed: face }) => drawFace(face, looks[seed % looks.length]),
    capture: undefined,
    sides: (sides) => sides,
  }
  const plan = defect === undefined ? genuine : defect.apply(genuine)
  return {
    kind: plan === undefined ? '' : kind.name,
    condition,
    defect: defect?.name ?? 'genuine',
    reasons: defect?.reasons ?? [],
    printing: `${printing}${background === 'waves' ? '' : ', guilloche'}`,
    documentType: plan?.documentType ?? kind.documentType,
    countryCode: plan?.countryCode ?? '',
    async make() {
      if (plan === undefined) throw new Error('unreachable: the kind cannot have this defect')
      const look = conditions[condition]
      const taken = (side: Buffer): Promise<Buffer> =>
        plan.capture === undefined ? (look?.(side, seed) ?? Promise.resolve(side)) : capture(side, plan.capture)
      const drawn = await plan.sides(await kind.draw(plan.holder, { ...printings[printing], background }, plan.change))
      const { declared } = plan
      return {
        declaredIdentity: {
          firstName: declared.firstName,
          lastName: declared.lastName,
          dateOfBirth: declared.dateOfBirth,
          gender: declared.sex,
          nationality: declared.nationality,
        },
        selfie: { bytes: await plan.selfie(plan.holder) },
        documentFront: { bytes: await taken(drawn.front) },
        ...(drawn.back && { documentBack: { bytes: await taken(drawn.back) } }),
      }
    },
  }
}

/** A face of `person`, with names and numbers of its own. */
function holderOf(person: number, seed: number, kind: Kind, today: string): Holder {
  const french = kind.documentType === 'CNI' ? { issuingCountry: 'FRA', nationality: 'FRA' } : {}
  return { ...makeHolder(1000 + seed, { today, ...french }), seed: person }
}

const looks: readonly Look[] = [
  {},
  { light: 0.7, background: '#c9b8a0' },
  { brightness: 0.8, noise: 8, noiseSeed: 2 },
  { rotate: -6, jpegQuality: 75 },
  { scale: 0.6, blur: 0.5 },
]
