import {
  type GraphQLNamedType,
  type GraphQLSchema,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isIntrospectionType,
  isObjectType,
} from 'graphql'

/** A place in the documentation: a type, or one of its fields. */
export interface Place {
  readonly type: string
  readonly field?: string
}

/** fields of an object, an interface or an input; values of an enum */
export function membersOf(type: GraphQLNamedType): readonly string[] {
  if (isObjectType(type) || isInterfaceType(type) || isInputObjectType(type)) return Object.keys(type.getFields())
  return isEnumType(type) ? type.getValues().map(({ name }) => name) : []
}

/** Types and fields that have the words in their names, those first that begin with them. @param most - how many */
export function found(schema: GraphQLSchema, sought: string, most: number): readonly Place[] {
  const word = sought.trim().toLowerCase()
  if (word === '') return []
  const rank = (name: string): number => {
    const at = name.toLowerCase().indexOf(word)
    return at < 0 ? Number.POSITIVE_INFINITY : Math.min(at, 1) + name.length / 1000
  }
  const places = Object.values(schema.getTypeMap())
    .filter((type) => !isIntrospectionType(type))
    .flatMap((type): { place: Place; rank: number }[] => [
      { place: { type: type.name }, rank: rank(type.name) },
      ...membersOf(type).map((field) => ({ place: { type: type.name, field }, rank: rank(field) })),
    ])
  return places
    .filter((each) => each.rank < Number.POSITIVE_INFINITY)
    .sort((one, other) => one.rank - other.rank)
    .slice(0, most)
    .map(({ place }) => place)
}
