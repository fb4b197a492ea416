import { z } from 'zod'
import { readData } from '../../../../foundation/files/data-file.ts'

/** Alternatives of a regular expression. */
const Words = z
  .array(z.string().min(1))
  .min(1)
  .transform((words) => words.join('|'))

const RedactionWords = z.strictObject({
  email: z.strictObject({
    at: Words,
    dot: Words,
    /** spelled-out characters of addresses */
    otherSigns: Words,
    /** top-level domains in French text after an English "at"; those that are also words, such as de, are excluded */
    endings: Words,
    /** ends of addresses that are recognised after a dot with a blank, or after a comma */
    knownDomains: Words,
    webmail: Words,
    /** words before "at" that are not names */
    noNames: Words,
    /** words after "point" in other senses: a point of sale, or where something hurts */
    noLabels: Words,
  }),
  phone: z.strictObject({
    /** precedes a number without a space */
    announcing: Words,
    /** announces a number in any form, including a digit per line */
    announcingAnyForm: Words,
    /** precedes a number in words */
    announcingSpoken: Words,
    /** words for the marks between the groups of a number */
    separators: Words,
    /** follows an amount */
    currencies: Words,
  }),
  numbers: z.strictObject({ zero: Words, arabicDigits: Words, digits: Words, teens: Words, tens: Words }),
  nationalId: z.strictObject({
    announcing: Words,
    /** words between the name of a document and its number; after other words a number must be longer */
    connecting: Words,
  }),
  otherNumbers: z.strictObject({
    /** books and periodicals */
    publications: Words,
    /** parts of laws */
    laws: Words,
    /** characters between those and their number */
    numberSigns: Words,
    /** units after a count */
    units: Words,
    /** announces a count or an amount */
    countsBefore: Words,
    months: Words,
  }),
})

/** Words that announce or spell out personal data; each list contains alternatives of a regular expression. */
export const redactionWords = readData('subgraphs/classification/data/redaction.json', RedactionWords)
