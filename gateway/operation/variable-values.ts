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
import { InvalidInput } from '../../foundation/fault.ts'
import { required, type Violation, wrongType } from '../../foundation/validation/violation.ts'
import { variablePlaces, withinArgument } from '../errors/variable-path.ts'
import { oncePerOperation, type PreparedOperation } from './prepared-operation.ts'

const maxErrors = 20
/** Maximum nesting of lists and objects: deeper values would overflow the stack of later code. */
const maxDepth = 100

/** @returns no errors if the variables are valid; at most 20 otherwise */
export type VariableCheck = (operation: PreparedOperation, variables: Readonly<Record<string, unknown>>) => readonly GraphQLError[]

/** Validates variables. Unlike graphql-js, errors never contain values or member names of the caller, since variables may contain photographs. */
export function variableChecks(schema: GraphQLSchema): VariableCheck {
  const neverNull = oncePerOperation((operation) => variablesNeverNull(schema, operation))
  const placesOf = oncePerOperation(({ document }) => variablePlaces(document))
  return (operation, variables) => {
    const errors: GraphQLError[] = []
    for (const definition of operation.definition.variableDefinitions ?? []) {
      if (errors.length >= maxErrors) break
      const name = definition.variable.name.value
      const type = typeFromAST(schema, definition.type)
      if (!isInputType(type)) continue
      const place = placesOf(operation).get(name) ?? [name]
      const report = (problem: string, entry: Violation): void => {
        const extensions = { entries: [{ ...entry, path: withinArgument([...place, ...entry.path]) }], code: 'BAD_USER_INPUT' }
        errors.push(new GraphQLError(`Variable "$${name}" ${problem}`, { nodes: definition, extensions }))
      }
      const value = Object.hasOwn(variables, name) ? variables[name] : undefined
      if (value === undefined) {
        if (isNonNullType(type) && definition.defaultValue === undefined)
          report(`of required type "${print(definition.type)}" was not provided.`, required([]))
      } else if (value === null) {
        if (isNonNullType(type)) report(`of non-null type "${print(definition.type)}" must not be null.`, required([]))
        else if (neverNull(operation).has(name))
          report('must not be null, because its position is non-null; omit it to use the default.', required([]))
      } else if (isTooDeep(value)) {
        errors.push(tooDeep(`Variable "$${name}"`))
      } else {
        for (const typeError of typeErrors(value, type, [])) {
          report(`got an invalid value${at(name, typeError.path)}; ${typeError.message}`, typeError)
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

/**
 * Yields the type errors of a value one at a time. Unlike coerceInputValue of graphql-js it can be stopped, prints no values, and computes no
 * suggestions, which are slow for long texts.
 */
function* typeErrors(value: unknown, type: GraphQLInputType, path: Path): Generator<Violation, void> {
  if (isNonNullType(type)) {
    if (value !== null && value !== undefined) yield* typeErrors(value, type.ofType, path)
    else yield required(path)
  } else if (value === null || value === undefined) {
    return
  } else if (isListType(type)) {
    if (!isIterable(value)) return yield* typeErrors(value, type.ofType, path)
    let index = 0
    for (const item of value) yield* typeErrors(item, type.ofType, [...path, index++])
  } else if (isInputObjectType(type)) {
    yield* memberErrors(value, type, path)
  } else {
    for (const problem of leafErrors(value, type)) yield { ...problem, path: [...path, ...problem.path] }
  }
}

function* memberErrors(value: unknown, type: GraphQLInputObjectType, path: Path): Generator<Violation, void> {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return yield { code: 'not_an_object', path, message: `Input should be an object of type "${type.name}"` }
  const members: Readonly<Record<string, unknown>> = { ...value }
  const fields = type.getFields()
  for (const field of Object.values(fields)) {
    const member = members[field.name]
    if (member !== undefined) yield* typeErrors(member, field.type, [...path, field.name])
    else if (field.defaultValue === undefined && isNonNullType(field.type)) yield required([...path, field.name])
  }
  const message = `Type "${type.name}" has no such field`
  for (const name of Object.keys(members))
    if (!Object.hasOwn(fields, name)) yield { code: 'unknown_member', path: isName.test(name) ? [...path, name] : path, message }
  if (!type.isOneOf) return
  const present = Object.keys(fields).filter((name) => members[name] !== undefined)
  const oneOf = `Input should have exactly one field of type "${type.name}"`
  if (present.length !== 1) yield { code: present.length === 0 ? 'required' : 'exclusive', path, message: oneOf }
  for (const name of present.slice(0, 1)) if (members[name] === null) yield required([...path, name])
}

/** A name that may be repeated: longer ones may be content in the wrong place. */
const isName = /^[A-Za-z_]\w{0,39}$/

/** Returns why a scalar or an enum refuses a value; never the message of graphql-js, which repeats it. */
function leafErrors(value: unknown, type: GraphQLScalarType | GraphQLEnumType): readonly Violation[] {
  const refusal = [wrongType([], `Input should be of type "${type.name}"`)]
  if (isEnumType(type)) return typeof value === 'string' && type.getValue(value) !== undefined ? [] : refusal
  if (typeof value === 'string' && numbers.has(type.name)) return refusal
  try {
    return type.parseValue(value) === undefined ? refusal : []
  } catch (error) {
    return (error instanceof InvalidInput && error.details.entries) || refusal
  }
}
/** their messages in graphql-js contain the whole text */
const numbers = new Set(['Int', 'Float', 'Boolean'])

const isIterable = (value: unknown): value is Iterable<unknown> =>
  typeof value === 'object' && value !== null && Symbol.iterator in value && !ArrayBuffer.isView(value)
