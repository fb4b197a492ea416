import type { PersonalDetails } from '../../chip/personal-details.ts'
import { countryCode } from '../../document/countries.ts'
import { type CalendarDate, dayOf, findDates, sameDate } from '../../document/dates.ts'
import type { MachineReadableZone } from '../../document/machine-readable-zone.ts'
import { comparableName, matchName } from '../../document/name-matching.ts'
import { centuryOf } from '../../document/trusted-mrz.ts'
import { type Check, type CheckResult, combined, type NamedCheck, named } from '../check.ts'
import { isOfCountry } from '../document-kind.ts'
import type { Evidence } from '../evidence.ts'
import { type Finding, rejecting, review } from '../reasons.ts'
import type { Thresholds } from '../thresholds.ts'

type DeclaredEvidence = Pick<Evidence, 'declared' | 'countryCode' | 'now'>
/** other: the chip differs; unclear: neither the same nor clearly another */
type Agreement = 'same' | 'unclear' | 'other' | 'not_said'
const results: Readonly<Record<Agreement, CheckResult>> = {
  same: 'clear',
  unclear: 'consider',
  other: 'consider',
  not_said: 'unidentified',
}

/** The holder of the chip. */
export interface ChipHolder {
  readonly zone: MachineReadableZone
  readonly details?: PersonalDetails | undefined
}

type HolderName = Pick<MachineReadableZone, 'surname' | 'givenNames' | 'cut'>
const uncut = { surname: false, givenNames: false }
const nowhere = { dates: [], lines: [], confidence: 0 }

/**
 * Compares the declared identity with the chip, which is free of reading errors: its zone and, if present, its full details.
 * @param isAuthentic - the chip is authentic: then a contradiction rejects, otherwise it goes to review
 */
export function compareWithDeclared(
  { zone, details }: ChipHolder,
  stated: DeclaredEvidence,
  isAuthentic: boolean,
  thresholds: Thresholds,
): { readonly check: Check; readonly findings: readonly Finding[] } {
  const names = agreementOfNames([zone, ...(details?.name === undefined ? [] : [{ ...details.name, cut: uncut }])], stated, thresholds)
  const birth = agreementOfBirth(zone, details?.birth, stated)
  const gender = agreementOfGender(zone, stated)
  const nationality = agreementOfNationality(zone, stated)
  const part = (name: string, agreement: Agreement): NamedCheck => named(name, results[agreement])
  const all = [names, birth, gender, nationality]
  const isOther = isAuthentic && [names, birth].includes('other')
  const isDoubtful = all.some((agreement) => agreement === 'other' || agreement === 'unclear')
  return {
    check: combined([part('names', names), part('date_of_birth', birth), part('gender', gender), part('nationality', nationality)]),
    findings: isOther ? [rejecting('chip_mismatch')] : isDoubtful ? [review('chip_mismatch')] : [],
  }
}

/** @param written - the name in one or two forms; the more similar one is used */
function agreementOfNames(written: readonly HolderName[], { declared }: DeclaredEvidence, { nameSame, nameOther }: Thresholds): Agreement {
  const likenessTo = ({ surname, givenNames, cut }: HolderName, last: string, first: string): number =>
    Math.min(
      matchName(comparableName(last), surname, { part: 'surname', cut: cut.surname }).similarity,
      givenNames === '' ? 1 : matchName(comparableName(first), givenNames, { part: 'given', cut: cut.givenNames }).similarity,
    )
  const likeness = (last: string, first: string): number => Math.max(...written.map((name) => likenessTo(name, last, first)))
  // swapped given and family names still identify the same person
  const { lastName, firstName } = declared
  const best = Math.max(likeness(lastName, firstName), likeness(firstName, lastName) >= nameSame ? nameSame : 0)
  return best >= nameSame ? 'same' : best >= nameOther ? 'unclear' : 'other'
}

/** @param full - with century, if the chip contains it */
function agreementOfBirth(
  zone: MachineReadableZone,
  full: CalendarDate | undefined,
  { declared, countryCode: country, now }: DeclaredEvidence,
): Agreement {
  if (declared.dateOfBirth === null) return 'not_said'
  const written = findDates(declared.dateOfBirth, countryCode(country), dayOf(now).year)
  const birth = full ?? centuryOf(zone, nowhere, written).birth
  const [first] = written
  if (first === undefined || birth === undefined) return 'unclear'
  const [usual] = first.readings
  if (usual !== undefined && sameDate(usual, birth)) return 'same'
  // swapped day and month
  return first.readings.some((reading) => sameDate(reading, birth)) ? 'unclear' : 'other'
}

function agreementOfGender({ sex }: MachineReadableZone, { declared: { gender } }: DeclaredEvidence): Agreement {
  if (gender === null || gender === 'N' || sex === undefined || sex === 'X') return 'not_said'
  return gender === sex ? 'same' : 'unclear'
}

function agreementOfNationality(zone: MachineReadableZone, { declared: { nationality } }: DeclaredEvidence): Agreement {
  const code = zone.nationality === undefined ? undefined : countryCode(zone.nationality)
  if (nationality === null || nationality.trim() === '' || code === undefined) return 'not_said'
  return isOfCountry(nationality, code) ? 'same' : 'unclear'
}
