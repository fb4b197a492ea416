import countries from 'i18n-iso-countries'
import { countryCode, sameCountry } from '../document/countries.ts'
import type { DocumentFacts } from '../document/document-facts.ts'
import { type DocumentLayout, layoutOf } from '../document/document-layout.ts'
import { type Family, printedFamilies } from '../document/document-titles.ts'
import { editDistance } from '../document/name-matching.ts'
import { bareArabic, latinLine } from '../document/transliteration.ts'
import type { VisualZone } from '../document/visual-zone.ts'
import { type Check, checkOf } from './check.ts'
import type { DocumentKind, Evidence } from './evidence.ts'
import { type Finding, review } from './reasons.ts'

const familyOf: Readonly<Record<DocumentKind, Family>> = {
  PASSPORT: 'passport',
  TITRE_DE_SEJOUR: 'residence',
  CNI: 'identity',
  NATIONAL_ID: 'identity',
}

/** Returns the layout of the declared document. */
export const declaredLayout = ({ documentType, countryCode: country, now }: Evidence): DocumentLayout =>
  layoutOf(familyOf[documentType], country, now)

/** Returns whether the kind always has a machine-readable zone; national cards of most countries may lack one. */
export const hasMrz = (evidence: Evidence): boolean => !declaredLayout(evidence).zone.includes('none')

/**
 * Returns the families that a machine-readable zone allows: the letters after A, C and I are the issuer's, but R is a European residence
 * permit (Regulation (EC) 1030/2002).
 */
function mrzFamilies({ mrz }: DocumentFacts): Family[] | undefined {
  if (mrz === undefined) return undefined
  if (mrz.content.format === 'TD3') return ['passport']
  if (mrz.content.format === 'FRA_CNI') return ['identity']
  return mrz.content.code.charAt(1) === 'R' ? ['residence'] : ['identity', 'residence']
}

export interface KindComparison {
  readonly documentType: Check
  readonly issuingCountry: Check
}

/** Compares kind and country of the document with the declared ones. */
export function compareKind(evidence: Evidence, facts: DocumentFacts): KindComparison & { findings: Finding[] } {
  const declared = familyOf[evidence.documentType]
  const fromMrz = mrzFamilies(facts)
  const fromTitle = printedFamilies(facts.visual)
  const families = fromMrz ?? fromTitle
  // a title decides when the machine-readable zone allows several kinds
  const open = fromMrz !== undefined && fromMrz.length > 1 && fromTitle.length > 0
  const possible = open ? families.filter((family) => fromTitle.includes(family)) : families
  const particulars = { format: facts.mrz?.content.format, code: facts.mrz?.content.code }
  const documentType =
    possible.length === 0 ? checkOf('unidentified', particulars) : checkOf(possible.includes(declared) ? 'clear' : 'consider', particulars)
  const country = countryCode(evidence.countryCode)
  const issuingCountry =
    country === undefined
      ? checkOf('consider', { note: 'the declared country is unknown' })
      : compareIssuer(country, facts, declared === 'identity')
  const mismatch = documentType.result === 'consider' || issuingCountry.result === 'consider'
  return { documentType, issuingCountry, findings: mismatch ? [review('document_type_mismatch')] : [] }
}

/**
 * @param toNationals - the kind is issued to nationals only: without a machine-readable zone, the printed nationality identifies the issuer
 */
function compareIssuer(code: string, { mrz, visual }: DocumentFacts, toNationals: boolean): Check {
  const issuer = mrz?.content.issuer
  if (issuer !== undefined) {
    const same = sameCountry(code, issuer)
    if (same !== undefined) return checkOf(same ? 'clear' : 'consider', { document: countryCode(issuer), source: 'machine_readable_zone' })
    // not a country code: one misread letter of the declared one
    if (editDistance(issuer, code) === 1) return checkOf('clear', { read: issuer, source: 'machine_readable_zone' })
  }
  const nationality = mrz === undefined && toNationals ? visual.nationality?.value : undefined
  const ofNational = nationality !== undefined && (sameCountry(code, nationality) ?? editDistance(nationality.toUpperCase(), code) === 1)
  return ofNational || printsCountry(visual, code) ? checkOf('clear', { document: code, source: 'printed_zone' }) : checkOf('unidentified')
}

/** Returns whether a country's name or its adjective (FRANÇAISE, SÉNÉGALAISE, الموريتانية) is printed. */
function printsCountry({ lines, arabic = [] }: Pick<VisualZone, 'lines' | 'arabic'>, code: string): boolean {
  const names = (languages: readonly string[]): readonly string[] =>
    languages.flatMap((language) => countries.getName(code, language, { select: 'all' }) ?? [])
  return (
    names(['fr', 'en', 'es', 'pt'])
      .map(latinLine)
      .some((name) =>
        isPrinted(
          name.split(' '),
          lines.map((line) => line.split(' ')),
          4,
        ),
      ) ||
    names(['ar'])
      .map(arabicWords)
      .some((name) => isPrinted(name, arabic.map(arabicWords), 3))
  )
}

const arabicWords = (text: string): readonly string[] =>
  bareArabic(text)
    .split(' ')
    .map((word) => word.replace(/^ال/, ''))

/**
 * Returns whether a line contains words with the beginnings of a name's words.
 * @param minLetters - minimum of letters; shorter words are ignored
 */
function isPrinted(name: readonly string[], lines: readonly (readonly string[])[], minLetters: number): boolean {
  const words = name.filter((word) => word.length >= minLetters)
  const begins = (read: string, word: string): boolean => read.startsWith(word.slice(0, Math.max(minLetters, word.length - 2)))
  return words.length > 0 && lines.some((line) => words.every((word) => line.some((read) => begins(read, word))))
}

/** Returns whether a nationality, as a code, a country name or an adjective (sénégalaise), is that of a country. */
export const isOfCountry = (nationality: string, code: string): boolean =>
  sameCountry(nationality, code) ?? printsCountry({ lines: [latinLine(nationality)], arabic: [nationality] }, code)
