import { type CsvError, parse } from 'csv-parse/sync'
import { z } from 'zod'
import type { TaxonomyContent, TaxonomyDomain } from '../../../engines/analytics-store/analytics-store.ts'
import { InvalidInput } from '../../../foundation/fault.ts'
import { csvRow, csvText, otherSeparatorIn } from '../../../foundation/files/csv.ts'
import type { Violation } from '../../../foundation/validation/violation.ts'
import { contentViolations, taxonomyLimits } from './taxonomy-content.ts'
import { inOrder } from './taxonomy-edits.ts'
import { positionAt, positionInJson, type TextPosition } from './text-position.ts'

export type TaxonomyFormat = 'json' | 'csv'

/** largest file, in bytes */
export const maxTaxonomyFile = 64 * 1024 * 1024
/** rows of a CSV file: three for each phrase, so that a wrong file is refused before it is read as a whole */
const maxRows = 3 * taxonomyLimits.phrases
/** violations in one message */
const maxShown = 20

type Path = readonly (string | number)[]
type Locate = (violation: Pick<Violation, 'code' | 'path'>) => TextPosition

const texts = z.record(z.string(), z.string())
const Phrases = z.union([
  z.array(z.string()),
  z.record(z.string(), z.array(z.string())).transform((groups) => Object.values(groups).flat()),
])
const Texts = {
  id: z.string(),
  slug: z.string().optional(),
  labels: texts,
  descriptions: texts.default({}),
  examples: z.record(z.string(), Phrases).default({}),
  words: texts.default({}),
}
const TaxonomyFile = z.strictObject({
  domains: z.array(z.strictObject({ ...Texts, subDomains: z.array(z.strictObject(Texts)).default([]) })),
  /** retired domains with their successors */
  retired: z.record(z.string(), z.string().nullable()).default({}),
})

/**
 * Reads a taxonomy from a file.
 * @throws {InvalidInput} naming line and column of each problem
 */
export function readTaxonomyFile(bytes: Uint8Array, format: TaxonomyFormat): TaxonomyContent {
  const text = textOf(bytes)
  const { content, locate } = format === 'json' ? fromJson(text) : fromCsv(text)
  refuseAt(contentViolations(content), locate)
  return content
}

function refuseAt(violations: readonly Violation[], locate: Locate): void {
  if (violations.length === 0) return
  const located = violations.map((each) => ({ ...each, at: locate(each) }))
  located.sort((a, b) => a.at.line - b.at.line || a.at.column - b.at.column)
  const sentences = located
    .slice(0, maxShown)
    .map(({ at, path, message }) => `${placeOf(at)}: ${[path.join(' '), message].filter(Boolean).join(': ')}`)
  if (located.length > maxShown) sentences.push(`and ${located.length - maxShown} more`)
  throw new InvalidInput(
    sentences.join('\n'),
    located.map(({ at: _, ...violation }) => violation),
  )
}

const placeOf = ({ line, column }: TextPosition): string => `Line ${line}, column ${column}`

function refuse(at: TextPosition, message: string): never {
  throw new InvalidInput(`${placeOf(at)}: ${message}`)
}

const decoder = new TextDecoder('utf-8', { fatal: true })

/** Decodes UTF-8, with or without a byte order mark. @throws {InvalidInput} naming line and column */
export function textOf(bytes: Uint8Array): string {
  if (bytes.length > maxTaxonomyFile) throw new InvalidInput(`The file has ${bytes.length} bytes; at most ${maxTaxonomyFile} are read`)
  const [first, second] = bytes
  if ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff))
    refuse({ line: 1, column: 1 }, 'The file is encoded in UTF-16: save it in UTF-8')
  try {
    const text = decoder.decode(bytes)
    const nul = text.indexOf('\u0000')
    if (nul === -1) return text
    return refuse(positionAt(text, nul), 'The file has NUL characters, as in UTF-16: save it in UTF-8')
  } catch (error) {
    if (error instanceof InvalidInput) throw error
    const valid = validUtf8(bytes)
    return refuse(positionAt(valid, valid.length), 'The file is not encoded in UTF-8: save it in UTF-8, for example as "CSV UTF-8"')
  }
}

