import type { ReviewFilterInput, VerificationDocumentType, VerificationReason } from '@civigraph/client/documents'
import { browserStorage } from '../../shared/frame/browser-storage.ts'

/** What the list of cases is restricted to; an empty member does not restrict it. */
export interface CaseFilter {
  readonly reason: VerificationReason | ''
  readonly documentType: VerificationDocumentType | ''
  readonly country: string
  /** minutes that a case has waited at least; 0: any */
  readonly minAgeMinutes: number
  readonly isMine: boolean
}

export const noFilter: CaseFilter = { reason: '', documentType: '', country: '', minAgeMinutes: 0, isMine: false }

/** a day, three days, a week */
export const ages = [60, 1440, 4320, 10_080] as const

export const inputOf = ({ reason, documentType, country, minAgeMinutes, isMine }: CaseFilter): ReviewFilterInput => ({
  ...(reason !== '' && { reason }),
  ...(documentType !== '' && { documentType }),
  ...(country.trim() !== '' && { countryCode: country.trim() }),
  ...(minAgeMinutes > 0 && { minAgeMinutes }),
  ...(isMine && { claimedByMe: true }),
})

/** Filters that the user of this browser saved, by name. */
export const savedFilters = browserStorage<Readonly<Record<string, CaseFilter>>>('civigraph.review-filters')

const drafts = new Map<string, Draft>()

/** An unfinished decision. */
export interface Draft {
  readonly choice: 'accept' | 'better' | 'reject' | undefined
  readonly reason: string
  readonly note: string
}

export const noDraft: Draft = { choice: undefined, reason: '', note: '' }

/**
 * Unfinished decisions of a user, in memory only: they remain when the user leaves a case and end with the page.
 * @param user - id of the account: another user of the page sees none of them
 */
export const draftsOf = (user: string) => ({
  read: (jobId: string): Draft => drafts.get(`${user} ${jobId}`) ?? noDraft,
  write: (jobId: string, draft: Draft | undefined): void => {
    if (draft === undefined) drafts.delete(`${user} ${jobId}`)
    else drafts.set(`${user} ${jobId}`, draft)
  },
})
