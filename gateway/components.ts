import { randomBytes } from 'node:crypto'
import {
  type AdministrationEngines,
  createAdministration,
  createAdministrationUpkeep,
  type DevelopmentAdministrators,
} from '../subgraphs/administration/index.ts'
import {
  type ClassificationEngines,
  createClassification,
  createClassificationWorker,
  indexGeneration,
} from '../subgraphs/classification/index.ts'
import { type ContentEngines, createContent, createContentUpkeep } from '../subgraphs/content/index.ts'
import { gazetteer } from '../subgraphs/engines/geocoder/gazetteer.ts'
import { readPublicKeys } from '../subgraphs/engines/identity/signing-keys.ts'
import { createFaceAnalyser } from '../subgraphs/engines/models/face-analyser.ts'
import { projectionEncoder } from '../subgraphs/engines/models/sentence-projection.ts'
import { createTextReader } from '../subgraphs/engines/models/tesseract-text-reader.ts'
import type { Database } from '../subgraphs/engines/relational/database.ts'
import { treeSnapshots } from '../subgraphs/engines/tree-store/tree-snapshot.ts'
import { createExploration } from '../subgraphs/exploration/index.ts'
import { systemClock } from '../subgraphs/foundation/clock.ts'
import type { Config } from '../subgraphs/foundation/config.ts'
import type { HealthProbe } from '../subgraphs/foundation/health.ts'
import { compose, type Part } from '../subgraphs/foundation/lifecycle.ts'
import type { Log } from '../subgraphs/foundation/log.ts'
import type { ComponentName, Subgraph } from '../subgraphs/foundation/subgraph.ts'
import { type CallbackSecretsOf, createVerification, createVerificationWorker } from '../subgraphs/verification/index.ts'
import type { BuildInfo } from './build-info.ts'
import type { SharedEngines } from './shared-engines.ts'

export interface ComponentOptions {
  readonly engines: SharedEngines
  readonly config: Config
  readonly build: BuildInfo
  readonly log: Log
  /** names citizens where their own name must not be known; without it nobody is recognised from one start to the next */
  readonly pseudonymKey?: Uint8Array
  /** what subgraphs do beside answering is added here, for the caller to start */
  readonly background?: Part[]
}

/** A component's subgraph on these engines. Building it touches none of them. */
export function createSubgraph(name: ComponentName, options: ComponentOptions): Promise<Subgraph> {
  const { engines, config, build, log } = options
  const { database, keyValue } = engines
  const analytics: HealthProbe = {
    name: 'analytics_database',
    engine: 'postgresql',
    essential: true,
    check: (signal) => database.health(signal),
  }
  const keys: HealthProbe = {
    name: 'key_value_store',
    engine: keyValue.engine,
    essential: false,
    check: (signal) => keyValue.health(signal),
  }
  switch (name) {
    case 'verification':
      return createVerification(
        { ...engines, clock: systemClock, log: log.child({ component: name }) },
        {
          ...build,
          models: { ...faceAnalyser(options).versions, ...textReader(options).models },
          maxBatchJobs: config.verification.maxBatchJobs,
        },
      )
    case 'exploration':
      return createExploration(build.version, [keys, analytics])
    case 'classification':
      return classificationSubgraph(options, [keys, analytics])
    case 'administration':
      return createAdministration(administrationEngines(options), build.version)
    case 'content':
      return createContent(contentEngines(options), build.version)
  }
}

/** @param secretsOf - what the callbacks of a service are signed with */
export function createWorker(name: ComponentName, options: ComponentOptions, secretsOf: CallbackSecretsOf): Part {
  const { engines, config, log } = options
  if (name === 'classification') {
    const messages = createClassificationWorker(classificationEngines(options), (concurrency, handler) =>
      engines.expressionMessages(concurrency, handler),
    )
    options.background?.push(searchIndexOf(options))
    return compose('worker:classification', [messages])
  }
  if (name !== 'verification') throw new Error(`${name} has no worker`)
  const { concurrency, resultRetentionDays } = config.verification
  const faces = faceAnalyser(options)
  const reader = textReader(options)
  const callbacks = { secretsOf, allowLocal: !config.production }
  const worker = createVerificationWorker(
    { ...engines, clock: systemClock, log: log.child({ component: name }) },
    { concurrency, resultRetentionDays, faces, reader, callbacks, queueWorker: (handler) => engines.queueWorker(concurrency, handler) },
  )
  return compose('worker:verification', [faces, reader, worker])
}