/** Returns the text before the first invalid byte. */
function validUtf8(bytes: Uint8Array): string {
  let [low, high] = [0, bytes.length]
  const decoded = (length: number): string | undefined => {
    try {
      return new TextDecoder('utf-8', { fatal: true }).decode(bytes.subarray(0, length), { stream: true })
    } catch {
      return undefined
    }
  }
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if (decoded(middle) === undefined) high = middle - 1
    else low = middle
  }
  return decoded(low) ?? ''
}

function fromJson(text: string): { readonly content: TaxonomyContent; readonly locate: Locate } {
  let parsed: unknown
  try {
    parsed = JSON.parse(text)
  } catch (error) {
    const message = error instanceof Error ? error.message : ''
    const [, offset] = /position (\d+)/.exec(message) ?? []
    return refuse(positionAt(text, offset === undefined ? text.length : Number(offset)), 'The file is not JSON')
  }
  const read = TaxonomyFile.safeParse(parsed)
  if (!read.success) {
    const [issue] = read.error.issues
    const path = (issue?.path ?? []).map((step) => (typeof step === 'number' ? step : String(step)))
    return refuse(positionInJson(text, path), `${path.join(' ') || 'the file'}: ${issue?.message ?? 'cannot be read'}`)
  }
  const places = new Map<string, Path>()
  const domains: TaxonomyDomain[] = []
  const duplicates: Violation[] = []
  const add = (domain: TaxonomyDomain, place: Path): void => {
    if (places.has(domain.id))
      duplicates.push({ code: 'id_taken', path: place, message: `Another domain has the id ${domain.id}: choose a different one` })
    else places.set(domain.id, place)
    domains.push(domain)
  }
  for (const [position, { subDomains, slug, ...domain }] of read.data.domains.entries()) {
    add({ ...domain, slug: slug ?? domain.id, parentId: null, position }, ['domains', position])
    for (const [index, { slug, ...sub }] of subDomains.entries())
      add({ ...sub, slug: slug ?? sub.id, parentId: domain.id, position: index }, ['domains', position, 'subDomains', index])
  }
  refuseAt(duplicates, ({ path }) => positionInJson(text, path))
  return {
    content: inOrder({ domains, successors: read.data.retired }),
    locate({ path: [id = '', ...rest] }) {
      const place = places.get(String(id)) ?? ['retired', String(id)]
      return positionInJson(text, id === '' ? ['domains'] : [...place, ...rest])
    },
  }
}

const columns = ['id', 'parent', 'field', 'lang', 'value'] as const
const fields = ['slug', 'label', 'description', 'example', 'word', 'successor'] as const
type Row = Readonly<Record<(typeof columns)[number], string>>

