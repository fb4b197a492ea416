import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { follow } from '../../packages/civigraph-client/src/graphql/follow.ts'
import { ExpressionAddedDocument } from '../../packages/civigraph-client/src/graphql/generated/documents.ts'
import { createSubscriptionClient } from '../../packages/civigraph-client/src/graphql/subscription-client.ts'
import { ContentEdits } from '../fault-matrix/load/content-edits.ts'
import { Expressions } from '../fault-matrix/load/expressions.ts'
import { Jobs } from '../fault-matrix/load/jobs.ts'
import { type Answer, type Discrepancies, isAcknowledged, type Kind } from '../fault-matrix/load/kind.ts'
import { Load } from '../fault-matrix/load/load.ts'
import { Logins } from '../fault-matrix/load/logins.ts'
import { sendGraphql } from '../fault-matrix/load/send.ts'
import { Votes } from '../fault-matrix/load/votes.ts'
import type { Access } from '../fault-matrix/platform.ts'
import { realCassandra, realEngines } from '../support/engines/engines.ts'
import { runsHere } from '../support/processes/runs-here.ts'
import { type Place, places, startTwoMachines } from '../support/processes/two-machines.ts'

const [engines, cassandra] = [realEngines(), realCassandra()]
const missing = [
  ...(engines?.elasticsearch === undefined ? ['DATABASE_URL, REDIS_URL and ELASTICSEARCH_URL'] : []),
  ...(cassandra === undefined ? ['CASSANDRA_CONTACT_POINTS'] : []),
  ...((await runsHere('haproxy', '-v')) ? [] : ['haproxy']),
]

/** Sends a query over several components repeatedly. */
class Queries implements Kind {
  readonly name = 'query'
  readonly everyMs = 100
  readonly atOnce = 10
  readonly #access: Access

  constructor(access: Access) {
    this.#access = access
  }

  async prepare(): Promise<void> {
    const { status, detail } = await this.attempt()
    if (status !== 200) throw new Error(`the query is not answered: ${status} ${detail}`)
  }

  find = async (): Promise<Discrepancies> => ({ lost: [], doubled: [] })

  attempt(): Promise<Answer> {
    const search = 'searchExpressions(input: { text: "robinet" }, first: 3) { nodes { id text votes { total } } }'
    return sendGraphql(this.#access, `{ domains { domains { id } } ${search} }`, {})
  }

  [Symbol.asyncDispose] = async (): Promise<void> => undefined
}

describe.skipIf(missing.length > 0)(`a roll-out under load${missing.map((each) => ` (needs ${each})`).join('')}`, () => {
  it('of every process, one after another, and of two rotated keys, fails no request, and loses and duplicates nothing', {
    timeout: 900_000,
  }, async () => {
    if (engines?.elasticsearch === undefined || cassandra === undefined) throw new Error('there are no such engines')
    await using open = new AsyncDisposableStack()
    const platform = open.use(await startTwoMachines({ ...engines, elasticsearch: engines.elasticsearch, cassandra }))
    const { access } = platform
    const email = 'roll@example.org'
    const [, password = ''] = /password: (\S+)/.exec(await platform.command('admin', 'create', email, '--role', 'super_admin')) ?? []
    const database = (): string => platform.databaseUrl
    const expressions = new Expressions(access, database)
    const kinds = [
      new Queries(access),
      expressions,
      new Jobs(access, database),
      new Votes(access, database, 'roll'),
      new ContentEdits(access, 'roll'),
      new Logins(access, { email, password }),
    ]
    for (const kind of kinds) open.use(kind)
    for (const kind of kinds) await kind.prepare()

    const fresh = { VAULT_KEY: randomBytes(32).toString('base64'), PRINCIPAL_SIGNING_KEY: randomBytes(32).toString('base64') }
    const keysOf = (name: keyof typeof fresh) => [platform.settings[name], fresh[name]]
    const received: string[] = []
    const subscriptions = createSubscriptionClient({ url: access.graphql.replace('http', 'ws'), webSocketImpl: WebSocket, maxWaitMs: 1000 })
    open.defer(() => subscriptions.dispose())
    const troubles: string[] = []
    const stop = follow(
      subscriptions,
      ExpressionAddedDocument,
      { updates: false },
      {
        next: ({ expressionAdded }) => void received.push(expressionAdded.expression?.id ?? 'none'),
        error: (error, isOver) => void (isOver && troubles.push(error.message)),
      },
    )
    open.defer(stop)

    const load = new Load(kinds, 'roll')
    load.start()
    open.defer(() => load.stop(0))
    // after its first event a subscriber misses nothing
    await expect.poll(() => received.length).toBeGreaterThan(0)
    await expect.poll(() => kinds.filter((kind) => load.acknowledged(kind).length === 0).map(({ name }) => name)).toEqual([])

    const replaceAll = async (): Promise<void> => {
      for (const place of Object.keys(places) as Place[])
        for (const machine of [0, 1] as const) expect(await platform.replace(machine, place)).toBe(0)
    }
    await platform.command('migrate', 'apply')
    await replaceAll()
    // both keys at once: prepared, exchanged, re-encrypted
    for (const change of ['prepare', 'exchange'] as const) {
      for (const name of ['VAULT_KEY', 'PRINCIPAL_SIGNING_KEY'] as const) {
        const [former = '', next = ''] = keysOf(name)
        platform.configure(change === 'prepare' ? { [`${name}_PREVIOUS`]: next } : { [name]: next, [`${name}_PREVIOUS`]: former })
      }
      await replaceAll()
      const steps = await Promise.all(['VAULT_KEY', 'PRINCIPAL_SIGNING_KEY'].map((name) => platform.command('keys', 'rotate', name)))
      for (const step of steps) expect(step).toContain(change === 'prepare' ? 'Step 1 is complete' : 'Step 4: after 24 hours remove')
    }
    const acknowledged = kinds.map((kind) => load.acknowledged(kind).length)
    await expect.poll(() => kinds.every((kind, at) => load.acknowledged(kind).length > (acknowledged[at] ?? 0))).toBe(true)
    await load.stop(30_000)

    const failed = load.attempts.filter(({ answer }) => !isAcknowledged(answer))
    expect(failed.map(({ kind, answer: { status, detail } }) => `${kind}: ${status} ${detail}`)).toEqual([])
    for (const kind of kinds)
      await expect.poll(() => kind.find(load.acknowledged(kind), load.tried(kind))).toEqual({ lost: [], doubled: [] })
    const acknowledgedIds = load.acknowledged(expressions).map(({ id = '' }) => id)
    const first = acknowledgedIds.indexOf(received.find((id) => acknowledgedIds.includes(id)) ?? '')
    await expect.poll(() => acknowledgedIds.slice(first).filter((id) => !received.includes(id))).toEqual([])
    expect(received).toEqual([...new Set(received)])
    expect(troubles).toEqual([])
    process.stdout.write(
      `${load.attempts.length} requests while six processes were replaced three times, with two keys rotated; failed 0, lost 0, doubled 0\n`,
    )
  })
})
