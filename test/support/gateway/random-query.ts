import { type GraphQLCompositeType, type GraphQLSchema, getNamedType, isAbstractType, isCompositeType, isRequiredArgument } from 'graphql'
import { randomFrom } from '../samples/random.ts'

/** Random integers from 0 to below the argument, reproducible by the seed. */
export function randomBelow(seed: number): (below: number) => number {
  const next = randomFrom(seed)
  return (below) => Math.floor(next() * below)
}

/** A valid random query on the schema: fields, aliases, fragments on narrower and wider types, @include and @skip. @param depth - maximum nesting of fields */
export function randomQuery(
  schema: GraphQLSchema,
  random: (below: number) => number,
  values: Readonly<Record<string, readonly string[]>>,
  depth = 5,
): string {
  const query = schema.getQueryType()
  if (query === undefined || query === null) throw new Error('no query type')
  let aliases = 0
  const nextAlias = (): string => {
    aliases += 1
    return `a${aliases}: `
  }

  const selections = (type: GraphQLCompositeType, depth: number): string => {
    const parts: string[] = []
    if ('getFields' in type) {
      for (const field of Object.values(type.getFields())) {
        const inner = getNamedType(field.type)
        if (random(3) === 0 || (isCompositeType(inner) && depth === 0)) continue
        const chosen = field.args.filter((arg) => isRequiredArgument(arg) || random(2) === 0)
        const args = chosen.flatMap((arg) => {
          const choices = values[String(getNamedType(arg.type))] ?? []
          return choices.length === 0 ? [] : [`${arg.name}: ${choices[random(choices.length)]}`]
        })
        const alias = args.length > 0 || random(5) === 0 ? nextAlias() : ''
        const condition = ['', '', '', ' @include(if: $yes)', ' @skip(if: $yes)', ' @skip(if: $no)'][random(6)]
        const set = isCompositeType(inner) ? ` { ${selections(inner, depth - 1)} }` : ''
        parts.push(`${alias}${field.name}${args.length > 0 ? `(${args.join(', ')})` : ''}${condition}${set}`)
      }
    }
    const others = isAbstractType(type) ? schema.getPossibleTypes(type) : type === query ? [] : type.getInterfaces()
    for (const other of others) if (depth > 0 && random(2) === 0) parts.push(`... on ${other.name} { ${selections(other, depth - 1)} }`)
    if (parts.length === 0 || random(4) === 0) parts.push('__typename')
    return parts.sort(() => random(3) - 1).join(' ')
  }
  return `query ($yes: Boolean = true, $no: Boolean = false) { ${selections(query, depth - 1)} ... @include(if: $yes) { __typename } x: __typename @skip(if: $no) }`
}
