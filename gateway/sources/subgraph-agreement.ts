import { request } from 'undici'
import { z } from 'zod'
import { messageOf } from '../../foundation/fault.ts'
import { type Part, periodic } from '../../foundation/lifecycle.ts'
import type { Log } from '../../foundation/log.ts'
import { anonymous } from '../../foundation/principal.ts'
import { type BuildInfo, compareReleases } from '../../foundation/process/build-info.ts'
import { type PrincipalTokens, principalHeader } from './principal-token.ts'

/** Header of every response of a subgraph: release and schema level of its build. */
export const buildHeader = 'x-civigraph-build'
export const buildHeaderOf = ({ version, schemaLevel }: BuildInfo): string => `${version} ${schemaLevel}`

export interface SubgraphAgreementOptions {
  /** subgraphs of this platform in other processes */
  readonly subgraphs: readonly { readonly name: string; readonly url: string }[]
  readonly tokens: PrincipalTokens
  /** of this process */
  readonly build: BuildInfo
  /**
   * Names running processes with subgraphs of an older build: a balancer shows only one of several. A failure counts as none (default: none)
   */
  readonly olderProcesses?: () => Promise<readonly string[]>
  readonly log: Pick<Log, 'error' | 'info'>
  readonly everyMs?: number
  readonly timeoutMs?: number
}

/** Whether the subgraphs of other processes accept this one. */
export interface SubgraphAgreement extends Part {
  /** why this process must not get requests, one sentence; undefined if the subgraphs accept it or do not respond */
  readonly problem: string | undefined
}

const Refusal = z.object({ errors: z.array(z.object({ message: z.string() })).min(1) })

/**
 * Checks at the start and periodically that each subgraph accepts the tokens of this process, and that none is of an older release: an older one lacks
 * fields and enum values that this process uses. Releases are compared until the first agreement only, so that a rollback of the subgraphs does not
 * stop every gateway at once. An unavailable subgraph is not checked.
 */
export function subgraphAgreement(options: SubgraphAgreementOptions): SubgraphAgreement {
  const { subgraphs, tokens, build, log, everyMs = 5000, timeoutMs = 2000, olderProcesses = async () => [] } = options
  let problem: string | undefined
  let hasAgreed = false

  const problemOf = async ({ name, url }: { readonly name: string; readonly url: string }): Promise<string | undefined> => {
    const answer = await request(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        [principalHeader]: tokens.sign({ principal: anonymous, requestId: 'agreement' }, name),
      },
      body: JSON.stringify({ query: '{ __typename }' }),
      signal: AbortSignal.timeout(timeoutMs),
    })
    const body: unknown = await answer.body.json().catch(() => undefined)
    if (answer.statusCode === 401) return `The subgraph ${name} refuses this process: ${reasonOf(body)}`
    const sent = answer.headers[buildHeader]
    // a balancer without a subgraph responds by itself
    if (hasAgreed || answer.statusCode !== 200) return undefined
    return olderProblem(name, typeof sent === 'string' ? sent : undefined, build)
  }

  const check = async (): Promise<void> => {
    const problems = await Promise.all([
      ...subgraphs.map((each) => problemOf(each).catch(() => undefined)),
      hasAgreed ? undefined : olderProcesses().then(runningProblem, () => undefined),
    ])
    const current = problems.find((each) => each !== undefined)
    if (current !== undefined && current !== problem) log.error({ reason: current }, 'this process is not ready: a subgraph does not agree')
    if (current === undefined && problem !== undefined) log.info({}, 'the subgraphs agree with this process')
    problem = current
    hasAgreed ||= problems.every((each) => each === undefined)
  }
  const checks = periodic('agreement with subgraphs', everyMs, check, (error) =>
    log.error({ reason: messageOf(error) }, 'the agreement with subgraphs could not be checked'),
  )
  return {
    name: checks.name,
    get problem() {
      return problem
    },
    async start(signal) {
      if (subgraphs.length === 0) return
      await check()
      await checks.start(signal)
    },
    stop: checks.stop,
  }
}

function reasonOf(body: unknown): string {
  const refusal = Refusal.safeParse(body)
  return refusal.success ? (refusal.data.errors[0]?.message ?? '') : 'it gives no reason'
}

const order = 'upgrade the subgraphs first, then workers, then gateway and REST'

const runningProblem = ([older]: readonly string[]): string | undefined =>
  older === undefined ? undefined : `${older} still runs and is older than this process: ${order}`

function olderProblem(name: string, sent: string | undefined, { version, schemaLevel }: BuildInfo): string | undefined {
  const [release = '', level = '0'] = sent?.split(' ') ?? []
  const difference = sent === undefined ? -1 : compareReleases(release, version) || Number(level) - schemaLevel
  if (difference >= 0) return undefined
  const theirs = sent === undefined ? 'an earlier release' : `release ${release} (schema level ${level})`
  return `The subgraph ${name} is of ${theirs}, older than this process (${version}, ${schemaLevel}): ${order}`
}
