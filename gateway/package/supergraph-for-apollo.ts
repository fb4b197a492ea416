import { type ArgumentNode, type DirectiveNode, Kind, parse, print, visit } from 'graphql'

/** Features that this gateway enforces and ApolloGateway refuses when a link declares them for security or execution. */
const enforcedHere = /^https:\/\/specs\.apollo\.dev\/(?:authenticated|requiresScopes|policy|context)\/v\d+\.\d+$/

/**
 * Returns a supergraph that ApolloGateway loads: links of features that this gateway enforces lose their `for:` argument. @param revision - makes the
 * text unique, since ApolloGateway ignores an update to its current text
 * @throws {GraphQLError} if the text does not parse
 */
export function supergraphForApollo(sdl: string, revision: number): string {
  const document = parse(sdl, { noLocation: true })
  let changed = false
  const stripped = visit(document, {
    Directive(directive) {
      if (!isLink(directive) || !enforcedHere.test(urlOf(directive))) return undefined
      changed = true
      return { ...directive, arguments: directive.arguments?.filter(({ name }) => name.value !== 'for') ?? [] }
    },
  })
  return `${changed ? print(stripped) : sdl}\n# revision ${revision}\n`
}

const isLink = ({ name }: DirectiveNode): boolean => name.value === 'link' || name.value === 'core'

function urlOf({ arguments: given = [] }: DirectiveNode): string {
  const isUrl = ({ name }: ArgumentNode): boolean => name.value === 'url' || name.value === 'feature'
  const value = given.find(isUrl)?.value
  return value?.kind === Kind.STRING ? value.value : ''
}
