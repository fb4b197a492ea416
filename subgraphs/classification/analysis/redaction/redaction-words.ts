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
    /** other signs of addresses, in words */
    otherSigns: Words,
    /** of places that people speak of in French after an English "at": those that are words as well, such as de, are not among them */
    endings: Words,
    /** ends of addresses that are seen after a dot with a blank, or after a comma */
    knownDomains: Words,
    webmail: Words,
    /** what stands before "at" without being anybody's name */
    noNames: Words,
    /** after "point": a point of sale, or where something hurts */
    noLabels: Words,
  }),
  phone: z.strictObject({
    /** stands before a number without a space */
    announcing: Words,
    /** announces a number that is written in any form, a digit a line too */
    announcingAnyForm: Words,
    /** stands before a number in words */
    announcingSpoken: Words,
    /** stands behind an amount */
    currencies: Words,
  }),
  numbers: z.strictObject({ zero: Words, arabicDigits: Words, digits: Words, teens: Words, tens: Words }),
  nationalId: z.strictObject({
    announcing: Words,
    /** what may stand between the name of a document and its number; after anything else a number must be longer */
    connecting: Words,
  }),
  numbersThatAreNone: z.strictObject({
    /** books and periodicals */
    publications: Words,
    /** parts of laws */
    laws: Words,
    /** what may stand between those and their number */
    numberSigns: Words,
    /** what is counted or measured: stands behind a count */
    units: Words,
    /** announces a count or an amount */
    countsBefore: Words,
    months: Words,
  }),
})

/** What personal data is announced or spelled with; of each list the alternatives of a regular expression. */
export const redactionWords = readData('subgraphs/classification/data/redaction.json', RedactionWords)
