import { createHash } from 'node:crypto'
import {
  type DefinitionNode,
  type DocumentNode,
  type EnumTypeDefinitionNode,
  type FieldDefinitionNode,
  type InterfaceTypeDefinitionNode,
  Kind,
  type ObjectTypeDefinitionNode,
  type OperationDefinitionNode,
  print,
  type ScalarTypeDefinitionNode,
  type SelectionSetNode,
  type TypeNode,
  type UnionTypeDefinitionNode,
  visit,
} from 'graphql'
import { fragmentsOf } from '../operation/fragments.ts'
import { contextSelections } from '../supergraph/contexts.ts'
import { fieldSet } from '../supergraph/join-directives.ts'

/** The part of a supergraph on which an operation's plan depends. */
export interface PlanBasis {
  /** digest of every definition that planning may read; an equal digest means an equal plan */
  readonly digest: string
  /** digest of the other directives, such as authorization and cost */
  readonly rules: string
  /** labels of progressive overrides of its fields */
  readonly labels: readonly string[]
}

type Definition =
  | ObjectTypeDefinitionNode
  | InterfaceTypeDefinitionNode
  | UnionTypeDefinitionNode
  | EnumTypeDefinitionNode
  | ScalarTypeDefinitionNode

/**
 * Computes the basis of plans: the fields of an operation, their types with keys, the requirements of their resolution, and the same fields of all
 * possible types of interfaces and unions. Changes elsewhere keep plans valid. @param supergraph - as the planner receives it
 * @param more - further dependencies of every plan
 */
export function planBasis(
  supergraph: DocumentNode,
  more: string,
): (document: DocumentNode, definition: OperationDefinitionNode) => PlanBasis {
  const types = new Map(supergraph.definitions.filter(isType).map((type) => [type.name.value, type]))
  const possible = possibleTypes(types)
  const contextsOf = contextSelections(supergraph)
  const texts = new Map<string, string>()
  const textOf = (coordinate: string, make: () => string): string => {
    const text = texts.get(coordinate) ?? make()
    texts.set(coordinate, text)
    return text
  }

  return (document, definition) => {
    const fragments = fragmentsOf(document)
    const used = new Map<string, string>()
    const rules = new Map<string, string>()
    const labels = new Set<string>()

    /** @returns whether it is new */
    const use = (coordinate: string, node: Definition | FieldDefinitionNode): boolean => {
      if (used.has(coordinate)) return false
      used.set(
        coordinate,
        textOf(coordinate, () => print(bare(node))),
      )
      const rule = textOf(`rules of ${coordinate}`, () => rulesOf(node))
      if (rule !== '') rules.set(coordinate, rule)
      return true
    }
    const useType = (name: string): void => {
      const type = types.get(name)
      if (type === undefined || !use(name, type)) return
      for (const key of textsIn(type, 'key')) walk(fieldSet(key), name)
      for (const each of possible.get(name) ?? []) useType(each)
      for (const each of 'interfaces' in type ? (type.interfaces ?? []) : []) useType(each.name.value)
    }
    const useField = (type: string, name: string): string | undefined => {
      const field = fieldOf(types.get(type), name)
      if (field === undefined) return undefined
      const inner = namedType(field.type)
      if (!use(`${type}.${name}`, field)) return inner
      for (const each of textsIn(field, 'overrideLabel')) labels.add(each)
      for (const each of textsIn(field, 'requires')) walk(fieldSet(each), type)
      for (const each of textsIn(field, 'provides')) walk(fieldSet(each), inner)
      for (const { types, selection } of contextsOf(field)) for (const each of types) walk(fieldSet(selection), each)
      return inner
    }
    const walk = (set: SelectionSetNode | undefined, type: string): void => {
      useType(type)
      for (const selection of set?.selections ?? []) {
        if (selection.kind !== Kind.FIELD) {
          const fragment = selection.kind === Kind.INLINE_FRAGMENT ? selection : fragments.get(selection.name.value)
          walk(fragment?.selectionSet, fragment?.typeCondition?.name.value ?? type)
          continue
        }
        const inner = useField(type, selection.name.value)
        for (const each of possible.get(type) ?? []) useField(each, selection.name.value)
        if (inner === undefined) continue
        if (selection.selectionSet === undefined) useType(inner)
        else walk(selection.selectionSet, inner)
      }
    }

    walk(definition.selectionSet, rootType(supergraph, definition))
    return { digest: digestOf(more, used), rules: digestOf('', rules), labels: [...labels].toSorted() }
  }
}

const digestOf = (more: string, texts: ReadonlyMap<string, string>): string =>
  createHash('sha256')
    .update(JSON.stringify([more, [...texts].toSorted(([a], [b]) => (a < b ? -1 : 1))]))
    .digest('base64url')

function isType(definition: DefinitionNode): definition is Definition {
  switch (definition.kind) {
    case Kind.OBJECT_TYPE_DEFINITION:
    case Kind.INTERFACE_TYPE_DEFINITION:
    case Kind.UNION_TYPE_DEFINITION:
    case Kind.ENUM_TYPE_DEFINITION:
    case Kind.SCALAR_TYPE_DEFINITION:
      return true
    default:
      return false
  }
}

function possibleTypes(types: ReadonlyMap<string, Definition>): ReadonlyMap<string, ReadonlySet<string>> {
  const possible = new Map<string, Set<string>>()
  const add = (name: string, each: string): void => void possible.set(name, (possible.get(name) ?? new Set()).add(each))
  for (const type of types.values()) {
    if (type.kind === Kind.UNION_TYPE_DEFINITION) for (const { name } of type.types ?? []) add(type.name.value, name.value)
    if ('interfaces' in type) for (const { name } of type.interfaces ?? []) add(name.value, type.name.value)
  }
  return possible
}

const fieldOf = (type: Definition | undefined, name: string): FieldDefinitionNode | undefined =>
  type !== undefined && 'fields' in type ? type.fields?.find((field) => field.name.value === name) : undefined

const namedType = (type: TypeNode): string => (type.kind === Kind.NAMED_TYPE ? type.name.value : namedType(type.type))

/** Returns the values of an argument in all join directives. */
function textsIn({ directives = [] }: Definition | FieldDefinitionNode, wanted: string): readonly string[] {
  return directives
    .filter(isJoin)
    .flatMap(({ arguments: args = [] }) =>
      args.flatMap(({ name, value }) => (name.value === wanted && value.kind === Kind.STRING ? [value.value] : [])),
    )
}

const isJoin = ({ name }: { readonly name: { readonly value: string } }): boolean => name.value.startsWith('join__')

const rulesOf = ({ directives = [] }: Definition | FieldDefinitionNode): string =>
  directives
    .filter((directive) => !isJoin(directive))
    .map(print)
    .join(' ')

/** Removes fields, which count individually, and descriptions. */
function bare<Node extends Definition | FieldDefinitionNode>(node: Node): Node {
  const alone = undescribed('fields' in node ? { ...node, fields: [] } : node)
  return visit(alone, { InputValueDefinition: undescribed, EnumValueDefinition: undescribed })
}

const undescribed = <Node extends { readonly description?: unknown }>(node: Node): Node => ({ ...node, description: undefined })

function rootType({ definitions }: DocumentNode, { operation }: OperationDefinitionNode): string {
  const defaultName = `${operation[0]?.toUpperCase()}${operation.slice(1)}`
  const schema = definitions.find((definition) => definition.kind === Kind.SCHEMA_DEFINITION)
  return schema?.operationTypes.find((each) => each.operation === operation)?.type.name.value ?? defaultName
}
