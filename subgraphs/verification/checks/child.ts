import { dayOf, findDates } from '../document/dates.ts'
import type { DocumentFacts } from '../document/document-facts.ts'
import type { Evidence } from './evidence.ts'
import type { Thresholds } from './thresholds.ts'

/** Evidence that the holder is a child. */
export type ChildSign = 'date_of_birth' | 'face'

/**
 * Returns the evidence that the holder is a child. Faces of children change from year to year and resemble each other more than those of
 * adults, so a person should compare them. The date of birth decides, as printed and as declared; when one of them is an adult's, or both
 * are unknown, only a very young face counts.
 */
export function childBy(
  { declared, selfie, now }: Evidence,
  { mrz, visual }: DocumentFacts,
  thresholds: Thresholds,
): ChildSign | undefined {
  const today = dayOf(now)
  const ofDocument = (mrz?.failed.includes('date_of_birth') ? undefined : mrz?.content.birth) ?? visual.birth?.value.readings[0]
  const ofDeclared = findDates(declared.dateOfBirth ?? '', undefined, today.year)[0]?.readings[0]
  const years = [ofDocument, ofDeclared].flatMap((birth) => {
    if (birth === undefined) return []
    const hadBirthday = today.month > birth.month || (today.month === birth.month && today.day >= birth.day)
    return [today.year - birth.year - (hadBirthday ? 0 : 1)]
  })
  if (years.length > 0 && years.every((age) => age < thresholds.childYears)) return 'date_of_birth'
  const [own] = selfie.faces
  return own !== undefined && own.apparentAge < thresholds.childFace ? 'face' : undefined
}
