import type { z } from 'zod'
import { echoOf } from './echo.ts'
import type { WrittenJson } from './python-json.ts'
import type { RequestBody } from './request-body.ts'

type Location = readonly (string | number)[]

/** One entry of a refusal's `detail`: the documented ValidationError, with what it echoes as it was written. */
export interface InvalidEntry {
  readonly type: string
  readonly loc: Location
  readonly msg: string
  readonly input?: WrittenJson
  readonly ctx?: Readonly<Record<string, unknown>>
}

/** A request that breaks the documented rules: 422 with the HTTPValidationError of the reference implementation. */
export class InvalidRequest extends Error {
  readonly entries: readonly InvalidEntry[]
  constructor(entries: readonly InvalidEntry[]) {
    super('the request is not valid')
    this.name = 'InvalidRequest'
    this.entries = entries
  }
}

/** A rule's own refusal: `context.addIssue(ownIssue({ type: 'int_parsing', msg: '…' }))`. */
export function ownIssue(entry: Omit<InvalidEntry, 'loc' | 'input'>): { code: 'custom'; params: Readonly<Record<string, unknown>> } {
  return { code: 'custom', params: { entry } }
}

/** An answer names at most so many problems, and echoes at most so many characters: requests are megabytes, answers must not be. */
const maxEntries = 1000
const maxEchoed = 256 * 1024

/** The body of a 422, as JSON text. */
export function invalidRequestBody({ entries }: InvalidRequest): string {
  let room = maxEchoed
  const texts = entries.slice(0, maxEntries).map(({ type, loc, msg, input, ctx }) => {
    const echoed = input === undefined ? undefined : echoOf(input, room)
    room -= echoed?.length ?? 0
    const members = [`"type":${JSON.stringify(type)}`, `"loc":${JSON.stringify(loc)}`, `"msg":${JSON.stringify(msg)}`]
    if (echoed !== undefined) members.push(`"input":${echoed}`)
    if (ctx !== undefined) members.push(`"ctx":${JSON.stringify(ctx)}`)
    return `{${members.join(',')}}`
  })
  return `{"detail":[${texts.join(',')}]}`
}

export function missingEntry(loc: Location, input: WrittenJson | undefined = null): InvalidEntry {
  return { type: 'missing', loc, msg: 'Field required', ...(input === undefined ? {} : { input }) }
}

/** What a rule found in a body, in the reference implementation's words. */
export function bodyEntries(error: z.ZodError, body: RequestBody): readonly InvalidEntry[] {
  const written = body.written()
  return onePerPlace(error.issues).map((issue) => {
    const path = issue.path.map((step) => (typeof step === 'number' ? step : String(step)))
    const loc = ['body', ...path]
    if (lookUp(body.value, path) === undefined) return missingEntry(loc, written && writtenAt(written, path.slice(0, -1)))
    const input = written && writtenAt(written, path)
    return { ...explained(issue), loc, ...(input === undefined ? {} : { input }) }
  })
}

/** What a rule found in the members of a query or path; absent ones included. */
export function parameterEntries(
  where: 'query' | 'path' | 'header',
  error: z.ZodError,
  values: Readonly<Record<string, string>>,
): readonly InvalidEntry[] {
  return onePerPlace(error.issues).map((issue) => {
    const name = String(issue.path[0])
    const value = values[name]
    return value === undefined ? missingEntry([where, name], null) : { ...explained(issue), loc: [where, name], input: value }
  })
}

/** Rules that go on after a wrong type have more to say about the same place; only the first says what is wrong. */
function onePerPlace(issues: readonly z.core.$ZodIssue[]): readonly z.core.$ZodIssue[] {
  const samePlace = (one: Location, other: Location): boolean => one.length === other.length && one.every((step, at) => step === other[at])
  return issues
    .slice(0, maxEntries)
    .filter(({ path }, at) => !samePlace(path as Location, (issues[at - 1]?.path ?? [Number.NaN]) as Location))
}

function explained(issue: z.core.$ZodIssue): Omit<InvalidEntry, 'loc' | 'input'> {
  switch (issue.code) {
    case 'invalid_type':
      return typeProblem(issue.expected)
    case 'invalid_value': {
      const expected = alternatives(issue.values.map((value) => `'${String(value)}'`))
      return { type: 'literal_error', msg: `Input should be ${expected}`, ctx: { expected } }
    }
    case 'too_big':
      return { type: 'less_than_equal', msg: `Input should be less than or equal to ${issue.maximum}`, ctx: { le: Number(issue.maximum) } }
    case 'too_small':
      return {
        type: 'greater_than_equal',
        msg: `Input should be greater than or equal to ${issue.minimum}`,
        ctx: { ge: Number(issue.minimum) },
      }
    case 'custom': {
      const entry: unknown = issue.params?.entry
      // put there by ownIssue, the only writer of this parameter
      if (entry !== undefined) return entry as Omit<InvalidEntry, 'loc' | 'input'>
      break
    }
  }
  return { type: 'value_error', msg: issue.message }
}

const typeProblems: Readonly<Record<string, Omit<InvalidEntry, 'loc' | 'input'>>> = {
  string: { type: 'string_type', msg: 'Input should be a valid string' },
  array: { type: 'list_type', msg: 'Input should be a valid list' },
  object: { type: 'model_attributes_type', msg: 'Input should be a valid dictionary or object to extract fields from' },
  number: { type: 'float_type', msg: 'Input should be a valid number' },
  int: { type: 'int_type', msg: 'Input should be a valid integer' },
  boolean: { type: 'bool_type', msg: 'Input should be a valid boolean' },
}

function typeProblem(expected: string): Omit<InvalidEntry, 'loc' | 'input'> {
  return typeProblems[expected] ?? { type: 'value_error', msg: `Input should be a valid ${expected}` }
}

function alternatives(values: readonly string[]): string {
  return values.length < 2 ? values.join('') : `${values.slice(0, -1).join(', ')} or ${values.at(-1)}`
}

/** @returns undefined where nothing is */
function lookUp(value: unknown, path: Location): unknown {
  let here = value
  for (const step of path) {
    if (typeof here !== 'object' || here === null || !Object.hasOwn(here, step)) return undefined
    // any member of an object may be looked at by its name
    here = (here as Readonly<Record<string | number, unknown>>)[step]
  }
  return here
}

function writtenAt(value: WrittenJson, path: Location): WrittenJson | undefined {
  let here: WrittenJson | undefined = value
  for (const step of path) {
    if (here instanceof Map) here = (here as ReadonlyMap<string, WrittenJson>).get(String(step))
    else if (Array.isArray(here)) here = (here as readonly WrittenJson[])[Number(step)]
    else return undefined
  }
  return here
}
