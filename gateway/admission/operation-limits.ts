import { type DocumentNode, GraphQLError, Kind, parse, type SelectionSetNode, visit } from 'graphql'
import { isDefer, labelIn } from '../operation/deferred-fragments.ts'
import { fragmentsOf } from '../operation/fragments.ts'
import { operationSizes } from '../operation/operation-size.ts'

/** Limits of a client operation, counted after its fragments are expanded. */
export interface OperationLimits {
  /** characters of the document, checked before it is parsed (default: 65,536) */
  readonly characters?: number
  /** lexical tokens of the document: bounds the time to parse and to validate */
  readonly tokens: number
  /** nested fields */
  readonly depth: number
  /** fields in all */
  readonly fields: number
  readonly rootFields: number
  readonly aliases: number
  readonly directives: number
  /** number of deferred fragments: each adds to planning time */
  readonly defers: number
  /** characters of a name or of a `@defer` label: aliases and labels are repeated in responses, and suggestions for long names are slow */
  readonly names: number
  /** pairs of fields of one name at one place: validation compares each pair, with what is below (default: 5,000) */
  readonly pairs?: number
  /** nesting of lists in one value: each level doubles planning time */
  readonly lists: number
  /** estimated fields of the response, lists multiplied by their length (see operation-cost.ts) */
  readonly cost: number
}

/** Sufficient for introspection queries of editors (GraphiQL's has depth 15) and for every operation of the built-in pages. */
export const defaultLimits: OperationLimits = {
  tokens: 2000,
  depth: 16,
  fields: 1000,
  rootFields: 25,
  aliases: 50,
  directives: 50,
  defers: 20,
  names: 256,
  lists: 8,
  cost: 100_000,
}

/** @throws {GraphQLError} LIMIT_EXCEEDED beyond `limits.characters` */
export function checkLength(text: string, { characters = 65_536 }: OperationLimits): void {
  if (text.length > characters) throw exceeded(`more than ${characters} characters: send long values as variables`)
}

/**
 * Parses a client document. @throws {GraphQLError} LIMIT_EXCEEDED beyond `limits.tokens` or the call stack; the syntax error of graphql-js for an
 * invalid document
 */
export function parseWithin(text: string, limits: OperationLimits): DocumentNode {
  try {
    return parse(text, { maxTokens: limits.tokens })
  } catch (error) {
    if (error instanceof GraphQLError && error.message.includes('Parsing aborted')) throw exceeded(`more than ${limits.tokens} tokens`)
    if (error instanceof RangeError) throw exceeded('values or selections that are nested too deep')
    throw error
  }
}

/**
 * Refuses a document with an operation beyond a limit, before validation, some of whose rules take quadratic time. @throws {GraphQLError}
 * LIMIT_EXCEEDED (400) naming the limit
 */
export function checkLimits(document: DocumentNode, limits: OperationLimits): void {
  checkNodes(document, limits)
  for (const size of operationSizes(document)) {
    if (size.depth > limits.depth) throw exceeded(`a depth of more than ${limits.depth}`)
    if (size.fields > limits.fields) throw exceeded(`more than ${limits.fields} fields`)
    if (size.rootFields > limits.rootFields) throw exceeded(`more than ${limits.rootFields} root fields`)
    if (size.aliases > limits.aliases) throw exceeded(`more than ${limits.aliases} aliases`)
    if (size.directives > limits.directives) throw exceeded(`more than ${limits.directives} directives`)
    if (size.defers > limits.defers) throw exceeded(`more than ${limits.defers} deferred fragments`)
  }
  checkPairs(document, limits)
}

/** Checks the fields that validation compares in operations and in fragments, also in those that no operation spreads. */
function checkPairs(document: DocumentNode, { fields: maxFields, pairs: maxPairs = 5000 }: OperationLimits): void {
  const fragments = fragmentsOf(document)
  for (const definition of document.definitions) {
    if (definition.kind !== Kind.OPERATION_DEFINITION && definition.kind !== Kind.FRAGMENT_DEFINITION) continue
    let fields = 0
    let pairs = 0
    const compare = (sets: readonly SelectionSetNode[]): void => {
      const below = new Map<string, SelectionSetNode[]>()
      const counts = new Map<string, number>()
      const spread = new Set<string>()
      const collect = ({ selections }: SelectionSetNode): void => {
        for (const selection of selections) {
          if (selection.kind === Kind.FIELD) {
            const name = (selection.alias ?? selection.name).value
            const earlier = counts.get(name) ?? 0
            counts.set(name, earlier + 1)
            fields += 1
            pairs += earlier
            // also ends fragments that spread each other, which validation refuses
            if (fields > maxFields) throw exceeded(`more than ${maxFields} fields`)
            if (pairs > maxPairs) throw exceeded(`more than ${maxPairs} pairs of fields with the same name at the same place`)
            if (selection.selectionSet === undefined) continue
            const known = below.get(name)
            if (known === undefined) below.set(name, [selection.selectionSet])
            else known.push(selection.selectionSet)
          } else if (selection.kind === Kind.INLINE_FRAGMENT) collect(selection.selectionSet)
          else if (!spread.has(selection.name.value)) {
            spread.add(selection.name.value)
            const fragment = fragments.get(selection.name.value)
            if (fragment !== undefined) collect(fragment.selectionSet)
          }
        }
      }
      for (const set of sets) collect(set)
      for (const each of below.values()) compare(each)
    }
    compare([definition.selectionSet])
  }
}

/** Checks limits of nodes anywhere, including variable definitions and fragments. */
function checkNodes(document: DocumentNode, { lists, directives, names }: OperationLimits): void {
  let depth = 0
  let applied = 0
  visit(document, {
    Field({ alias }) {
      if (alias !== undefined && alias.value.length > names) throw exceeded(`an alias of more than ${names} characters`)
    },
    Name({ value }) {
      if (value.length > names) throw exceeded(`a name of more than ${names} characters`)
    },
    EnumValue({ value }) {
      if (value.length > names) throw exceeded(`a name of more than ${names} characters`)
    },
    Directive(directive) {
      applied += 1
      if (applied > directives) throw exceeded(`more than ${directives} directives`)
      if (isDefer(directive) && (labelIn(directive)?.length ?? 0) > names) throw exceeded(`a label of more than ${names} characters`)
    },
    ListValue: {
      enter() {
        depth += 1
        if (depth > lists) throw exceeded(`more than ${lists} nested lists in a value`)
      },
      leave() {
        depth -= 1
      },
    },
  })
}

function exceeded(what: string): GraphQLError {
  return new GraphQLError(`The operation has ${what}`, { extensions: { code: 'LIMIT_EXCEEDED', http: { status: 400 } } })
}
