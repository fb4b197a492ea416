import type { GraphQLError } from 'graphql'
import type { RefusedPath } from '../../authorization/allowed-operation.ts'
import type { SubgraphSource } from '../../sources/subgraph-source.ts'

/** The subgraphs that an execution may fetch from, by name. */
export type Fetchers = Readonly<Record<string, Pick<SubgraphSource, 'fetch'>>>

/** What an execution has come to, or a part of it. Errors are as the subgraphs gave them, not yet masked. */
export interface Executed {
  readonly data: Record<string, unknown> | null | undefined
  readonly errors: readonly GraphQLError[]
  /** what in the data must not be null, or is not what its type says, where no error explains it; names only types and fields */
  readonly problems: readonly GraphQLError[]
  /** what the caller may not see: null in the data; `@` stands for every element of a list */
  readonly refused: readonly RefusedPath[]
}

/** Where in the answer a part of it goes. */
export interface PartPlace {
  /** that no other part of the answer has */
  readonly id: string
  readonly path: readonly (string | number)[]
  /** the client's own for the fragment, where it has one */
  readonly label: string | undefined
}

export type ExecutedPart = PartPlace & Executed

/** Some parts of an answer, which have been fetched together. */
export interface ExecutedParts {
  readonly parts: readonly ExecutedPart[]
  /** those within them that come later still */
  readonly pending: readonly PartPlace[]
  /** whether more follow */
  readonly hasNext: boolean
}

/** What comes after the first of an answer. */
export interface LaterExecution {
  readonly pending: readonly PartPlace[]
  readonly parts: AsyncGenerator<ExecutedParts, void>
}

export interface Execution extends Executed {
  /** absent: this is all */
  readonly later?: LaterExecution
}
