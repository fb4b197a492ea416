import { dayOf, findDates } from '../../document/dates.ts'
import type { DocumentFacts } from '../../document/document-facts.ts'
import type { Evidence } from '../evidence.ts'
import type { Thresholds } from '../thresholds.ts'

/** What tells that the holder is a child. */
export type ChildSign = 'date_of_birth' | 'face'

/**
 * Faces of children change from year to year, and those of two children are more alike than those of two adults: somebody should look. The date of birth tells, as the
 * document has it and as it was declared; where one of them is an adult's, or neither is known, only the face of a small child is sure enough.
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
