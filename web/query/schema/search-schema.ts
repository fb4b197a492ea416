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

/** field of an object, interface or input, or value of an enum */
export function membersOf(type: GraphQLNamedType): readonly string[] {
  if (isObjectType(type) || isInterfaceType(type) || isInputObjectType(type)) return Object.keys(type.getFields())
  return isEnumType(type) ? type.getValues().map(({ name }) => name) : []
}

/** Returns types and fields whose names contain the words, prefix matches first. @param limit - maximum number */
export function searchSchema(schema: GraphQLSchema, words: string, limit: number): readonly Place[] {
  const word = words.trim().toLowerCase()
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
    .slice(0, limit)
    .map(({ place }) => place)
}
