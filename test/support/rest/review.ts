import { createHash, randomBytes } from 'node:crypto'
import { type ExecutionResult, execute, parse } from 'graphql'
import { CitizenPseudonyms } from '../../../engines/citizen-data/citizen-pseudonyms.ts'
import type { EventFeed } from '../../../engines/event-feed/event-feed.ts'
import { relayEventFeed } from '../../../engines/event-feed/relay-event-feed.ts'
import type { ImageVault } from '../../../engines/image-vault/image-vault.ts'
import { postgresImageVault } from '../../../engines/image-vault/postgres-image-vault.ts'
import type { VaultKeys } from '../../../engines/image-vault/vault-keys.ts'
import { bullmqJobQueue } from '../../../engines/job-queue/bullmq-job-queue.ts'
import type { Database } from '../../../engines/relational/database.ts'
import type { Publication } from '../../../engines/typesetting/typesetter.ts'
import { systemClock } from '../../../foundation/clock.ts'
import { parseConfig } from '../../../foundation/config/config.ts'
import { createAuthentication } from '../../../foundation/http/authentication.ts'
import { requestContext } from '../../../foundation/http/request-context.ts'
import { compose, type Part } from '../../../foundation/lifecycle.ts'
import { silentLog as log } from '../../../foundation/log.ts'
import type { Principal, UserPrincipal } from '../../../foundation/principal.ts'
import { createExecutor } from '../../../gateway/executor/executor.ts'
import { inProcessSource } from '../../../gateway/sources/in-process-source.ts'
import { composeSupergraph } from '../../../gateway/supergraph/supergraph.ts'
import { delegationsQueue } from '../../../platform/engines/awaited-database.ts'
import { restServer } from '../../../rest-adapters/rest-server.ts'
import { routesOf } from '../../../rest-adapters/routes.ts'
import { citizenDataOf as delegationsOf } from '../../../subgraphs/administration/citizen-data.ts'
import { citizenDataOf as expressionsOf } from '../../../subgraphs/classification/citizen-data.ts'
import { citizenDataOf as votesOf } from '../../../subgraphs/exploration/citizen-data.ts'
import type { Verdict } from '../../../subgraphs/verification/assessment/result.ts'
import { createVerification, createVerificationUpkeep } from '../../../subgraphs/verification/index.ts'
import { SubmitJobs } from '../../../subgraphs/verification/intake/submit-jobs.ts'
import { ProcessJob, type Verify } from '../../../subgraphs/verification/jobs/process-job.ts'
import { SettleReview } from '../../../subgraphs/verification/review/decision/settle-review.ts'
import type { SubmittedLiveness } from '../../../subgraphs/verification/submission/submission.ts'
import { openMigrated, type RelationalEngine } from '../engines/engines.ts'
import { newJob } from '../samples/new-job.ts'
import { type Reply, send } from './rest.ts'

export type Person = Pick<UserPrincipal, 'subject' | 'roles' | 'citizenCode'>

export interface DeskResult<Data> {
  readonly data: Data | null
  readonly code: string | undefined
  readonly message: string | undefined
  /** Refused members of the input. */
  readonly entries?: readonly object[]
}

/** Component A with its REST and no worker, for reviews. */
export interface ReviewDesk extends AsyncDisposable {
  /** PSEUDONYM_KEY of the desk */
  readonly pseudonymKey: Uint8Array
  readonly pseudonyms: CitizenPseudonyms
  /** Background work of the subgraph; the test starts it. */
  readonly upkeep: Part
  readonly database: Database
  readonly vault: ImageVault
  readonly feed: EventFeed
  /** Completes decisions whose hold has ended, as the worker does. @returns their number */
  completeDue(): Promise<number>
  /** How far its clock is ahead of the machine's. */
  aheadMs: number
  /** Creates a job that is left to review; its images are JPEGs by their first bytes. */
  pending(
    citizenCode?: string,
    options?: {
      readonly keepsForReview?: boolean
      readonly callbackUrl?: string
      readonly verdict?: Verdict | Verify
      readonly templateKeys?: VaultKeys
      readonly liveness?: SubmittedLiveness
    },
  ): Promise<string>
  execute<Data>(text: string, variables: object, caller: Person | 'service'): Promise<DeskResult<Data>>
  /** Resolves entity keys like the gateway: returns their types, null for entities that this caller cannot see. */
  refer(keys: readonly Readonly<Record<string, string>>[], principal: Principal): Promise<ExecutionResult>
  get(path: string, person?: Person): Promise<Reply>
  /** a POST of JSON with the key of the service */
  post(path: string, body: unknown): Promise<Reply>
}

/** First bytes of both images of `pending`. */
export const jpegOf = (text: string): Buffer => Buffer.concat([Buffer.from([0xff, 0xd8, 0xff]), Buffer.from(text)])

export const uncertain: Verdict = {
  outcome: 'pending_review',
  failureReason: null,
  crossValidations: {
    reasons: ['face_mismatch'],
    faceComparison: { faceMatch: { result: 'consider', properties: [{ key: 'distance', number: 0.55 }] } },
  },
  scores: { overall: 0.6, faceMatch: 0.54 },
}

const serviceKey = 'key of the desk'

