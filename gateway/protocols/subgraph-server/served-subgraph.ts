import type { GraphQLSchema } from 'graphql'
import type { AdmissionGate } from '../../../foundation/concurrency/load-gate.ts'
import type { OpenFile } from '../../../foundation/graphql/open-file.ts'
import type { Log } from '../../../foundation/log.ts'
import type { BuildInfo } from '../../../foundation/process/build-info.ts'
import type { PrincipalTokens } from '../../sources/principal-token.ts'
import type { SubgraphSource } from '../../sources/subgraph-source.ts'

/** The shared dependencies of both protocols of a subgraph server. */
export interface ServedSubgraph {
  readonly subgraph: { readonly name: string; readonly schema: GraphQLSchema; readonly openFile?: OpenFile }
  readonly source: SubgraphSource
  readonly tokens: PrincipalTokens
  readonly log: Log
  readonly requestTimeoutMs: number
  /** announced in every response; absent: not announced */
  readonly build?: BuildInfo
  /** checked before any work */
  readonly gate: AdmissionGate
}