function fromCsv(text: string): { readonly content: TaxonomyContent; readonly locate: Locate } {
  refuseOtherSeparators(text)
  const rows = csvRows(text)
  const domains = new Map<string, MutableDomain>()
  const successors = emptyRecord<string | null>()
  const places = new Map<string, TextPosition>()
  const languages = new Map<string, TextPosition>()
  for (const { row, line } of rows) {
    const { id, parent, field, lang, value } = row
    const at = (column: (typeof columns)[number]): TextPosition => ({ line, column: columns.indexOf(column) + 1 })
    if (id === '') refuse(at('id'), 'The id is missing')
    if (!isField(field)) refuse(at('field'), `Unknown field ${JSON.stringify(field.slice(0, 40))}; use ${fields.join(', ')}`)
    if (field === 'successor') {
      successors[id] = value === '' ? null : value
      places.set(keyOf([id]), at('value'))
      continue
    }
    let domain = domains.get(id)
    if (domain === undefined) {
      domain = { id, parentId: parent || null, slug: id, position: domains.size, ...emptyTexts() }
      domains.set(id, domain)
      places.set(keyOf([id]), at('id'))
      places.set(keyOf([id, 'parent']), at('parent'))
    } else if (parent !== '' && parent !== domain.parentId)
      refuse(at('parent'), `The parent of ${id} is ${domain.parentId === null ? 'empty' : domain.parentId} in an earlier row`)
    if (value === '') refuse(at('value'), 'The value is missing')
    if (field === 'slug') {
      domain.slug = value
      continue
    }
    if (lang === '') refuse(at('lang'), 'The language is missing')
    const place =
      addValue(domain, field, lang, value) ?? refuse(at('lang'), `An earlier row has a ${field} of ${id} in ${lang}: keep one of them`)
    places.set(keyOf(place), at('value'))
    const ofLanguage = keyOf(place.slice(0, 3))
    if (!languages.has(ofLanguage)) languages.set(ofLanguage, at('lang'))
    if (!places.has(keyOf(place.slice(0, -1)))) places.set(keyOf(place.slice(0, -1)), at('lang'))
  }
  return {
    content: inOrder({ domains: [...domains.values()], successors }),
    locate({ code, path }) {
      const language = isOfLanguage(code) ? languages.get(keyOf(path)) : undefined
      if (language !== undefined) return language
      for (let length = path.length; length > 0; length--) {
        const place = places.get(keyOf(path.slice(0, length)))
        if (place !== undefined) return place
      }
      return { line: 1, column: 1 }
    },
  }
}

/** Returns a record for names from a file, of which `__proto__` is one as any other. */
const emptyRecord = <Value>(): Record<string, Value> => Object.create(null)
const emptyTexts = (): Pick<MutableDomain, 'labels' | 'descriptions' | 'examples' | 'words'> => ({
  ...{ labels: emptyRecord(), descriptions: emptyRecord(), examples: emptyRecord(), words: emptyRecord() },
})

interface MutableDomain extends TaxonomyDomain {
  slug: string
  readonly labels: Record<string, string>
  readonly descriptions: Record<string, string>
  readonly examples: Record<string, string[]>
  readonly words: Record<string, string>
}

/** Whether a rule is about the language of a text rather than about the text. */
const isOfLanguage = (code: Violation['code']): boolean => code === 'unknown_language' || code === 'wrong_pattern'
const keyOf = (path: Path): string => JSON.stringify(path)
const isField = (field: string): field is (typeof fields)[number] => fields.some((each) => each === field)

/** @returns the path of the value; undefined if the language has one already */
function addValue(
  domain: MutableDomain,
  field: 'label' | 'description' | 'example' | 'word',
  lang: string,
  value: string,
): Path | undefined {
  if (field === 'example') {
    const phrases = domain.examples[lang] ?? []
    domain.examples[lang] = phrases
    return [domain.id, 'examples', lang, phrases.push(value) - 1]
  }
  if (field === 'word') {
    domain.words[lang] = [domain.words[lang] ?? '', value].join(' ').trim()
    return [domain.id, 'words', lang]
  }
  const member = field === 'label' ? 'labels' : 'descriptions'
  if (domain[member][lang] !== undefined) return undefined
  domain[member][lang] = value
  return [domain.id, member, lang]
}

function refuseOtherSeparators(text: string): void {
  const [first = ''] = text.split(/\r?\n/, 1)
  const other = otherSeparatorIn(first)
  if (other !== undefined)
    refuse({ line: 1, column: other.column }, `The columns are separated by ${JSON.stringify(other.separator)}: separate them by commas`)
}

const Positioned = z.array(z.object({ record: z.array(z.string()), info: z.object({ lines: z.int() }) }))

