import type { GraphQLError } from 'graphql'
import type { SubgraphSource } from '../../sources/subgraph-source.ts'

/** The subgraphs that an execution may fetch from, by name. */
export type Fetchers = Readonly<Record<string, Pick<SubgraphSource, 'fetch'>>>

/** What an execution has come to. Errors are as the subgraphs gave them, not yet masked. */
export interface Execution {
  readonly data: Record<string, unknown> | null | undefined
  readonly errors: readonly GraphQLError[]
  /** what in the data must not be null, or is not what its type says, where no error explains it; names only types and fields */
  readonly problems: readonly GraphQLError[]
  /** what the caller may not see: null in the data; `@` stands for every element of a list */
  readonly refused: readonly (readonly string[])[]
}