/** @param options - `broken`: wraps the feed, so that a transaction can fail at its last step */
export async function openReviewDesk(
  engine: RelationalEngine,
  options: {
    readonly fourEyes?: boolean
    readonly undoMinutes?: number
    readonly templateKeys?: VaultKeys
    readonly feed?: (feed: EventFeed) => EventFeed
  } = {},
): Promise<ReviewDesk> {
  const opened = await openMigrated(engine)
  const { database, url } = opened
  const connection = { kind: 'postgres', url: () => url } as const
  const eventFeed = relayEventFeed({ database, connection, log })
  const feed = options.feed?.(eventFeed) ?? eventFeed
  const vault = postgresImageVault({ database, key: randomBytes(32) })
  // never started: tests run the jobs
  const queue = { ...bullmqJobQueue({ name: 'jobs', connection, log }), add: async () => undefined }
  const desk = { aheadMs: 0 }
  const clock = { now: () => systemClock.now() + desk.aheadMs }
  const engines = { database, vault, feed, queue, clock, log }
  const settings = {
    version: '1.0.0',
    commit: 'test',
    schemaLevel: 1,
    models: {},
    maxBatchJobs: 5,
    fourEyes: options.fourEyes ?? false,
    undoMinutes: options.undoMinutes ?? 0,
    outcomeRetentionDays: 90,
    templateKeys: options.templateKeys,
  }
  const pseudonymKey = randomBytes(32)
  const pseudonyms = new CitizenPseudonyms(pseudonymKey)
  const citizenData = [
    delegationsOf({ database, pseudonyms, queue: delegationsQueue }),
    expressionsOf({ database, feed, pseudonymKey }),
    votesOf({ database, feed, pseudonymKey }),
  ]
  const typesetter = { typeset: async ({ at }: Publication) => Buffer.from(`%PDF of ${at.toISOString()}`) }
  const subgraphEngines = { ...engines, pseudonyms, citizenData, typesetter }
  const subgraph = await createVerification(subgraphEngines, settings)
  const executor = createExecutor({
    supergraph: composeSupergraph([subgraph]),
    sources: { verification: inProcessSource(subgraph) },
    eventTimeoutMs: 5000,
  })
  const personOf = (person: Person): UserPrincipal => ({ issuer: 'https://issuer.test', groups: [], expiresAt: 4e9, ...person })
  const authentication = createAuthentication({
    apiKeys: [{ name: 'bank', sha256: createHash('sha256').update(serviceKey).digest('hex'), scopes: ['submit', 'results'] }],
    tokenVerifier: { verify: async (token) => personOf(JSON.parse(Buffer.from(token, 'base64url').toString()) as Person) },
  })
  const config = parseConfig({ NODE_ENV: 'test' }, '/tmp')
  const routes = routesOf('verification', config)
  const server = restServer({ component: 'verification', routes, executor, authentication, config, log, port: 0 })
  const platform = compose('review desk', [eventFeed, server])
  await platform.start(AbortSignal.timeout(60_000))
  return Object.assign(desk, {
    database,
    vault,
    feed,
    pseudonymKey,
    pseudonyms,
    upkeep: createVerificationUpkeep(subgraphEngines),
    completeDue: () =>
      new SettleReview({ database, vault, feed, templateKeys: options.templateKeys }).completeDue(AbortSignal.timeout(60_000)),
    async pending(
      citizenCode = 'CIT-1',
      { keepsForReview: retainsForReview = true, callbackUrl, verdict = uncertain, templateKeys, liveness } = {},
    ) {
      const job = { ...newJob(citizenCode, { bytes: jpegOf('front') }), callbackUrl: callbackUrl ?? null }
      const submission = { ...job.submission, selfie: { bytes: jpegOf('selfie') }, ...(liveness && { liveness }) }
      const { rows } = await new SubmitJobs(engines).submit({ owner: 'bank', batchId: null }, [{ ...job, submission }])
      const [{ id } = { id: '' }] = rows
      const verify: Verify = typeof verdict === 'function' ? verdict : async () => verdict
      const run = new ProcessJob({ ...engines, workerId: 'w' }, verify, { retainsForReview, templateKeys })
      await run.run(id, AbortSignal.timeout(60_000))
      return id
    },
    async execute(text, variables, caller) {
      const principal: Principal =
        caller === 'service' ? { service: { name: 'bank', scopes: ['submit', 'results'] } } : { user: personOf(caller) }
      const disconnected = new AbortController().signal
      using context = requestContext({ principal, requestId: 'test', address: '192.0.2.1', log, timeoutMs: 60_000, disconnected })
      const { data, errors } = await executor.execute(executor.prepare(text), { ...variables }, context)
      const [error] = errors ?? []
      const result = { data: data ?? null, code: error?.extensions.code, message: error?.message, entries: error?.extensions.entries }
      // the JSON that a client receives
      return JSON.parse(JSON.stringify(result))
    },
    async refer(representations, principal) {
      const query = 'query ($representations: [_Any!]!) { _entities(representations: $representations) { __typename } }'
      const disconnected = new AbortController().signal
      using context = requestContext({ principal, requestId: 'test', address: '192.0.2.1', log, timeoutMs: 60_000, disconnected })
      const resolved = await execute({
        schema: subgraph.schema,
        document: parse(query),
        variableValues: { representations },
        contextValue: context,
      })
      return JSON.parse(JSON.stringify(resolved)) as ExecutionResult
    },
    get(path, person) {
      const token = person && Buffer.from(JSON.stringify(person)).toString('base64url')
      return send(`${server.address}${path}`, 'GET', token === undefined ? {} : { authorization: `Bearer ${token}` })
    },
    post: (path, body) =>
      send(
        `${server.address}${path}`,
        'POST',
        { 'x-service-api-key': serviceKey, 'content-type': 'application/json' },
        JSON.stringify(body),
      ),
    async [Symbol.asyncDispose]() {
      await platform.stop()
      await opened[Symbol.asyncDispose]()
    },
  } satisfies Omit<ReviewDesk, 'aheadMs'>)
}
