import { type ConstDirectiveNode, type DefinitionNode, type DocumentNode, isTypeDefinitionNode, isTypeExtensionNode } from 'graphql'
import { z } from 'zod'
import { argumentsOf, directiveNames } from './linked-directives.ts'

/**
 * A requirement of a caller: authentication (`@authenticated`), or all of one of several groups of scopes (`@requiresScopes`) or policies
 * (`@policy`). Equal requirements of a supergraph are the same object. @see https://www.apollographql.com/docs/graphos/routing/security/authorization
 */
export type Requirement =
  | { readonly kind: 'authenticated' }
  | { readonly kind: 'scopes' | 'policies'; readonly anyOf: readonly (readonly string[])[] }

/** The authorization requirements of a supergraph. All requirements of a location must be fulfilled. */
export interface Requirements {
  /** names of the directives in the supergraph, such as `@authenticated`; empty: everything is public */
  readonly directives: readonly string[]
  readonly hasPolicies: boolean
  ofType(type: string): readonly Requirement[]
  ofField(type: string, field: string): readonly Requirement[]
}

const Groups = z.array(z.array(z.string()))
const kinds = [
  ['authenticated', 'authenticated'],
  ['requiresScopes', 'scopes'],
  ['policy', 'policies'],
] as const

/**
 * Reads the authorization directives of a supergraph under any imported name. @throws {Error} naming the location of a directive with invalid
 * arguments
 */
export function requirementsOf(supergraph: DocumentNode): Requirements {
  const namesOf = directiveNames(supergraph)
  const kindOf = new Map(kinds.flatMap(([directive, kind]) => [...namesOf(directive, directive)].map((name) => [name, kind] as const)))
  const byMeaning = new Map<string, Requirement>()
  const byPlace = new Map<string, readonly Requirement[]>()
  const directives = new Set<string>()

  const read = (place: string, applied: readonly ConstDirectiveNode[] = []): void => {
    const requirements = applied.flatMap((directive): Requirement[] => {
      const kind = kindOf.get(directive.name.value)
      if (kind === undefined) return []
      directives.add(`@${directive.name.value}`)
      const requirement: Requirement = kind === 'authenticated' ? { kind } : { kind, anyOf: groupsIn(directive, kind, place) }
      const meaning = JSON.stringify(requirement)
      const same = byMeaning.get(meaning) ?? requirement
      byMeaning.set(meaning, same)
      return [same]
    })
    if (requirements.length > 0) byPlace.set(place, [...(byPlace.get(place) ?? []), ...requirements])
  }
  for (const definition of supergraph.definitions) {
    if (!isTypeDefinitionNode(definition) && !isTypeExtensionNode(definition)) continue
    const type = definition.name.value
    read(type, definition.directives)
    for (const field of fieldsOf(definition)) read(`${type}.${field.name.value}`, field.directives)
  }
  return {
    directives: [...directives].sort(),
    hasPolicies: [...byMeaning.values()].some(({ kind }) => kind === 'policies'),
    ofType: (type) => byPlace.get(type) ?? noRequirements,
    ofField: (type, field) => byPlace.get(`${type}.${field}`) ?? noRequirements,
  }
}

const noRequirements: readonly Requirement[] = []

function groupsIn(directive: ConstDirectiveNode, member: 'scopes' | 'policies', place: string): readonly (readonly string[])[] {
  const groups = Groups.safeParse(argumentsOf(directive)[member])
  if (!groups.success) throw new Error(`@${directive.name.value} of ${place} must have ${member}: a list of lists of strings`)
  return groups.data.map((group) => group.toSorted())
}

const fieldsOf = (definition: DefinitionNode) => ('fields' in definition ? (definition.fields ?? []) : [])
