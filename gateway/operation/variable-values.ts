import {
  type GraphQLEnumType,
  GraphQLError,
  type GraphQLInputObjectType,
  type GraphQLInputType,
  type GraphQLScalarType,
  type GraphQLSchema,
  isEnumType,
  isInputObjectType,
  isInputType,
  isListType,
  isNonNullType,
  print,
  TypeInfo,
  typeFromAST,
  ValidationContext,
} from 'graphql'
import { invalid, required, type Violation } from '../../foundation/validation/violation.ts'
import { withinVariable } from '../errors/variable-path.ts'
import { oncePerOperation, type PreparedOperation } from './prepared-operation.ts'

const maxErrors = 20
/** Maximum nesting of lists and objects: deeper values would overflow the stack of later code. */
const maxDepth = 100

/** @returns no errors if the variables are valid; at most 20 otherwise */
export type VariableCheck = (operation: PreparedOperation, variables: Readonly<Record<string, unknown>>) => readonly GraphQLError[]

/** Validates variables. Unlike graphql-js, errors never contain values or member names of the caller, since variables may contain photographs. */
export function variableChecks(schema: GraphQLSchema): VariableCheck {
  const neverNull = oncePerOperation((operation) => variablesNeverNull(schema, operation))
  return (operation, variables) => {
    const errors: GraphQLError[] = []
    for (const definition of operation.definition.variableDefinitions ?? []) {
      if (errors.length >= maxErrors) break
      const name = definition.variable.name.value
      const type = typeFromAST(schema, definition.type)
      if (!isInputType(type)) continue
      const report = (problem: string, entry: Violation): void => {
        const extensions = { entries: [entry], code: 'BAD_USER_INPUT' }
        errors.push(new GraphQLError(`Variable "$${name}" ${problem}`, { nodes: definition, extensions }))
      }
      const value = Object.hasOwn(variables, name) ? variables[name] : undefined
      if (value === undefined) {
        if (isNonNullType(type) && definition.defaultValue === undefined)
          report(`of required type "${print(definition.type)}" was not provided.`, required(withinVariable([name])))
      } else if (value === null) {
        if (isNonNullType(type)) report(`of non-null type "${print(definition.type)}" must not be null.`, required(withinVariable([name])))
        else if (neverNull(operation).has(name))
          report('must not be null where it stands; leave it out for the default.', required(withinVariable([name])))
      } else if (isTooDeep(value)) {
        errors.push(tooDeep(`Variable "$${name}"`))
      } else {
        for (const { path, sentence } of misfits(value, type, [])) {
          const problem = sentence(typeAt(type, path))
          report(`got an invalid value${at(name, path)}; ${problem}`, entryOf([name, ...path], problem))
          if (errors.length >= maxErrors) return errors
        }
      }
    }
    return errors
  }
}

/**
 * Finds variables whose type is nullable while one of their positions has a default and is non-null: they may be omitted, but an explicit null is an
 * error (GraphQL specification, 5.8.5 and 6.4.1), which otherwise each subgraph would report.
 */
function variablesNeverNull(schema: GraphQLSchema, { document, definition }: PreparedOperation): ReadonlySet<string> {
  const context = new ValidationContext(schema, document, new TypeInfo(schema), () => undefined)
  const usages = context.getRecursiveVariableUsages(definition)
  return new Set(usages.filter(({ type }) => isNonNullType(type)).map(({ node }) => node.name.value))
}

/** @throws {GraphQLError} LIMIT_EXCEEDED for variables with more than 100 levels, used by the operation or not */
export function checkDepth(variables: Readonly<Record<string, unknown>>): void {
  if (Object.values(variables).some((value) => isTooDeep(value))) throw tooDeep('A variable')
}

function tooDeep(what: string): GraphQLError {
  return new GraphQLError(`${what} is nested more than ${maxDepth} levels deep`, {
    extensions: { code: 'LIMIT_EXCEEDED' },
  })
}

/** @param problem - names the member if one is missing */
function entryOf(path: readonly (string | number)[], problem: string): Violation {
  const [, member] = /^Field "(\w+)" of required type /.exec(problem) ?? []
  return member === undefined ? invalid(withinVariable(path), problem) : required(withinVariable([...path, member]))
}

