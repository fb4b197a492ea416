import { z } from 'zod'
import type { AnalyticsStore } from '../../../engines/analytics-store/analytics-store.ts'
import { EngineUnavailable, InvalidInput, messageOf, refuseViolations } from '../../../foundation/fault.ts'
import type { FileLine } from '../../../foundation/files/data-file.ts'
import { inSnakeCase, type Violation } from '../../../foundation/validation/violation.ts'
import type { Pipeline } from '../analysis/pipeline.ts'
import { saveWithCurrentDomains } from '../expression/current-domains.ts'
import type { ExpressionDocument, QueuedExpression } from '../expression/expression-document.ts'
import { ExpressionInput, type NewExpression } from '../expression/expression-input.ts'
import { recordOf } from '../expression/expression-mapping.ts'
import type { ExpressionScreening } from '../screening/screen-expressions.ts'
import type { StepRetries } from '../step-retries/step-retries.ts'
import { enrich, type IdentifiedExpression, identify } from './enrich-expression.ts'
import { type IdentityKeys, operator } from './expression-key.ts'
import { newExpression } from './expression-rules.ts'

export interface ImportCounts {
  readonly created: number
  /** expressions that were already stored */
  readonly known: number
  readonly refused: readonly Refusal[]
}

interface Refusal {
  readonly line: number
  readonly reason: string
}

/** A line, as in POST /api/v1/expressions: the members of an expression under their REST names, and a time as text. */
const Line = ExpressionInput.extend({
  createdAt: z.iso
    .datetime({ offset: true, local: true })
    .transform((moment) => new Date(moment))
    .nullish(),
})

/** Returns the path of a member in the file: `externalId` as `external_id`. */
const inFile = (path: Violation['path']): Violation['path'] => (path[0] === 'domain' ? ['domain_hint'] : inSnakeCase(path))

export interface ImportEngines extends IdentityKeys {
  readonly store: AnalyticsStore<ExpressionDocument>
  readonly retries: StepRetries
  readonly pipeline: Pick<Pipeline, 'run'>
  /** absent: no expression is flagged or held */
  readonly screening?: ExpressionScreening | undefined
}

/** Properties of an imported file. */
export interface ImportedFile {
  /** digest of the content: identifies lines without an id together with their number */
  readonly digest: string
  /** start of the import: the day on which equal texts of one author are duplicates */
  readonly begun: Date
  readonly source: string
}

/**
 * Writes lines of a file to the analytics store directly; the search index and other consumers follow the change log. Lines that were
 * imported before change nothing, so a part may be repeated.
 * @throws {EngineUnavailable} when the store is unavailable: none of these lines was written
 */
export async function importExpressions(
  engines: ImportEngines,
  file: ImportedFile,
  lines: readonly FileLine[],
  signal: AbortSignal,
): Promise<ImportCounts> {
  const { store, pipeline } = engines
  const refused: Refusal[] = []
  const wanted = new Map<string, { readonly line: number; readonly identified: IdentifiedExpression }>()
  let known = 0
  for (const line of lines) {
    try {
      const identified = identify(readLine(line, file), operator, file.begun, engines)
      const twin = wanted.get(identified.id)
      if (twin !== undefined && twin.identified.text !== identified.text && identified.externalId !== null) throw otherText()
      if (twin === undefined) wanted.set(identified.id, { line: line.number, identified })
      else known += 1
    } catch (error) {
      if (!(error instanceof InvalidInput)) throw error
      refused.push({ line: line.number, reason: error.message })
    }
  }
  const stored = await storedOf(store, [...wanted.values()])
  for (const [id, { line, identified }] of wanted) {
    const isSame = (text: string | null | undefined): boolean =>
      text !== undefined && (identified.externalId === null || text === identified.text)
    const text = stored.get(id)
    const former = identified.formerId === null ? undefined : stored.get(identified.formerId)
    // null: the expression was withdrawn and is not stored again
    if (isSame(text) || isSame(former) || former === null) known += 1
    else if (text != null) refused.push({ line, reason: otherText().message })
    else continue
    wanted.delete(id)
  }
  const queued = new Map<number, QueuedExpression>()
  for (const { line, identified } of wanted.values()) {
    signal.throwIfAborted()
    queued.set(line, await enrich(pipeline, identified, file.begun, signal))
  }
  const held = [...queued].filter(([, { document }]) => engines.screening?.mustHold(document))
  let withheld = 0
  for (const [line, row] of held) {
    // false: an earlier import holds it
    if (await engines.screening?.hold(row)) withheld += 1
    else known += 1
    queued.delete(line)
  }
  await engines.screening?.flag([...queued.values()].map(({ document }) => document))
  const { added, unwritable } = await write(engines, queued)
  refused.push(...unwritable)
  return {
    created: added + withheld,
    known: known + queued.size - unwritable.length - added,
    refused: refused.sort((a, b) => a.line - b.line),
  }
}

