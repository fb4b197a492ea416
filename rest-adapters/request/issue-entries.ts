import type { z } from 'zod'
import type { WrittenJson } from '../json/python-json.ts'
import { type InvalidEntry, type Location, maxEntries, missingEntry } from '../response/invalid-request.ts'
import type { RequestBody } from './request-body.ts'

/** Converts issues of a body to the entries of the reference implementation. */
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

/** Converts issues of query or path members, including missing ones. */
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

/** Keeps the first issue per location: rules that continue after a wrong type report further ones. */
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
      // set only by ownIssue
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

/** @returns undefined if there is no value */
function lookUp(value: unknown, path: Location): unknown {
  let here = value
  for (const step of path) {
    if (typeof here !== 'object' || here === null || !Object.hasOwn(here, step)) return undefined
    // reading any member of an object by name is safe
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
