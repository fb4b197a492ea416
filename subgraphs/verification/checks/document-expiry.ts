import { type CalendarDate, compareDates, dayOf, isoDate, sameDate } from '../document/dates.ts'
import type { DocumentFacts } from '../document/document-facts.ts'
import { type Check, checkOf } from './check.ts'
import type { Evidence } from './evidence.ts'
import { type Finding, review } from './reasons.ts'

/** Checks expiry: one zone is sufficient; the document is valid on the day of expiry. */
export function checkExpiry({ now }: Evidence, { mrz, visual, readable }: DocumentFacts): { check: Check; findings: Finding[] } {
  const today = dayOf(now)
  const fails = mrz?.failed.includes('date_of_expiry') ?? false
  const candidates: { date: CalendarDate; source: string }[] = []
  if (mrz?.content.expiry !== undefined && !fails) candidates.push({ date: mrz.content.expiry, source: 'machine_readable_zone' })
  const label = visual.expiry?.value.readings[0]
  if (label !== undefined) candidates.push({ date: label, source: 'printed_zone' })
  const later = latest(visual.dates.flatMap(({ readings }) => readings.slice(0, 1)))
  // a future date on a card without a labelled date can only be its expiry
  if (candidates.length === 0 && later !== undefined && compareDates(later, today) >= 0)
    candidates.push({ date: later, source: 'latest_date' })
  const first = candidates[0]
  if (first === undefined)
    return { check: checkOf(fails ? 'consider' : 'unidentified'), findings: readable && !fails ? [review('ocr_unreadable')] : [] }
  const { date, source } = candidates.find((candidate) => compareDates(candidate.date, today) < 0) ?? first
  const expired = compareDates(date, today) < 0
  const facts = { date: isoDate(date), source, disagree: candidates.some((other) => !sameDate(other.date, date)) ? 'yes' : undefined }
  return { check: checkOf(expired || fails ? 'consider' : 'clear', facts), findings: expired ? [review('document_expired')] : [] }
}

const latest = (dates: readonly CalendarDate[]): CalendarDate | undefined => [...dates].sort((a, b) => compareDates(b, a))[0]