/** Returns the stored texts under current and former ids; null for a withdrawn expression. */
async function storedOf(
  store: ImportEngines['store'],
  wanted: readonly { readonly identified: IdentifiedExpression }[],
): Promise<ReadonlyMap<string, string | null>> {
  const stored = new Map<string, string | null>()
  const ids = wanted.flatMap(({ identified: { id, formerId } }) => (formerId === null ? [id] : [id, formerId]))
  for (const { id, text } of await store.findExpressions(ids, (withdrawn) => stored.set(withdrawn, null))) stored.set(id, text)
  return stored
}

/** Writes all lines together or, if the store refuses, one by one, so that only the invalid line is refused. @param queued - by line */
async function write(
  engines: Pick<ImportEngines, 'store' | 'retries'>,
  queued: ReadonlyMap<number, QueuedExpression>,
): Promise<{ readonly added: number; readonly unwritable: readonly Refusal[] }> {
  const { store, retries } = engines
  const rows = [...queued.values()]
  try {
    await retries.schedule(rows.flatMap(({ document, given }) => (given == null ? [] : [{ id: document.id, given }])))
    const { added } = await saveWithCurrentDomains(store, rows.map(recordOf))
    return { added, unwritable: [] }
  } catch (error) {
    if (error instanceof EngineUnavailable) throw error
    const [line, ...others] = queued.keys()
    if (line !== undefined && others.length === 0) return { added: 0, unwritable: [{ line, reason: messageOf(error) }] }
  }
  let added = 0
  const unwritable: Refusal[] = []
  for (const each of queued) {
    const written = await write(engines, new Map([each]))
    added += written.added
    unwritable.push(...written.unwritable)
  }
  return { added, unwritable }
}

const otherText = (): InvalidInput => new InvalidInput('external_id exists with another text')

/** @throws {InvalidInput} with the member names of the file */
function checked(input: ExpressionInput): NewExpression {
  try {
    return newExpression(input)
  } catch (error) {
    if (!(error instanceof InvalidInput)) throw error
    refuseViolations((error.details.entries ?? []).map((violation) => ({ ...violation, path: inFile(violation.path) })))
    throw error
  }
}

/** @throws {InvalidInput} with one sentence that starts with the member */
function readLine(line: FileLine, { digest, source }: ImportedFile): NewExpression {
  if ('problem' in line) throw new InvalidInput(line.problem)
  let content: unknown
  try {
    content = JSON.parse(line.text)
  } catch {
    throw new InvalidInput('the line is not JSON')
  }
  const read = Line.safeParse(named(content))
  if (!read.success) {
    const [issue] = read.error.issues
    const path = inFile((issue?.path ?? []).map((step) => (typeof step === 'symbol' ? String(step) : step)))
    throw new InvalidInput(`${path.join('.') || 'the line'}: ${issue?.message ?? 'cannot be read'}`)
  }
  const expression = checked({ ...read.data, source: read.data.source ?? source })
  if (expression.externalId !== null || expression.authorRef !== null) return expression
  return { ...expression, occurrence: `${digest}:${line.number}` }
}

/** Returns the members of a line under the names of `ExpressionInput`; anything but an object as it is. */
function named(content: unknown): unknown {
  if (typeof content !== 'object' || content === null || Array.isArray(content)) return content
  const members = new Map<string, unknown>(Object.entries(content))
  return Object.fromEntries(Object.keys(Line.shape).map((name) => [name, members.get(inFile([name]).join('.'))]))
}