async function classificationSubgraph(options: ComponentOptions, probes: readonly HealthProbe[]): Promise<Subgraph> {
  const { engines, config, build, background } = options
  const { database, identity, expressions } = engines
  const people: HealthProbe = {
    name: 'identity_service',
    engine: identity.provider.engine,
    essential: false,
    // the issuer in the platform may run in another process: here it is its keys that tokens are checked with
    check: (signal) => (identity.embedded === undefined ? identity.provider.health(signal) : publicKeysOf(database)),
  }
  const { subgraph, upkeep } = await createClassification(classificationEngines(options), {
    version: build.version,
    probes: [...probes, people],
    limits: { ...config.ingest, loopbackUnlimited: !config.production },
    executionProviders: config.onnxExecutionProviders,
    pseudonymKey: options.pseudonymKey ?? randomBytes(32),
  })
  background?.push(searchIndexOf(options), expressions, upkeep)
  return subgraph
}

async function publicKeysOf(database: Database): Promise<void> {
  const { keys } = await readPublicKeys(database)
  if (keys.length === 0) throw new Error('it has no signing keys yet')
}

const encoder = projectionEncoder()
const searchIndexOf = ({ engines }: ComponentOptions) => engines.searchIndex(indexGeneration(encoder.model))

function classificationEngines(options: ComponentOptions): ClassificationEngines {
  const { engines, config, log } = options
  return {
    ...engines,
    index: searchIndexOf(options),
    queue: engines.expressions,
    encoder,
    geocoder: gazetteer({ preferredCountries: config.geocoder.countries }),
    clock: systemClock,
    log: log.child({ component: 'classification' }),
  }
}

/** What component D does beside answering: runs wherever its subgraph does. */
export function administrationUpkeep(options: ComponentOptions, people: DevelopmentAdministrators | undefined): Part {
  const { engines, config, log } = options
  return createAdministrationUpkeep(administrationEngines(options), {
    messages: (handler) => engines.delegationMessages(handler),
    developmentAdministrators: people,
    demonstration: !config.production && config.database.url === undefined,
    log: log.child({ component: 'administration' }),
  })
}

/** What component E does beside answering: runs wherever its subgraph does. */
export const contentUpkeep = (options: ComponentOptions): Part => createContentUpkeep(contentEngines(options))

function contentEngines({ engines, config, log }: ComponentOptions): ContentEngines {
  const snapshots = treeSnapshots(config.content.snapshotFolder)
  return { store: engines.trees, snapshots, clock: systemClock, log: log.child({ component: 'content' }) }
}

function administrationEngines({ engines }: ComponentOptions): AdministrationEngines {
  const { database, keyValue, queue, identity } = engines
  const { provider, verifier, embedded } = identity
  return { database, keyValue, identity: provider, verifier, accounts: embedded?.accounts, clock: systemClock, broker: queue }
}

/** One thread for faces: onnxruntime uses the cores itself, and a second copy of the networks is 300 MB. */
/** One thread for faces: onnxruntime uses the cores itself, and a second copy of the networks is 300 MB. */
const faceAnalyser = ({ config, log }: ComponentOptions) =>
  createFaceAnalyser({
    threads: 1,
    executionProviders: config.onnxExecutionProviders,
    log: log.child({ component: 'verification' }),
  })

const textReader = ({ config, log }: ComponentOptions) =>
  createTextReader({ threads: config.verification.concurrency, log: log.child({ component: 'verification' }) })
