import {
  type ArgumentNode,
  type ConstDirectiveNode,
  type DefinitionNode,
  type DocumentNode,
  type FieldDefinitionNode,
  type InterfaceTypeDefinitionNode,
  Kind,
  type ObjectTypeDefinitionNode,
  print,
  type SelectionSetNode,
  type TypeNode,
  visit,
} from 'graphql'
import { unusedPrefix } from '../operation/unused-prefix.ts'
import { fieldSet } from '../supergraph/join-directives.ts'

/** A required field with its arguments in `@requires`. */
export interface RequiredField {
  readonly name: string
  readonly arguments: readonly ArgumentNode[]
}

/**
 * Argument-free fields that replace required fields with arguments, by name. The planner merges fetched fields by response name, which would mix the
 * arguments of a `@requires` with those of the client or of another `@requires`.
 */
export type PlaceholderFields = ReadonlyMap<string, RequiredField>

type ComposedType = ObjectTypeDefinitionNode | InterfaceTypeDefinitionNode

/** Adds a placeholder for every required field with arguments. */
export function withPlaceholderFields(supergraph: DocumentNode): {
  readonly document: DocumentNode
  readonly placeholders: PlaceholderFields
} {
  const types = new Map(supergraph.definitions.filter(isComposed).map((type) => [type.name.value, type]))
  const prefix = unusedPrefix(
    [...types.values()].flatMap(({ fields = [] }) => fields.map(({ name }) => name.value)),
    'required',
  )
  const placeholders = new Map<string, RequiredField>()
  const names = new Map<string, string>()
  /** by type: its placeholders with their fields and requiring graphs */
  const added = new Map<string, Map<string, { readonly of: string; readonly graphs: Set<string> }>>()

  const placeholderFor = (type: string, field: FieldDefinitionNode, args: readonly ArgumentNode[], graph: string): string => {
    const meaning = `${field.name.value}(${args
      .map((argument) => print(argument))
      .sort()
      .join()})`
    const name = names.get(meaning) ?? `${prefix}${names.size}_${field.name.value}`
    names.set(meaning, name)
    placeholders.set(name, { name: field.name.value, arguments: args })
    for (const each of [type, ...implementers(types, type)]) {
      const ofType = added.get(each) ?? new Map()
      added.set(each, ofType)
      const { graphs } = ofType.get(name) ?? { graphs: new Set() }
      ofType.set(name, { of: field.name.value, graphs: graphs.add(graph) })
    }
    return name
  }

  const replaced = (set: SelectionSetNode, type: string, graph: string): SelectionSetNode => ({
    ...set,
    selections: set.selections.map((selection) => {
      if (selection.kind === Kind.FRAGMENT_SPREAD) return selection
      if (selection.kind === Kind.INLINE_FRAGMENT)
        return { ...selection, selectionSet: replaced(selection.selectionSet, selection.typeCondition?.name.value ?? type, graph) }
      const field = types.get(type)?.fields?.find(({ name }) => name.value === selection.name.value)
      if (field === undefined) return selection
      const { selectionSet, arguments: args = [], ...rest } = selection
      const name = (field.arguments ?? []).length === 0 ? field.name.value : placeholderFor(type, field, args, graph)
      return {
        ...rest,
        name: { kind: Kind.NAME, value: name },
        ...(selectionSet === undefined ? {} : { selectionSet: replaced(selectionSet, namedType(field.type), graph) }),
      }
    }),
  })

  const requiring = (type: string, directive: ConstDirectiveNode): ConstDirectiveNode => ({
    ...directive,
    ...(directive.arguments === undefined
      ? {}
      : {
          arguments: directive.arguments.map((argument) => {
            const { name, value } = argument
            if (directive.name.value !== 'join__field' || name.value !== 'requires' || value.kind !== Kind.STRING) return argument
            const fields = fieldSet(value.value)
            if (fields === undefined) return argument
            return { ...argument, value: { kind: Kind.STRING, value: print(replaced(fields, type, graphOf(directive))).slice(1, -1) } }
          }),
        }),
  })

  const changed = new Map(
    [...types].map(([name, type]) => [
      name,
      (type.fields ?? []).map((field) => ({
        ...field,
        directives: (field.directives ?? []).map((directive) => requiring(name, directive)),
      })),
    ]),
  )
  const definitions = supergraph.definitions.map((definition): DefinitionNode => {
    if (!isComposed(definition)) return definition
    const { value: type } = definition.name
    const fields = changed.get(type) ?? []
    const ofType = [...(added.get(type) ?? [])]
    const more = ofType.flatMap(([name, { of, graphs }]) =>
      fields.filter((field) => field.name.value === of).map((field) => placeholder(name, field, graphs)),
    )
    const remaining = fields.map((field) => {
      const graphs = new Set(ofType.flatMap(([, { of, graphs }]) => (of === field.name.value ? [...graphs] : [])))
      const isReplaced = (directive: ConstDirectiveNode): boolean =>
        graphs.has(graphOf(directive)) &&
        isExternal(directive) &&
        !satisfiesInterface(types, definition, field.name.value, graphOf(directive))
      return { ...field, directives: field.directives.filter((directive) => !isReplaced(directive)) }
    })
    return { ...definition, fields: [...remaining, ...more] }
  })
  return { document: { ...supergraph, definitions }, placeholders }
}

