import { randomBytes } from 'node:crypto'
import { describe, expect, it, onTestFinished } from 'vitest'
import { systemClock } from '../../../../foundation/clock.ts'
import { keyIdOf } from '../../../../foundation/key-id.ts'
import type { BuildInfo } from '../../../../foundation/process/build-info.ts'
import { createSubgraphServer } from '../../../../gateway/protocols/subgraph-server/subgraph-server.ts'
import { principalTokens } from '../../../../gateway/sources/principal-token.ts'
import { type SubgraphAgreementOptions, subgraphAgreement } from '../../../../gateway/sources/subgraph-agreement.ts'
import { recordedLog, town } from '../../../support/gateway/town.ts'

const key = randomBytes(32)
const build: BuildInfo = { version: '2.0.0', commit: 'abc', schemaLevel: 70 }

async function servedHouses(announced: BuildInfo | undefined, accepted: readonly Uint8Array[] = [key]): Promise<string> {
  const [current = key, ...previous] = accepted
  const server = createSubgraphServer({
    subgraph: { name: 'houses', schema: town().schemas.houses },
    tokens: principalTokens(current, systemClock, previous),
    ...(announced !== undefined && { build: announced }),
    log: recordedLog().log,
    host: '127.0.0.1',
    port: 0,
    bodyBytes: 10_000,
    requestTimeoutMs: 5000,
  })
  await server.start(AbortSignal.timeout(5000))
  onTestFinished(() => server.stop())
  return server.url
}

/** Starts the check of a gateway; returns the sentence that keeps it from being ready. */
async function problemWith(url: string, options: Partial<SubgraphAgreementOptions> = {}): Promise<string | undefined> {
  const agreement = subgraphAgreement({
    subgraphs: [{ name: 'houses', url }],
    tokens: principalTokens(key),
    build,
    log: recordedLog().log,
    ...options,
  })
  await agreement.start(AbortSignal.timeout(5000))
  onTestFinished(() => agreement.stop())
  return agreement.problem
}

describe('a gateway agrees with a subgraph', () => {
  it.each([
    ['of its own build', build],
    ['of a newer level', { ...build, schemaLevel: 71 }],
    ['of a newer release', { ...build, version: '2.1.0', schemaLevel: 60 }],
  ])('%s', async (_, announced) => expect(await problemWith(await servedHouses(announced))).toBeUndefined())

  it('that accepts its key as a previous one', async () =>
    expect(await problemWith(await servedHouses(build, [randomBytes(32), key]))).toBeUndefined())

  it('that does not respond', async () => expect(await problemWith('http://127.0.0.1:9/graphql')).toBeUndefined())
})

describe('a gateway is not ready, and says why,', () => {
  it.each([
    ['an earlier release', undefined],
    ['release 1.9.0 (schema level 90)', { ...build, version: '1.9.0', schemaLevel: 90 }],
    ['release 2.0.0-dev (schema level 70)', { ...build, version: '2.0.0-dev' }],
    ['release 2.0.0 (schema level 69)', { ...build, schemaLevel: 69 }],
  ])('when a subgraph is of %s', async (older, announced) =>
    expect(await problemWith(await servedHouses(announced))).toBe(
      `The subgraph houses is of ${older}, older than this process (2.0.0, 70): upgrade the subgraphs first, then workers, then gateway and REST`,
    ),
  )

  it('when a process with subgraphs of an older build still runs behind a balancer', async () =>
    expect(await problemWith(await servedHouses(build), { olderProcesses: async () => ['The process subgraph:houses on node-2'] })).toBe(
      'The process subgraph:houses on node-2 still runs and is older than this process: upgrade the subgraphs first, then workers, then gateway and REST',
    ))

  it('when its signing key is another one: names the setting and both ids', async () => {
    const other = randomBytes(32)
    expect(await problemWith(await servedHouses(build, [other]))).toMatch(
      new RegExp(
        `^The subgraph houses refuses this process: .*PRINCIPAL_SIGNING_KEY \\(id ${keyIdOf(key)}; this subgraph accepts ${keyIdOf(other)}\\)`,
      ),
    )
  })

  it('when its clock differs', async () => {
    const tokens = principalTokens(key, { now: () => Date.now() + 300_000 })
    expect(await problemWith(await servedHouses(build), { tokens })).toMatch(
      /refuses this process: .*the clocks differ: synchronise both with NTP$/,
    )
  })
})
