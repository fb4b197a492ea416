import { parse } from 'csv-parse/sync'
import { z } from 'zod'
import { InvalidInput } from '../../../foundation/fault.ts'

/** A text and its labels; an empty label is not evaluated. */
const LabelledText = z.object({
  text: z.string().trim().min(1).max(10_000),
  lang: z.string().default(''),
  /** id of a domain or sub-domain */
  domain: z.string().default(''),
  sentiment: z.enum(['positive', 'neutral', 'negative', '']).default(''),
})
export type LabelledText = z.output<typeof LabelledText>

const maxTexts = 100_000

/**
 * Reads labelled texts from NDJSON or from CSV with a header; members or columns `text`, `lang`, `domain` and `sentiment`, others ignored.
 * @param domains - valid ids of `domain`
 * @throws {InvalidInput} naming the first invalid row
 */
export function readLabelledTexts(content: string, format: 'ndjson' | 'csv', domains: ReadonlySet<string>): readonly LabelledText[] {
  const rows = format === 'csv' ? fromCsv(content) : fromLines(content)
  if (rows.length === 0) throw new InvalidInput('The file has no rows')
  if (!rows.some((row) => typeof row === 'object' && row !== null && 'text' in row))
    throw new InvalidInput(
      'No row has a text: name the columns or members text, lang, domain and sentiment, and separate columns by commas',
    )
  if (rows.length > maxTexts) throw new InvalidInput(`The file has more than ${maxTexts} rows`)
  return rows.map((row, index) => {
    const parsed = LabelledText.safeParse(row)
    if (!parsed.success) {
      const [issue] = parsed.error.issues
      throw new InvalidInput(`Row ${index + 1}: ${issue?.path.join('.') ?? ''} ${issue?.message ?? 'cannot be read'}`)
    }
    const { domain } = parsed.data
    if (domain !== '' && !domains.has(domain))
      throw new InvalidInput(`Row ${index + 1}: domain ${JSON.stringify(domain.slice(0, 80))} is not in the taxonomy`)
    return parsed.data
  })
}

function fromCsv(content: string): readonly unknown[] {
  try {
    return parse(content, { columns: true, bom: true, skip_empty_lines: true, trim: true })
  } catch (error) {
    throw new InvalidInput(`The file is not CSV: ${error instanceof Error ? error.message : 'it cannot be read'}`)
  }
}

function fromLines(content: string): readonly unknown[] {
  return content
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line, index): unknown => {
      try {
        return JSON.parse(line)
      } catch {
        throw new InvalidInput(`Row ${index + 1} is not JSON`)
      }
    })
}
