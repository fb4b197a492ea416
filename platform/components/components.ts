import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { Gauge, type Registry } from 'prom-client'
import type { AdministrationEngines, DevelopmentAdministrators } from '../../subgraphs/administration/index.ts'
import type { ContentEngines } from '../../subgraphs/content/index.ts'
import { tesseractDocumentReader } from '../../subgraphs/engines/document-reader/tesseract-document-reader.ts'
import { onnxFaceAnalyser } from '../../subgraphs/engines/face-analyser/onnx-face-analyser.ts'
import type { Database } from '../../subgraphs/engines/relational/database.ts'
import { driftOf } from '../../subgraphs/engines/search-index/drift-report.ts'
import { searchEngineHealth } from '../../subgraphs/engines/search-index/search-engine-health.ts'
import { treeSnapshots } from '../../subgraphs/engines/tree-store/tree-snapshot.ts'
import { type BuildInfo, projectFolder } from '../../subgraphs/foundation/build-info.ts'
import { systemClock } from '../../subgraphs/foundation/clock.ts'
import type { Config } from '../../subgraphs/foundation/config/config.ts'
import type { HealthProbe } from '../../subgraphs/foundation/graphql/health.ts'
import type { ComponentName, Subgraph } from '../../subgraphs/foundation/graphql/subgraph.ts'
import { compose, type Part } from '../../subgraphs/foundation/lifecycle.ts'
import type { Log } from '../../subgraphs/foundation/log.ts'
import type { MetricRegistries } from '../../subgraphs/foundation/metric-registries.ts'
import type { CallbackSecretsOf } from '../../subgraphs/verification/index.ts'
import { searchFolder } from '../engines/search-indices.ts'
import type { SharedEngines } from '../engines/shared-engines.ts'

export interface ComponentOptions {
  readonly engines: SharedEngines
  readonly config: Config
  readonly build: BuildInfo
  readonly log: Log
  /** names citizens where their own name must not be known; without it nobody is recognised from one start to the next */
  readonly pseudonymKey?: Uint8Array
  /** what subgraphs do beside answering is added here, for the caller to start */
  readonly background?: Part[]
  /** where components keep their metrics */
  readonly registries?: MetricRegistries
}

/**
 * A component's subgraph on these engines. Building it touches none of them. A component is loaded when it is built: a process holds the
 * code and the tables of its own roles only (a worker of verification 300 MB less than all).
 */
export async function createSubgraph(name: ComponentName, options: ComponentOptions): Promise<Subgraph> {
  const { engines, config, build, log, registries } = options
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
    case 'verification': {
      const { createVerification } = await import('../../subgraphs/verification/index.ts')
      return createVerification(
        { ...engines, clock: systemClock, log: log.child({ component: name }) },
        {
          ...build,
          models: { ...faceAnalyser(options).versions, ...textReader(options).models },
          maxBatchJobs: config.verification.maxBatchJobs,
        },
      )
    }
    case 'exploration': {
      if (registries !== undefined) tellDrift(registries.of(name), database)
      const { createExploration } = await import('../../subgraphs/exploration/index.ts')
      const { subgraph, watch } = await createExploration(
        { ...engines, clock: systemClock },
        {
          version: build.version,
          probes: [keys, analytics, searchProbe(config, database)],
          timezone: config.timezone,
          pseudonymKey: options.pseudonymKey ?? randomBytes(32),
        },
      )
      options.background?.push(watch)
      return subgraph
    }
    case 'classification': {
      const { classificationSubgraph } = await import('./classification.ts')
      return classificationSubgraph(options, [keys, analytics])
    }
    case 'administration': {
      const { createAdministration } = await import('../../subgraphs/administration/index.ts')
      return createAdministration(administrationEngines(options), build.version)
    }
    case 'content': {
      const { createContent } = await import('../../subgraphs/content/index.ts')
      const { typstTypesetter } = await import('../../subgraphs/engines/typesetting/typst-typesetter.ts')
      const { pdf } = config.content
      const typesetter = typstTypesetter({ ...pdf, templateFile: join(projectFolder, 'subgraphs/engines/typesetting/publication.typ') })
      options.background?.push(typesetter)
      return createContent({ ...contentEngines(options), typesetter }, { version: build.version, pdf })
    }
  }
}

