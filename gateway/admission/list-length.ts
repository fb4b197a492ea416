import { type FieldNode, GraphQLError, type GraphQLField, Kind } from 'graphql'
import type { ListSize } from '../supergraph/cost-directives.ts'
import { type GivenArgument, memberAt, type Variables } from './argument-values.ts'

/** Assumed length of a list without other information. */
export const usualLength = 10
/** Arguments that give the length of a list without `@listSize`. */
const usualArguments = ['first', 'last', 'limit']

type Field = GraphQLField<unknown, unknown>
type Length = (variables: Variables) => number

/**
 * Returns the length declared by `@listSize`; undefined if none. @returns a function that throws BAD_REQUEST if a required slicing argument is
 * missing
 */
export function directedLength(size: ListSize, node: FieldNode, field: Field, place: string, given: GivenArgument): Length | undefined {
  const { slicingArguments, requireOneSlicingArgument, assumedSize } = size
  if (slicingArguments.length === 0) return assumedSize === undefined ? undefined : () => assumedSize
  const defaults = slicingArguments.map((name) => field.args.find((argument) => argument.name === name)?.defaultValue).filter(isLength)
  const otherwise = defaults.length > 0 ? Math.max(...defaults) : undefined
  return (variables) => {
    const said = slicingArguments
      .map((path) => {
        const [name = '', ...steps] = path.split('.')
        return memberAt(given(node, name, variables), steps)
      })
      .filter((value) => value !== undefined && value !== null)
    if (requireOneSlicingArgument && (said.length > 1 || (said.length === 0 && otherwise === undefined)))
      throw new GraphQLError(`${place} must be given exactly one of ${slicingArguments.join(', ')}`, {
        extensions: { code: 'BAD_REQUEST', http: { status: 400 } },
      })
    const known = said.filter(isLength)
    return known.length > 0 ? Math.max(...known) : (otherwise ?? assumedSize ?? usualLength)
  }
}

/** Returns the length given by a common size argument; undefined if there is no such argument. */
export function usuallyLong(node: FieldNode, field: Field, given: GivenArgument): Length | undefined {
  const lengths = field.args
    .filter(({ name }) => usualArguments.includes(name))
    .flatMap(({ name, defaultValue }): Length[] => {
      const usual = isLength(defaultValue) ? defaultValue : usualLength
      const kind = node.arguments?.find((each) => each.name.value === name)?.value.kind
      if (kind === undefined) return defaultValue === undefined ? [] : [() => usual]
      if (kind !== Kind.VARIABLE && kind !== Kind.INT && kind !== Kind.NULL) return []
      return [
        (variables) => {
          const value = given(node, name, variables)
          return isLength(value) ? value : usual
        },
      ]
    })
  return lengths.length === 0 ? undefined : (variables) => Math.max(...lengths.map((length) => length(variables)))
}

/** The meaning of a negative number is defined by the subgraph: it may be the whole list. */
const isLength = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value) && value >= 0
