import { type Capture, capture, damage } from '../../demonstration/capture/capture.ts'
import { generateHolder, type Holder } from '../../demonstration/documents/holder.ts'
import { differentPersons, type Look } from '../../demonstration/documents/selfie.ts'
import type { DocumentKind } from '../../subgraphs/verification/checks/evidence.ts'
import type { Submission } from '../../subgraphs/verification/submission/submission.ts'
import { type Defect, defects, type Plan } from './document-defects.ts'
import { type Kind, kinds } from './document-kinds.ts'
import { printings } from './fonts.ts'
import { drawnPeople, type Population } from './population.ts'

/** A generated submission and its defect. */
export interface DocumentCase {
  readonly kind: string
  /** Capture condition of the document. */
  readonly condition: string
  readonly defect: string
  /** Each of these reasons names the defect; empty without a defect. */
  readonly reasons: readonly string[]
  readonly printing: string
  readonly documentType: DocumentKind
  readonly countryCode: string
  make(): Promise<Submission>
}

/** Capture conditions of a document; the first two have the names of the acceptance criteria. */
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
  'tilted by 15 %': (side, seed) => capture(side, { margin: 60, tilt: { far: edges[seed % 4] ?? 'top', by: 0.15 }, ...phone }),
  'tilted by 25 % on a table': (side, seed) =>
    capture(side, { onTable: { share: 0.7, seed, rotate: (seed % 5) - 2 }, tilt: { far: edges[seed % 4] ?? 'top', by: 0.25 }, ...phone }),
  'on a checked cloth': (side, seed) => capture(side, { onTable: { share: 0.6, rotate: (seed % 7) - 3, cloth: true }, ...phone }),
  'held by its edges': (side) => capture(side, { fingers: 0.03, margin: 40, ...phone }),
  'in the dark, with a reflection': (side, seed) =>
    capture(side, { margin: 30, brightness: 0.45, glare: { x: 0.9, y: (seed % 3) / 3, radius: 0.04 }, ...phone, noise: 14 }),
}
const edges = ['top', 'right', 'bottom', 'left'] as const
const phone: Capture = { blur: 0.6, noise: 8, noiseSeed: 5, jpegQuality: 80 }

const persons = [...differentPersons, 7, 9, 36] as const
const printingNames = Object.keys(printings)

/** Genuine documents of every kind: clean and scanned in three prints each, every second kind in each worse condition; then each defect on every second kind, one at a time. */
export function documentCases(today: string): readonly DocumentCase[] {
  const cases: DocumentCase[] = []
  for (const [kindAt, kind] of kinds.entries()) {
    for (const [conditionAt, condition] of Object.keys(conditions).entries()) {
      const prints = conditionAt < 2 ? 3 : (kindAt + conditionAt) % 2
      for (let print = 0; print < prints; print++) {
        const seed = kindAt * 5 + conditionAt * 3 + print
        const background = print % 3 === 1 ? 'guilloche' : 'waves'
        cases.push(caseOf({ kind, condition, seed, today, background, person: drawnFor(seed, undefined), people: drawnPeople }))
      }
    }
    for (const [defectAt, defect] of defects.entries()) {
      if ((kindAt + defectAt) % 2 === 1) continue
      const condition = defectAt % 4 < 2 ? 'clean' : 'photo'
      const seed = kindAt * 7 + defectAt * 3
      cases.push(caseOf({ kind, condition, defect, seed, today, background: 'waves', person: drawnFor(seed, defect), people: drawnPeople }))
    }
  }
  return cases.filter((one) => one.kind !== '')
}

/**
 * Returns a genuine document for each person, cycling through kinds, captures and prints, and for every second person a document with a defect.
 * @param count - number of people
 */
export function casesOfPeople(today: string, people: Population, count: number): readonly DocumentCase[] {
  const captures = Object.keys(conditions)
  const cases = Array.from({ length: count }, (_, person): readonly DocumentCase[] => {
    const kind = inTurn(kinds, person)
    // coprime steps, so that each kind is combined with each capture
    const condition = inTurn(captures, Math.floor(person / kinds.length) + person)
    const base = { kind, today, person, people, seed: person * 2, background: person % 4 === 3 ? 'guilloche' : 'waves' } as const
    const genuine = caseOf({ ...base, condition })
    if (person % 2 === 1) return [genuine]
    const defect = inTurn(defects, Math.floor(person / 2))
    return [genuine, caseOf({ ...base, condition: person % 4 === 0 ? 'clean' : 'photo', defect, seed: person * 2 + 1 })]
  })
  return cases.flat().filter((one) => one.kind !== '')
}

function inTurn<Item>(items: readonly Item[], at: number): Item {
  const item = items[at % items.length]
  if (item === undefined) throw new RangeError('the list is empty')
  return item
}

/** A defect of the face needs two persons whom the model distinguishes. */
const drawnFor = (seed: number, defect: Defect | undefined): number =>
  defect === undefined ? inTurn(persons, seed) : inTurn(differentPersons, seed)

interface ExpectedFields {
  readonly kind: Kind
  readonly condition: string
  /** No defect when absent. */
  readonly defect?: Defect
  /** Seed of names, numbers, print and capture. */
  readonly seed: number
  readonly today: string
  readonly background: 'waves' | 'guilloche'
  readonly person: number
  readonly people: Population
}

function caseOf({ kind, condition, defect, seed, today, background, person, people }: ExpectedFields): DocumentCase {
  const printing = inTurn(printingNames, seed)
  const holder = holderOf(person, seed, kind, today)
  const genuine: Plan = {
    kind,
    people,
    holder,
    declared: holder,
    documentType: kind.documentType,
    countryCode: holder.issuingCountry,
    change: {},
    selfie: ({ seed: face }) => people.selfie(face, faceStyles[seed % faceStyles.length]),
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
      const capturedUnder = conditions[condition]
      const photograph = (side: Buffer): Promise<Buffer> =>
        plan.capture === undefined ? (capturedUnder?.(side, seed) ?? Promise.resolve(side)) : capture(side, plan.capture)
      const portrait = await people.portrait(plan.change.faceSeed ?? plan.holder.seed)
      const printed = { ...printings[printing], background, ...(portrait !== undefined && { portrait }) }
      const drawn = await plan.sides(await kind.draw(plan.holder, printed, plan.change))
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
        documentFront: { bytes: await photograph(drawn.front) },
        ...(drawn.back && { documentBack: { bytes: await photograph(drawn.back) } }),
      }
    },
  }
}

/** The face of `person` with generated names and numbers. */
function holderOf(person: number, seed: number, kind: Kind, today: string): Holder {
  const french = kind.documentType === 'CNI' ? { issuingCountry: 'FRA', nationality: 'FRA' } : {}
  return { ...generateHolder(1000 + seed, { today, ...french }), seed: person }
}

const faceStyles: readonly Look[] = [
  {},
  { light: 0.7, background: '#c9b8a0' },
  { brightness: 0.8, noise: 8, noiseSeed: 2 },
  { rotate: -6, jpegQuality: 75 },
  { scale: 0.6, blur: 0.5 },
]