/** Component B asks whether the index is there without loading what searches it. */
function searchProbe({ elasticsearch, dataDir }: Config, database: Database): HealthProbe {
  return {
    name: 'search_index',
    engine: elasticsearch === undefined ? 'lancedb' : 'elasticsearch',
    essential: false,
    check: (signal) => searchEngineHealth(elasticsearch?.url ?? searchFolder(dataDir), signal),
    drift: () => driftOf(database),
  }
}

/** Component B tells in its metrics what component C's upkeep has found. */
function tellDrift(registry: Registry, database: Database): void {
  new Gauge({
    name: 'civigraph_exploration_search_index_drift',
    help: 'Expressions in which the search index differed from the analytics database when they were last compared',
    registers: [registry],
    async collect() {
      const drift = await driftOf(database).catch(() => null)
      if (drift === null) this.reset()
      else this.set(drift)
    },
  })
}

/** @param secretsOf - what the callbacks of a service are signed with */
export async function createWorker(name: ComponentName, options: ComponentOptions, secretsOf: CallbackSecretsOf): Promise<Part> {
  const { engines, config, log } = options
  if (name === 'classification') {
    const { classificationWorker } = await import('./classification.ts')
    return classificationWorker(options)
  }
  if (name === 'exploration') {
    const { createExplorationWorker } = await import('../../subgraphs/exploration/index.ts')
    return createExplorationWorker({ ...engines, log: log.child({ component: name }) }, { timezone: config.timezone })
  }
  if (name !== 'verification') throw new Error(`${name} has no worker`)
  const { concurrency, resultRetentionDays, thresholds } = config.verification
  const faces = faceAnalyser(options)
  const reader = textReader(options)
  const callbacks = { secretsOf, allowLocal: !config.production }
  const { createVerificationWorker } = await import('../../subgraphs/verification/index.ts')
  const worker = createVerificationWorker(
    { ...engines, clock: systemClock, log: log.child({ component: name }) },
    {
      concurrency,
      resultRetentionDays,
      thresholds,
      faces,
      reader,
      callbacks,
      queueWorker: (handler) => engines.queueWorker(concurrency, handler),
    },
  )
  return compose('worker:verification', [faces, reader, worker])
}

/** What component D does beside answering: runs wherever its subgraph does. */
export async function administrationUpkeep(options: ComponentOptions, people: DevelopmentAdministrators | undefined): Promise<Part> {
  const { createAdministrationUpkeep } = await import('../../subgraphs/administration/index.ts')
  const { wantsDemonstrationDelegations } = await import('../demonstration/expressions.ts')
  const { engines, config, log } = options
  return createAdministrationUpkeep(administrationEngines(options), {
    messages: (handler) => engines.delegationMessages(handler),
    developmentAdministrators: people,
    demonstration: wantsDemonstrationDelegations(config),
    log: log.child({ component: 'administration' }),
  })
}

/** What component E does beside answering: runs wherever its subgraph does. */
export async function contentUpkeep(options: ComponentOptions): Promise<Part> {
  const { createContentUpkeep } = await import('../../subgraphs/content/index.ts')
  return createContentUpkeep(contentEngines(options))
}

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
const faceAnalyser = ({ config, log }: ComponentOptions) =>
  onnxFaceAnalyser({
    threads: 1,
    executionProviders: config.onnxExecutionProviders,
    log: log.child({ component: 'verification' }),
  })

const textReader = ({ config, log }: ComponentOptions) =>
  tesseractDocumentReader({ threads: config.verification.concurrency, log: log.child({ component: 'verification' }) })