function isTooDeep(value: unknown, remainingDepth = maxDepth): boolean {
  // decoded images pass unchanged and have no members
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return false
  return remainingDepth === 0 || Object.values(value).some((member) => isTooDeep(member, remainingDepth - 1))
}

function at(name: string, path: readonly (string | number)[]): string {
  return path.length === 0
    ? ''
    : ` at "${path.reduce<string>((text, key) => text + (typeof key === 'number' ? `[${key}]` : `.${key}`), name)}"`
}

type Path = readonly (string | number)[]

interface Misfit {
  readonly path: Path
  /** mentions types and declared fields only @param type - at the path */
  readonly sentence: (type: string) => string
}

const expectedType = (type: string): string => `expected type "${type}".`
const undefinedField = (type: string): string => `it has a field that type "${type}" does not define.`

/**
 * Yields the type errors of a value one at a time. Unlike coerceInputValue of graphql-js it can be stopped, prints no values, and computes no
 * suggestions, which are slow for long texts.
 */
function* misfits(value: unknown, type: GraphQLInputType, path: Path): Generator<Misfit, void> {
  if (isNonNullType(type)) {
    if (value !== null && value !== undefined) yield* misfits(value, type.ofType, path)
    else yield { path, sentence: () => `Expected non-nullable type "${String(type)}" not to be null.` }
  } else if (value === null || value === undefined) {
    return
  } else if (isListType(type)) {
    if (!isIterable(value)) return yield* misfits(value, type.ofType, path)
    let index = 0
    for (const item of value) yield* misfits(item, type.ofType, [...path, index++])
  } else if (isInputObjectType(type)) {
    yield* misfitMembers(value, type, path)
  } else if (!fits(value, type)) {
    yield { path, sentence: expectedType }
  }
}

function* misfitMembers(value: unknown, type: GraphQLInputObjectType, path: Path): Generator<Misfit, void> {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return yield { path, sentence: () => `Expected type "${type.name}" to be an object.` }
  const members: Readonly<Record<string, unknown>> = { ...value }
  const fields = type.getFields()
  for (const field of Object.values(fields)) {
    const member = members[field.name]
    if (member !== undefined) yield* misfits(member, field.type, [...path, field.name])
    else if (field.defaultValue === undefined && isNonNullType(field.type))
      yield { path, sentence: () => `Field "${field.name}" of required type "${String(field.type)}" was not provided.` }
  }
  for (const name of Object.keys(members)) if (!Object.hasOwn(fields, name)) yield { path, sentence: undefinedField }
  if (!type.isOneOf) return
  const present = Object.keys(fields).filter((name) => members[name] !== undefined)
  if (present.length !== 1) yield { path, sentence: () => `Exactly one key must be specified for OneOf type "${type.name}".` }
  for (const name of present.slice(0, 1)) if (members[name] === null) yield { path: [...path, name], sentence: expectedType }
}

/** Whether a scalar or an enum accepts a value, ignoring its message, which may repeat the value. */
function fits(value: unknown, type: GraphQLScalarType | GraphQLEnumType): boolean {
  if (isEnumType(type)) return typeof value === 'string' && type.getValue(value) !== undefined
  if (typeof value === 'string' && numbers.has(type.name)) return false
  try {
    return type.parseValue(value) !== undefined
  } catch {
    return false
  }
}
/** their messages in graphql-js contain the whole text */
const numbers = new Set(['Int', 'Float', 'Boolean'])

const isIterable = (value: unknown): value is Iterable<unknown> =>
  typeof value === 'object' && value !== null && Symbol.iterator in value && !ArrayBuffer.isView(value)

function typeAt(type: GraphQLInputType, path: Path): string {
  let here: GraphQLInputType | undefined = type
  for (const key of path) {
    while (here !== undefined && isNonNullType(here)) here = here.ofType
    if (isListType(here) && typeof key === 'number') here = here.ofType
    else if (isInputObjectType(here)) here = here.getFields()[key]?.type
  }
  return String(isNonNullType(here) ? here.ofType : here)
}
