import {
  coerceInputValue,
  GraphQLError,
  type GraphQLInputType,
  type GraphQLSchema,
  isInputObjectType,
  isInputType,
  isListType,
  isNonNullType,
  print,
  TypeInfo,
  typeFromAST,
  ValidationContext,
} from 'graphql'
import { invalid, required, type Violation } from '../../subgraphs/foundation/validation/violation.ts'
import { oncePerOperation, type PreparedOperation } from '../admission/prepared-operation.ts'
import { withinVariable } from '../errors/variable-path.ts'

const maxErrors = 20
/** Lists and objects within each other: deeper values end the stack of whoever walks through them next. */
const maxDepth = 100

/** Sentences of graphql-js that name types and declared fields only. Any other sentence may hold what the caller sent. */
const harmless =
  /^(Expected non-nullable type "[\w[\]!]+" not to be null|Expected type "\w+" to be an object|Field "\w+" of required type "[\w[\]!]+" was not provided|Exactly one key must be specified for OneOf type "\w+")\.$/

/** @returns no error when the variables fit; at most 20 */
export type VariableCheck = (operation: PreparedOperation, variables: Readonly<Record<string, unknown>>) => readonly GraphQLError[]

/**
 * Checks variables against their definitions. Unlike those of graphql-js, the errors never repeat a value (or a member name) that the
 * caller sent: variables carry photographs of people.
 */
export function variableChecks(schema: GraphQLSchema): VariableCheck {
  const neverNull = oncePerOperation((operation) => variablesNeverNull(schema, operation))
  return (operation, variables) => {
    const errors: GraphQLError[] = []
    for (const definition of operation.definition.variableDefinitions ?? []) {
      const name = definition.variable.name.value
      const type = typeFromAST(schema, definition.type)
      if (!isInputType(type)) continue
      const report = (problem: string, entry: Violation): void => {
        if (errors.length >= maxErrors) return
        const extensions = { entries: [entry], code: 'BAD_USER_INPUT' }
        errors.push(new GraphQLError(`Variable "$${name}" ${problem}`, { nodes: definition, extensions }))
      }
      const value = Object.hasOwn(variables, name) ? variables[name] : undefined
      if (value === undefined) {
        if (isNonNullType(type) && definition.defaultValue === undefined)
          report(`of required type "${print(definition.type)}" was not provided.`, required([name]))
      } else if (value === null) {
        if (isNonNullType(type)) report(`of non-null type "${print(definition.type)}" must not be null.`, required([name]))
        else if (neverNull(operation).has(name)) report('must not be null where it stands; leave it out for the default.', required([name]))
      } else if (isTooDeep(value)) {
        errors.push(tooDeep(`Variable "$${name}"`))
      } else {
        coerceInputValue(value, type, (path, _, error) => {
          const problem = sentence(error.message, type, path)
          report(`got an invalid value${at(name, path)}; ${problem}`, entryOf([name, ...path], problem))
        })
      }
    }
    return errors
  }
}

/**
 * Variables whose own type allows null while a place in which they stand does not: the default of that place lets them be left out, but an
 * explicit null is an error (GraphQL specification, 5.8.5 and 6.4.1), which each subgraph would find on its own.
 */
function variablesNeverNull(schema: GraphQLSchema, { document, definition }: PreparedOperation): ReadonlySet<string> {
  const context = new ValidationContext(schema, document, new TypeInfo(schema), () => undefined)
  const usages = context.getRecursiveVariableUsages(definition)
  return new Set(usages.filter(({ type }) => isNonNullType(type)).map(({ node }) => node.name.value))
}

/** @throws {GraphQLError} LIMIT_EXCEEDED for variables that nest more than 100 lists and objects, whether the operation has use for them or not */
export function checkDepth(variables: Readonly<Record<string, unknown>>): void {
  if (Object.values(variables).some((value) => isTooDeep(value))) throw tooDeep('A variable')
}

function tooDeep(what: string): GraphQLError {
  return new GraphQLError(`${what} has more than ${maxDepth} lists and objects within each other`, {
    extensions: { code: 'LIMIT_EXCEEDED' },
  })
}

/** @param problem - of a member that is left out the sentence names it */
function entryOf(path: readonly (string | number)[], problem: string): Violation {
  const [, member] = /^Field "(\w+)" of required type /.exec(problem) ?? []
  return member === undefined ? invalid(withinVariable(path), problem) : required(withinVariable([...path, member]))
}

function isTooDeep(value: unknown, left = maxDepth): boolean {
  // bytes of images come through here as they are, and hold nothing
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return false
  return left === 0 || Object.values(value).some((member) => isTooDeep(member, left - 1))
}

function at(name: string, path: readonly (string | number)[]): string {
  return path.length === 0
    ? ''
    : ` at "${path.reduce<string>((text, key) => text + (typeof key === 'number' ? `[${key}]` : `.${key}`), name)}"`
}

function sentence(message: string, type: GraphQLInputType, path: readonly (string | number)[]): string {
  if (harmless.test(message)) return message
  if (/^Field ".*" is not defined by type "\w+"/s.test(message)) return `it has a field that type "${typeAt(type, path)}" does not define.`
  return `expected type "${typeAt(type, path)}".`
}

function typeAt(type: GraphQLInputType, path: readonly (string | number)[]): string {
  let here: GraphQLInputType | undefined = type
  for (const key of path) {
    while (here !== undefined && isNonNullType(here)) here = here.ofType
    if (isListType(here) && typeof key === 'number') here = here.ofType
    else if (isInputObjectType(here)) here = here.getFields()[key]?.type
  }
  return String(isNonNullType(here) ? here.ofType : here)
}
