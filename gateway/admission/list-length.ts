import { type FieldNode, GraphQLError, type GraphQLField, Kind } from 'graphql'
import type { Variables } from '../operation/declared-variables.ts'
import type { ListSize } from '../supergraph/cost-directives.ts'
import { type ArgumentReader, memberAt } from './argument-values.ts'

/** Assumed length of a list without other information. */
export const assumedLength = 10
/** Arguments that give the length of a list without `@listSize`. */
const sizeArguments = ['first', 'last', 'limit']

type Field = GraphQLField<unknown, unknown>
type Length = (variables: Variables) => number

/**
 * Returns the length declared by `@listSize`; undefined if none. @returns a function that throws BAD_REQUEST if a required slicing argument is
 * missing
 */
export function declaredLength(
  size: ListSize,
  node: FieldNode,
  field: Field,
  place: string,
  argumentOf: ArgumentReader,
): Length | undefined {
  const { slicingArguments, requireOneSlicingArgument, assumedSize } = size
  if (slicingArguments.length === 0) return assumedSize === undefined ? undefined : () => assumedSize
  const defaults = slicingArguments.map((name) => field.args.find((argument) => argument.name === name)?.defaultValue).filter(isLength)
  const otherwise = defaults.length > 0 ? Math.max(...defaults) : undefined
  return (variables) => {
    const values = slicingArguments
      .map((path) => {
        const [name = '', ...steps] = path.split('.')
        return memberAt(argumentOf(node, name, variables), steps)
      })
      .filter((value) => value !== undefined && value !== null)
    if (requireOneSlicingArgument && (values.length > 1 || (values.length === 0 && otherwise === undefined)))
      throw new GraphQLError(`${place} must be given exactly one of ${slicingArguments.join(', ')}`, {
        extensions: { code: 'BAD_REQUEST', http: { status: 400 } },
      })
    const lengths = values.filter(isLength)
    return lengths.length > 0 ? Math.max(...lengths) : (otherwise ?? assumedSize ?? assumedLength)
  }
}

/** Returns the length given by a common size argument; undefined if there is no such argument. */
export function argumentLength(node: FieldNode, field: Field, argumentOf: ArgumentReader): Length | undefined {
  const lengths = field.args
    .filter(({ name }) => sizeArguments.includes(name))
    .flatMap(({ name, defaultValue }): Length[] => {
      const defaultLength = isLength(defaultValue) ? defaultValue : assumedLength
      const kind = node.arguments?.find((each) => each.name.value === name)?.value.kind
      if (kind === undefined) return defaultValue === undefined ? [] : [() => defaultLength]
      if (kind !== Kind.VARIABLE && kind !== Kind.INT && kind !== Kind.NULL) return []
      return [
        (variables) => {
          const value = argumentOf(node, name, variables)
          // a list without items is cheap, but its field is resolved, or refuses the size
          return isLength(value) ? Math.max(1, value) : defaultLength
        },
      ]
    })
  return lengths.length === 0 ? undefined : (variables) => Math.max(...lengths.map((length) => length(variables)))
}

/** The meaning of a negative number is defined by the subgraph: it may be the whole list. */
const isLength = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value) && value >= 0