function csvRows(text: string): readonly { readonly row: Row; readonly line: number }[] {
  let endOfLast = 0
  try {
    // with `info` each row comes with its position, which the types of the library do not say
    const read: unknown = parse(text, {
      info: true,
      bom: true,
      skip_empty_lines: true,
      trim: true,
      to: maxRows + 2,
    })
    const rows = Positioned.parse(read).map(({ record, info }) => {
      const line = Math.max(endOfLast + 1, info.lines - record.reduce((sum, value) => sum + (value.split('\n').length - 1), 0))
      endOfLast = info.lines
      return { record, line }
    })
    const [header, ...others] = rows
    const wrong = columns.findIndex((name, index) => header?.record[index] !== name)
    if (wrong !== -1 || header?.record.length !== columns.length)
      refuse({ line: 1, column: wrong === -1 ? columns.length + 1 : wrong + 1 }, `The first line must be ${columns.join(',')}`)
    if (others.length > maxRows) refuse({ line: others.at(-1)?.line ?? 1, column: 1 }, `The file has more than ${maxRows} rows`)
    return others.map(({ record: [id = '', parent = '', field = '', lang = '', value = ''], line }) => ({
      row: { id, parent, field, lang, value: csvText(value) },
      line,
    }))
  } catch (error) {
    if (!isCsvError(error)) throw error
    const line = Number(error.lines ?? endOfLast + 1)
    return refuse({ line, column: Number(error.column) + 1 || 1 }, `The file is not CSV: ${error.message}`)
  }
}

const isCsvError = (error: unknown): error is CsvError & { readonly lines?: number; readonly column?: number } =>
  error instanceof Error && 'code' in error && String(error.code).startsWith('CSV_')

/** Formats a taxonomy for people to edit; reading it returns the same taxonomy. */
export function writeTaxonomyFile(content: TaxonomyContent, format: TaxonomyFormat): string {
  return format === 'json' ? `${JSON.stringify(asFile(content), undefined, 2)}\n` : asCsv(content)
}

function asFile({ domains, successors }: TaxonomyContent): z.input<typeof TaxonomyFile> {
  const shown = ({ id, slug, labels, descriptions, examples, words }: TaxonomyDomain) => ({
    id,
    ...(slug !== id && { slug }),
    labels: { ...labels },
    ...(hasMembers(descriptions) && { descriptions: { ...descriptions } }),
    ...(hasMembers(examples) && { examples: Object.fromEntries(Object.entries(examples).map(([lang, phrases]) => [lang, [...phrases]])) }),
    ...(hasMembers(words) && { words: { ...words } }),
  })
  return {
    domains: domains
      .filter(({ parentId }) => parentId === null)
      .map((domain) => {
        const subDomains = domains.filter(({ parentId }) => parentId === domain.id)
        return { ...shown(domain), ...(subDomains.length > 0 && { subDomains: subDomains.map(shown) }) }
      }),
    ...(hasMembers(successors) && { retired: { ...successors } }),
  }
}

const hasMembers = (record: object): boolean => Object.keys(record).length > 0

function asCsv({ domains, successors }: TaxonomyContent): string {
  const rows = [csvRow(columns)]
  const add = (...values: readonly string[]): void => void rows.push(csvRow(values))
  const roots = domains.filter(({ parentId }) => parentId === null)
  for (const domain of roots.flatMap((root) => [root, ...domains.filter(({ parentId }) => parentId === root.id)])) {
    const { id, parentId, slug, labels, descriptions, examples, words } = domain
    const of = (field: (typeof fields)[number], lang: string, value: string): void => add(id, parentId ?? '', field, lang, value)
    if (slug !== id) of('slug', '', slug)
    for (const [lang, text] of Object.entries(labels)) of('label', lang, text)
    for (const [lang, text] of Object.entries(descriptions)) of('description', lang, text)
    for (const [lang, phrases] of Object.entries(examples)) for (const text of phrases) of('example', lang, text)
    for (const [lang, text] of Object.entries(words)) of('word', lang, text)
  }
  for (const [id, successor] of Object.entries(successors)) add(id, '', 'successor', '', successor ?? '')
  return rows.join('')
}
