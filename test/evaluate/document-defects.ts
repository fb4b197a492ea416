import sharp from 'sharp'
import type { Capture } from '../../demonstration/capture/capture.ts'
import type { Holder } from '../../demonstration/documents/holder.ts'
import type { DocumentKind } from '../../subgraphs/verification/checks/evidence.ts'
import type { Kind, Sides } from './document-kinds.ts'
import type { Population } from './population.ts'

/** One defect of a submission. */
export interface Defect {
  readonly name: string
  readonly reasons: readonly string[]
  /** undefined: the kind cannot have this defect */
  apply(plan: Plan): Plan | undefined
}

/** All parts of a submission; a defect changes one of them. */
export interface Plan {
  readonly kind: Kind
  /** People whose faces are shown. */
  readonly people: Population
  readonly holder: Holder
  readonly declared: Holder
  readonly documentType: DocumentKind
  readonly countryCode: string
  readonly change: { readonly lines?: readonly string[]; readonly faceSeed?: number }
  readonly selfie: (holder: Holder) => Promise<Buffer>
  readonly capture: Capture | undefined
  readonly sides: (sides: Sides) => Promise<Sides> | Sides
}

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

export const defects: readonly Defect[] = [
  {
    name: 'another person’s selfie',
    reasons: ['face_mismatch'],
    apply: (plan) => ({ ...plan, selfie: ({ seed }) => plan.people.selfie(plan.people.another(seed)) }),
  },
  {
    name: 'exchanged photograph',
    reasons: ['face_mismatch'],
    apply: (plan) => ({ ...plan, change: { ...plan.change, faceSeed: plan.people.another(plan.holder.seed) } }),
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
    // the machine-readable zone retains the true date, which its check digits confirm; the forger declares the printed one
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
    reasons: ['wrong_side'],
    apply: (plan) =>
      plan.kind.documentType === 'PASSPORT' ? undefined : { ...plan, sides: ({ front, back }) => ({ front: back ?? front, back: front }) },
  },
  {
    name: 'a copy in black and white',
    reasons: ['copy_of_document'],
    apply: (plan) => ({ ...plan, capture: { grey: true, blur: 0.6, jpegQuality: 80 } }),
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
    apply: (plan) => ({
      ...plan,
      sides: async ({ back }) => ({ front: await plan.people.selfie(plan.holder.seed), ...(back && { back }) }),
    }),
  },
  {
    name: 'no person on the selfie',
    reasons: ['no_face_selfie'],
    apply: (plan) => ({ ...plan, selfie: blank }),
  },
  {
    name: 'two persons on the selfie',
    reasons: ['multiple_faces_selfie'],
    apply: (plan) => ({ ...plan, selfie: ({ seed }) => plan.people.together(seed, plan.people.another(seed)) }),
  },
]

/** Changes the last digit of a day to another valid day. */
function oneOff(date: string): string {
  const day = Number(date.slice(8))
  return `${date.slice(0, 8)}${String(day === 28 ? 24 : day + 1 > 28 ? 1 : day + 1).padStart(2, '0')}`
}
