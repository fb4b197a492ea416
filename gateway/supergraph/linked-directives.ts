import { type ConstDirectiveNode, type DocumentNode, Kind, valueFromASTUntyped } from 'graphql'
import { z } from 'zod'

/** A link of a supergraph to a specification. */
interface Link {
  /** name of the specification, if it is one of Apollo's */
  readonly specification: string | undefined
  /** prefix of directives that are not imported */
  readonly prefix: string
  /** names of directives in the specification and in the supergraph */
  readonly imported: ReadonlyMap<string, string>
}

const Import = z.union([z.string(), z.object({ name: z.string(), as: z.string().optional() })])
const Arguments = z.object({
  url: z.string().optional(),
  feature: z.string().optional(),
  as: z.string().optional(),
  import: z.array(Import).optional(),
})

/**
 * Returns the name of a specification's directive in the supergraph, where a link may rename it (`as`, `import`). Without a link the default name
 * applies unless another link has imported it, so that a removed link does not disable a directive. @see https://specs.apollo.dev/link/v1.0
 */
export function directiveNames(supergraph: DocumentNode): (specification: string, directive: string) => ReadonlySet<string> {
  const links = supergraph.definitions.flatMap((definition) =>
    definition.kind === Kind.SCHEMA_DEFINITION || definition.kind === Kind.SCHEMA_EXTENSION
      ? (definition.directives ?? []).filter(({ name }) => name.value === 'link' || name.value === 'core').flatMap(linkOf)
      : [],
  )
  return (specification, directive) => {
    const own = links.filter((link) => link.specification === specification)
    if (own.length > 0)
      return new Set(own.map((link) => link.imported.get(directive) ?? defaultName(link.prefix, specification, directive)))
    const isOfOthers = links.some(({ prefix, imported }) => prefix === directive || [...imported.values()].includes(directive))
    return new Set(isOfOthers ? [] : [directive])
  }
}

/** Returns the values of a directive's arguments by name. */
export function argumentsOf({ arguments: args = [] }: ConstDirectiveNode): Readonly<Record<string, unknown>> {
  return Object.fromEntries(args.map(({ name, value }) => [name.value, valueFromASTUntyped(value)]))
}

const defaultName = (prefix: string, specification: string, directive: string): string =>
  directive === specification ? prefix : `${prefix}__${directive}`

function linkOf(directive: ConstDirectiveNode): readonly Link[] {
  const { data } = Arguments.safeParse(argumentsOf(directive))
  const url = data?.url ?? data?.feature
  if (data === undefined || url === undefined) return []
  const [, host, name = ''] = /^https?:\/\/([^/]+)\/(?:.*\/)?([^/]+)\/v\d+\.\d+\/?$/.exec(url) ?? []
  const imported = (data.import ?? []).map((each) => (typeof each === 'string' ? { name: each, as: each } : { as: each.name, ...each }))
  return [
    {
      specification: host === 'specs.apollo.dev' ? name : undefined,
      prefix: data.as ?? name,
      imported: new Map(imported.map(({ name, as }) => [withoutSign(name), withoutSign(as ?? name)])),
    },
  ]
}

const withoutSign = (name: string): string => name.replace(/^@/, '')
