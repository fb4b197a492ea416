import {
  coerceInputValue,
  type DocumentNode,
  GraphQLError,
  type GraphQLInputType,
  type GraphQLSchema,
  isInputObjectType,
  isInputType,
  isListType,
  isNonNullType,
  type OperationDefinitionNode,
  print,
  TypeInfo,
  typeFromAST,
  ValidationContext,
} from 'graphql'

const maxErrors = 20
/** Lists and objects within each other: deeper values end the stack of whoever walks through them next. */
const deepest = 100

/** Sentences of graphql-js that name types and declared fields only. Any other sentence may hold what the caller sent. */
const harmless =
  /^(Expected non-nullable type "[\w[\]!]+" not to be null|Expected type "\w+" to be an object|Field "\w+" of required type "[\w[\]!]+" was not provided|Exactly one key must be specified for OneOf type "\w+")\.$/

/**
 * Checks variables against their definitions. Unlike those of graphql-js, the errors never repeat a value (or a member name) that the
 * caller sent: variables carry photographs of people.
 * @returns no error when the variables fit; at most 20
 */
export function variableErrors(
  schema: GraphQLSchema,
  { document, definition: operation }: { readonly document: DocumentNode; readonly definition: OperationDefinitionNode },
  variables: Readonly<Record<string, unknown>>,
): GraphQLError[] {
  const errors: GraphQLError[] = []
  for (const definition of operation.variableDefinitions ?? []) {
    const name = definition.variable.name.value
    const type = typeFromAST(schema, definition.type)
    if (!isInputType(type)) continue
    const report = (problem: string): void => {
      if (errors.length < maxErrors)
        errors.push(new GraphQLError(`Variable "$${name}" ${problem}`, { nodes: definition, extensions: { code: 'BAD_USER_INPUT' } }))
    }
    const value = Object.hasOwn(variables, name) ? variables[name] : undefined
    if (value === undefined) {
      if (isNonNullType(type) && definition.defaultValue === undefined)
        report(`of required type "${print(definition.type)}" was not provided.`)
    } else if (value === null) {
      if (isNonNullType(type)) report(`of non-null type "${print(definition.type)}" must not be null.`)
      else if (neverNull(schema, document, operation).has(name)) report('must not be null where it stands; leave it out for the default.')
    } else if (isTooDeep(value)) {
      errors.push(tooDeep(`Variable "$${name}"`))
    } else {
      coerceInputValue(value, type, (path, _, error) =>
        report(`got an invalid value${at(name, path)}; ${sentence(error.message, type, path)}`),
      )
    }
  }
  return errors
}

const known = new WeakMap<OperationDefinitionNode, ReadonlySet<string>>()

/**
 * Variables whose own type allows null while a place in which they stand does not: the default of that place lets them be left out, but an
 * explicit null is an error (GraphQL specification, 5.8.5 and 6.4.1), which each subgraph would find on its own.
 */
function neverNull(schema: GraphQLSchema, document: DocumentNode, operation: OperationDefinitionNode): ReadonlySet<string> {
  const found = known.get(operation)
  if (found !== undefined) return found
  const context = new ValidationContext(schema, document, new TypeInfo(schema), () => undefined)
  const usages = context.getRecursiveVariableUsages(operation)
  const names = new Set(usages.filter(({ type }) => isNonNullType(type)).map(({ node }) => node.name.value))
  known.set(operation, names)
  return names
}

/** @throws {GraphQLError} LIMIT_EXCEEDED for variables that nest more than 100 lists and objects, whether the operation has use for them or not */
export function checkDepth(variables: Readonly<Record<string, unknown>>): void {
  if (Object.values(variables).some((value) => isTooDeep(value))) throw tooDeep('A variable')
}

function tooDeep(what: string): GraphQLError {
  return new GraphQLError(`${what} has more than ${deepest} lists and objects within each other`, {
    extensions: { code: 'LIMIT_EXCEEDED' },
  })
}

function isTooDeep(value: unknown, left = deepest): boolean {
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
