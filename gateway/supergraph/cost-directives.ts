import { type ConstDirectiveNode, type DocumentNode, isTypeDefinitionNode, isTypeExtensionNode, Kind } from 'graphql'
import { z } from 'zod'
import { argumentsOf, directiveNames } from './linked-directives.ts'

/** The length of a list, declared by `@listSize`. */
export interface ListSize {
  /** length without other information */
  readonly assumedSize: number | undefined
  /** arguments that give the length; a dot selects a member of an input object */
  readonly slicingArguments: readonly string[]
  /** members of the result that have this length, instead of the field itself */
  readonly sizedFields: readonly string[]
  /** whether exactly one of the slicing arguments must be given */
  readonly requireOneSlicingArgument: boolean
}

/** The costs that a supergraph declares, by schema coordinate: `Type`, `Type.field`, `Type.field(argument:)`, `Input.field`. */
export interface CostDirectives {
  /** names of the cost directives in the supergraph */
  readonly names: ReadonlySet<string>
  weight(coordinate: string): number | undefined
  /** whether a field of an input object has a weight */
  readonly weighsInput: boolean
  listSize(coordinate: string): ListSize | undefined
}

const Weight = z.object({
  weight: z.union([
    z.number(),
    z
      .string()
      .regex(/^[+-]?\d+(\.\d+)?$/)
      .transform(Number),
  ]),
})
const Names = z.array(z.string()).nullish()
const Size = z.strictObject({
  assumedSize: z.int().min(0).max(1_000_000_000).nullish(),
  slicingArguments: Names,
  sizedFields: Names,
  requireOneSlicingArgument: z.boolean().nullish(),
})

/**
 * Reads `@cost` and `@listSize`, whatever the supergraph calls them. Weights may be numbers, as Apollo has them, or texts, as IBM has them.
 * @throws {Error} naming the place of a directive whose arguments are not as they should be
 * @see https://ibm.github.io/graphql-specs/cost-spec.html
 */
export function costDirectivesOf(supergraph: DocumentNode): CostDirectives {
  const namesOf = directiveNames(supergraph)
  const [cost, listSize] = [namesOf('cost', 'cost'), namesOf('cost', 'listSize')]
  const weights = new Map<string, number>()
  const sizes = new Map<string, ListSize>()
  let weighsInput = false

  const read = (coordinate: string, applied: readonly ConstDirectiveNode[] = [], members: Members = noMembers): void => {
    for (const directive of applied) {
      if (cost.has(directive.name.value)) weights.set(coordinate, weightIn(directive, coordinate))
      if (listSize.has(directive.name.value)) sizes.set(coordinate, sizeIn(directive, coordinate, members))
    }
  }
  const fieldsByType = new Map<string, ReadonlySet<string>>()
  for (const definition of supergraph.definitions)
    if ('fields' in definition) fieldsByType.set(definition.name.value, new Set((definition.fields ?? []).map((field) => field.name.value)))
  for (const definition of supergraph.definitions) {
    if (!isTypeDefinitionNode(definition) && !isTypeExtensionNode(definition)) continue
    const type = definition.name.value
    read(type, definition.directives)
    for (const field of 'fields' in definition ? (definition.fields ?? []) : []) {
      const coordinate = `${type}.${field.name.value}`
      if (field.kind === Kind.INPUT_VALUE_DEFINITION) {
        read(coordinate, field.directives)
        weighsInput ||= weights.has(coordinate)
        continue
      }
      const args = field.arguments ?? []
      for (const argument of args) read(`${coordinate}(${argument.name.value}:)`, argument.directives)
      let named = field.type
      while (named.kind !== Kind.NAMED_TYPE) named = named.type
      read(coordinate, field.directives, {
        arguments: new Set(args.map(({ name }) => name.value)),
        fields: fieldsByType.get(named.name.value) ?? new Set(),
      })
    }
  }
  return {
    names: new Set([...cost, ...listSize]),
    weighsInput,
    weight: (coordinate) => weights.get(coordinate),
    listSize: (coordinate) => sizes.get(coordinate),
  }
}

/** Names that `@listSize` of a field may refer to. */
interface Members {
  readonly arguments: ReadonlySet<string>
  readonly fields: ReadonlySet<string>
}
const noMembers: Members = { arguments: new Set(), fields: new Set() }

function weightIn(directive: ConstDirectiveNode, place: string): number {
  const parsed = Weight.safeParse(argumentsOf(directive))
  if (!parsed.success) throw new Error(`@${directive.name.value} of ${place} must have a weight: a number or a numeric string`)
  return parsed.data.weight
}

function sizeIn(directive: ConstDirectiveNode, place: string, members: Members): ListSize {
  const called = `@${directive.name.value} of ${place}`
  const parsed = Size.safeParse(argumentsOf(directive))
  if (!parsed.success) {
    const [member = ''] = parsed.error.issues[0]?.path ?? []
    throw new Error(`${called} is invalid: ${String(member)} ${rules[String(member)] ?? 'is not an argument of the directive'}`)
  }
  const { assumedSize, slicingArguments, sizedFields, requireOneSlicingArgument } = parsed.data
  const size = {
    assumedSize: assumedSize ?? undefined,
    slicingArguments: slicingArguments ?? [],
    sizedFields: sizedFields ?? [],
    requireOneSlicingArgument: requireOneSlicingArgument ?? true,
  }
  for (const name of size.slicingArguments)
    if (!members.arguments.has(name.split('.')[0] ?? ''))
      throw new Error(`${called} has a slicing argument ${name} that the field does not have`)
  for (const name of size.sizedFields)
    if (!members.fields.has(name)) throw new Error(`${called} has a sized field ${name} that is not a field of its type`)
  return size
}

const rules: Readonly<Record<string, string>> = {
  assumedSize: 'must be a whole number from 0 to 1,000,000,000',
  slicingArguments: 'must be a list of names',
  sizedFields: 'must be a list of names',
  requireOneSlicingArgument: 'must be true or false',
}
