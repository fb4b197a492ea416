import { isoDate } from '../document/dates.ts'
import type { DocumentFacts } from '../document/document-facts.ts'

/** Values read from one zone of a document; a value that could not be read is absent. */
export interface ReadValues {
  readonly firstName?: string
  readonly lastName?: string
  /** YYYY-MM-DD */
  readonly dateOfBirth?: string
  readonly sex?: string
  readonly nationality?: string
  /** YYYY-MM-DD */
  readonly expiryDate?: string
  readonly documentNumber?: string
}

/** What was read from a document, for reviewers: sealed with the images and erased with them. */
export interface DocumentReadings {
  readonly printed: ReadValues
  /** the machine-readable zone; null when none was read */
  readonly zone: ReadValues | null
}

export function readingsOf({ visual, mrz }: Pick<DocumentFacts, 'visual' | 'mrz'>): DocumentReadings {
  const [birth, expiry] = [visual.birth?.value.readings[0], visual.expiry?.value.readings[0]]
  const zone = mrz?.content
  return {
    printed: present({
      firstName: visual.givenNames?.value,
      lastName: visual.surname?.value,
      dateOfBirth: birth && isoDate(birth),
      sex: visual.sex?.value,
      nationality: visual.nationality?.value,
      expiryDate: expiry && isoDate(expiry),
      documentNumber: visual.number?.value,
    }),
    zone:
      zone === undefined
        ? null
        : present({
            firstName: zone.givenNames,
            lastName: zone.surname,
            dateOfBirth: zone.birth && isoDate(zone.birth),
            sex: zone.sex,
            nationality: zone.nationality,
            expiryDate: zone.expiry && isoDate(zone.expiry),
            documentNumber: zone.number,
          }),
  }
}

const present = (values: { readonly [Name in keyof ReadValues]: ReadValues[Name] | undefined }): ReadValues =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined && value !== ''))