/** Resolvable where the original field is; external where it is required. */
function placeholder(name: string, { type, directives = [] }: FieldDefinitionNode, graphs: ReadonlySet<string>): FieldDefinitionNode {
  return {
    kind: Kind.FIELD_DEFINITION,
    name: { kind: Kind.NAME, value: name },
    type,
    directives: directives.filter(
      (directive) => directive.name.value === 'join__field' && (!isExternal(directive) || graphs.has(graphOf(directive))),
    ),
  }
}

const argumentOf = (directive: ConstDirectiveNode, wanted: string) => directive.arguments?.find(({ name }) => name.value === wanted)?.value

function graphOf(directive: ConstDirectiveNode): string {
  const graph = argumentOf(directive, 'graph')
  return graph?.kind === Kind.ENUM ? graph.value : ''
}

function isExternal(directive: ConstDirectiveNode): boolean {
  const external = argumentOf(directive, 'external')
  return external?.kind === Kind.BOOLEAN && external.value
}

/** Federation refuses an unused external field unless an interface of the same graph has it. */
function satisfiesInterface(types: ReadonlyMap<string, ComposedType>, type: ComposedType, field: string, graph: string): boolean {
  return (type.directives ?? []).some((directive) => {
    const implemented = argumentOf(directive, 'interface')
    if (directive.name.value !== 'join__implements' || graphOf(directive) !== graph || implemented?.kind !== Kind.STRING) return false
    const declared = types.get(implemented.value)?.fields?.find(({ name }) => name.value === field)
    const joined = declared?.directives?.filter(({ name }) => name.value === 'join__field') ?? []
    return declared !== undefined && (joined.length === 0 || joined.some((each) => graphOf(each) === graph))
  })
}

/** Replaces placeholders in the text of a fetch by the fields, aliased to the placeholder names. */
export function withRequiredFields(operation: DocumentNode, placeholders: PlaceholderFields): DocumentNode {
  return visit(operation, {
    Field: (node) => {
      const required = placeholders.get(node.name.value)
      if (required === undefined) return undefined
      return { ...node, alias: node.alias ?? node.name, name: { kind: Kind.NAME, value: required.name }, arguments: required.arguments }
    },
  })
}

const isComposed = (definition: DefinitionNode): definition is ComposedType =>
  definition.kind === Kind.OBJECT_TYPE_DEFINITION || definition.kind === Kind.INTERFACE_TYPE_DEFINITION

const namedType = (type: TypeNode): string => (type.kind === Kind.NAMED_TYPE ? type.name.value : namedType(type.type))

const implementers = (types: ReadonlyMap<string, ComposedType>, type: string): readonly string[] =>
  [...types.values()].filter(({ interfaces = [] }) => interfaces.some(({ name }) => name.value === type)).map(({ name }) => name.value)
