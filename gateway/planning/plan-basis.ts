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
import { fragmentsOf } from './fragments.ts'
import { contextSelections } from './supergraph/contexts.ts'
import { fieldSet } from './supergraph/field-set.ts'

/** What an operation rests on in a supergraph. */
export interface PlanBasis {
  /** of every definition that its plan can have looked at: while it is the same, so is the plan */
  readonly digest: string
  /** of what directives other than those of joining say about them: who may read, what it costs */
  readonly rules: string
  /** of the progressive overrides that decide where its fields come from */
  readonly labels: readonly string[]
}

type Definition =
  | ObjectTypeDefinitionNode
  | InterfaceTypeDefinitionNode
  | UnionTypeDefinitionNode
  | EnumTypeDefinitionNode
  | ScalarTypeDefinitionNode

/**
 * A plan rests on the fields that an operation names, on their types with the keys of these, on what their resolution requires, and on the same
 * fields of all that may stand in the place of an interface or union. Fields that nobody names here may come and go.
 * @param supergraph - as the planner gets it   @param more - what else every plan rests on
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

    /** @returns whether it was not known to be used before */
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

/** The arguments of that name in all directives of joining. */
function textsIn({ directives = [] }: Definition | FieldDefinitionNode, wanted: string): readonly string[] {
  return directives
    .filter(isJoin)
    .flatMap(({ arguments: given = [] }) =>
      given.flatMap(({ name, value }) => (name.value === wanted && value.kind === Kind.STRING ? [value.value] : [])),
    )
}

const isJoin = ({ name }: { readonly name: { readonly value: string } }): boolean => name.value.startsWith('join__')

const rulesOf = ({ directives = [] }: Definition | FieldDefinitionNode): string =>
  directives
    .filter((directive) => !isJoin(directive))
    .map(print)
    .join(' ')

/** Without its fields, which count one by one, and without what only people read. */
function bare<Node extends Definition | FieldDefinitionNode>(node: Node): Node {
  const alone = undescribed('fields' in node ? { ...node, fields: [] } : node)
  return visit(alone, { InputValueDefinition: undescribed, EnumValueDefinition: undescribed })
}

const undescribed = <Node extends { readonly description?: unknown }>(node: Node): Node => ({ ...node, description: undefined })

function rootType({ definitions }: DocumentNode, { operation }: OperationDefinitionNode): string {
  const usual = `${operation[0]?.toUpperCase()}${operation.slice(1)}`
  const schema = definitions.find((definition) => definition.kind === Kind.SCHEMA_DEFINITION)
  return schema?.operationTypes.find((each) => each.operation === operation)?.type.name.value ?? usual
}
