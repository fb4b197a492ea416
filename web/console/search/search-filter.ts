import { dayRange } from '../day-range.ts'

/** as the platform names them */
type Outcome = 'VERIFIED' | 'PENDING_REVIEW' | 'REJECTED' | 'ERROR'

/** The filter of the platform. */
interface JobFilter {
  readonly outcome?: Outcome
  readonly countryCode?: string
  readonly from?: string
  readonly to?: string
}

/** Minimum length of a text that is searched in codes. */
export const minSearchLength = 2

/** Whether a text is the number of a verification. */
export const isJobId = (text: string): boolean => /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text)

/** Returns the address of the results of a search. */
export const searchAddress = (text: string): string => (text === '' ? '/search' : `/search/${encodeURIComponent(text)}`)

/** What results are restricted to; an empty member does not restrict them. */
export interface SearchFilter {
  readonly outcome: Outcome | ''
  readonly country: string
  /** YYYY-MM-DD, the last day included */
  readonly from: string
  readonly to: string
}

export const noFilter: SearchFilter = { outcome: '', country: '', from: '', to: '' }

export const isFilter = (filter: SearchFilter): boolean => Object.values(filter).some((value) => value.trim() !== '')

/** Whether only verifications can match. */
export const isForVerifications = ({ outcome, country }: SearchFilter): boolean => outcome !== '' || country.trim() !== ''

export const jobFilterOf = ({ outcome, country, from, to }: SearchFilter): JobFilter => ({
  ...(outcome !== '' && { outcome }),
  ...(country.trim() !== '' && { countryCode: country.trim() }),
  ...dayRange(from, to),
})

/** A verification as far as filters know it. */
export interface FilteredJob {
  readonly outcome: Outcome | null
  readonly countryCode: string
  readonly queuedAt: string
}

/** Returns whether a verification that is loaded already matches, as the platform filters those that are not. */
export function matches({ outcome, countryCode, queuedAt }: FilteredJob, filter: SearchFilter): boolean {
  const wanted = jobFilterOf(filter)
  const at = Date.parse(queuedAt)
  return (
    (wanted.outcome === undefined || outcome === wanted.outcome) &&
    (wanted.countryCode === undefined || countryCode === wanted.countryCode) &&
    (wanted.from === undefined || at >= Date.parse(wanted.from)) &&
    (wanted.to === undefined || at < Date.parse(wanted.to))
  )
}
