import { type ConstDirectiveNode, type DocumentNode, Kind, parse, print } from 'graphql'
import { argumentsOf } from '../supergraph/linked-directives.ts'
import { enforcedFeatures } from '../supergraph/supported-features.ts'

/** Features that ApolloGateway refuses when a link declares them for security or execution, in any version. */
const enforcedHere = new RegExp(`^https://specs\\.apollo\\.dev/(?:${enforcedFeatures.join('|')})/v\\d+\\.\\d+$`)

/**
 * Returns a supergraph that ApolloGateway loads: links of features that this gateway enforces lose their `for:` argument. @param revision - makes the
 * text unique, since ApolloGateway ignores an update to its current text
 * @throws {GraphQLError} if the text does not parse
 */
export function supergraphForApollo(sdl: string, revision: number): string {
  const document = parse(sdl, { noLocation: true })
  let changed = false
  const withoutPurpose = (link: ConstDirectiveNode): ConstDirectiveNode => {
    if (!isLink(link) || !enforcedHere.test(urlOf(link))) return link
    changed = true
    return { ...link, arguments: (link.arguments ?? []).filter(({ name }) => name.value !== 'for') }
  }
  const definitions = document.definitions.map((definition) =>
    definition.kind === Kind.SCHEMA_DEFINITION || definition.kind === Kind.SCHEMA_EXTENSION
      ? { ...definition, directives: (definition.directives ?? []).map(withoutPurpose) }
      : definition,
  )
  return `${changed ? print({ ...document, definitions }) : sdl}\n# revision ${revision}\n`
}

const isLink = ({ name }: ConstDirectiveNode): boolean => name.value === 'link' || name.value === 'core'

const urlOf = (link: ConstDirectiveNode): string => {
  const { url, feature = url } = argumentsOf(link)
  return typeof feature === 'string' ? feature : ''
}

/** Returns names and URLs of the subgraphs of a supergraph. Unlike `readSupergraph` it does not build the schema. */
export function subgraphsIn(supergraph: DocumentNode): readonly { readonly name: string; readonly url: string }[] {
  return supergraph.definitions.flatMap((definition) => {
    if (definition.kind !== Kind.ENUM_TYPE_DEFINITION) return []
    const graphs = (definition.values ?? []).flatMap(({ directives = [] }) =>
      directives.filter(({ name }) => name.value.endsWith('__graph')),
    )
    return graphs.map(argumentsOf).map(({ name, url }) => ({ name: String(name), url: typeof url === 'string' ? url : '' }))
  })
}
