import { randomBytes } from 'node:crypto'
import { CitizenPseudonyms } from '../../../engines/citizen-data/citizen-pseudonyms.ts'
import { ServiceKeys } from '../../../engines/identity/service-keys/service-keys.ts'
import { identityAccount } from '../../../engines/identity/tables.ts'
import { memoryKeyValue } from '../../../engines/key-value/memory-key-value.ts'
import { type Clock, systemClock } from '../../../foundation/clock.ts'
import { createAuthentication } from '../../../foundation/http/authentication.ts'
import { requestContext } from '../../../foundation/http/request-context.ts'
import { silentLog } from '../../../foundation/log.ts'
import { anonymous, type Principal } from '../../../foundation/principal.ts'
import { createExecutor, type Executor } from '../../../gateway/executor/executor.ts'
import { inProcessSource } from '../../../gateway/sources/in-process-source.ts'
import { composeSupergraph } from '../../../gateway/supergraph/supergraph.ts'
import { domainPathOf, serviceKeyList } from '../../../platform/components/administration.ts'
import { type AdministrationEngines, createAdministration } from '../../../subgraphs/administration/index.ts'
import { type EmbeddedIdentity, startEmbeddedIdentity } from '../engines/embedded-identity.ts'
import { embeddedEngine, openMigrated, type RelationalEngine } from '../engines/engines.ts'

export interface Answer {
  readonly data: Readonly<Record<string, unknown>> | null | undefined
  readonly errors:
    | readonly { readonly message: string; readonly path?: unknown; readonly extensions: Readonly<Record<string, unknown>> }[]
    | undefined
}

/** Component D with its own database and issuer, behind an executor. */
export interface Administration extends AsyncDisposable {
  readonly engines: AdministrationEngines
  readonly people: EmbeddedIdentity
  readonly executor: Executor
  readonly authentication: ReturnType<typeof createAuthentication>
  execute(text: string, variables?: Readonly<Record<string, unknown>>, principal?: Principal, address?: string): Promise<Answer>
  /** Returns all events of a subscription that ends; a refusal is its only event. */
  events(text: string, variables?: Readonly<Record<string, unknown>>, principal?: Principal): Promise<readonly Answer[]>
}

export const superAdmin: Principal = { user: { issuer: 'i', subject: 's', roles: ['super_admin'], groups: [], expiresAt: 4e9 } }
export const groupAdmin = (...groups: readonly string[]): Principal => ({
  user: { issuer: 'i', subject: 'g', roles: ['group_admin'], groups, expiresAt: 4e9 },
})

export async function startAdministration(
  options: {
    readonly engine?: RelationalEngine
    readonly clock?: Clock
    readonly url?: string
    readonly with?: Partial<AdministrationEngines>
  } = {},
): Promise<Administration> {
  const { engine = embeddedEngine, clock = systemClock } = options
  const opened = await openMigrated(engine)
  const keyValue = options.with?.keyValue ?? memoryKeyValue({ clock })
  const people = await startEmbeddedIdentity(opened.database, {
    keyValue,
    auditNote: options.with?.auditNote,
    ...(options.url === undefined ? {} : { url: options.url }),
  })
  // the account of superAdmin, the caller of the account mutations
  await opened.database.orm
    .insert(identityAccount)
    .values({ id: 's', email: 's@callers.example', passwordHash: '', roles: ['super_admin'] })
  const engines: AdministrationEngines = {
    database: opened.database,
    keyValue,
    identity: people.identity,
    verifier: people.verifier,
    accounts: people.issuer.accounts,
    clock,
    pseudonyms: new CitizenPseudonyms(randomBytes(32)),
    serviceKeys: serviceKeyList(new ServiceKeys(opened.database, new Uint8Array(32), []), []),
    domainPath: domainPathOf(opened.database),
    broker: { engine: 'postgresql', oldestAgeMs: async () => 0, newer: () => 0, dead: async () => 0 },
    ...options.with,
  }
  const subgraph = await createAdministration(engines, '1.0.0')
  const executor = createExecutor({
    supergraph: composeSupergraph([{ name: subgraph.name, sdl: subgraph.sdl }]),
    sources: { administration: inProcessSource(subgraph) },
    eventTimeoutMs: 1000,
  })
  return {
    engines,
    people,
    executor,
    authentication: createAuthentication({ apiKeys: [], tokenVerifier: people.verifier }),
    async execute(text, variables = {}, principal = anonymous, address = '192.0.2.1') {
      const disconnected = new AbortController().signal
      using context = requestContext({ principal, requestId: 'test', address, log: silentLog, timeoutMs: 60_000, disconnected })
      const result = await executor.execute(executor.prepare(text), variables, context)
      // the JSON that a client receives
      return JSON.parse(JSON.stringify(result)) as Answer
    },
    async events(text, variables = {}, principal = anonymous) {
      const disconnected = new AbortController().signal
      using context = requestContext({ principal, requestId: 'test', log: silentLog, timeoutMs: 60_000, disconnected })
      const stream = await executor.subscribe(executor.prepare(text), variables, context)
      const events = Symbol.asyncIterator in stream ? await Array.fromAsync(stream) : [stream]
      return JSON.parse(JSON.stringify(events)) as readonly Answer[]
    },
    async [Symbol.asyncDispose]() {
      await people[Symbol.asyncDispose]()
      await opened[Symbol.asyncDispose]()
    },
  }
}
