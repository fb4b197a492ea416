import { randomBytes } from 'node:crypto'
import { readPublicKeys } from '../../engines/identity/signing-keys.ts'
import type { Database } from '../../engines/relational/database.ts'
import type { RunningEncoder } from '../../engines/sentence-encoder/sentence-encoder.ts'
import { systemClock } from '../../foundation/clock.ts'
import type { HealthProbe } from '../../foundation/health/health.ts'
import { compose, type Part } from '../../foundation/lifecycle.ts'
import { MetricRegistries } from '../../foundation/process/metrics.ts'
import {
  type ClassificationEngines,
  createClassification,
  createClassificationWorker,
  indexGeneration,
} from '../../subgraphs/classification/index.ts'
import { geocoderOf, languageModelOf, sentenceEncoder } from '../engines/classification-engines.ts'
import { runningModels } from '../engines/running-models.ts'
import type { SharedEngines } from '../engines/shared-engines.ts'
import { auditNoteOf, type Component, type ComponentOptions, keyValueProbe } from './component.ts'

/** Component C on the engines of a process. */
export const classification: Component = {
  async subgraph(options) {
    const { engines, config, build, keys, gate, registries = new MetricRegistries() } = options
    const made = await classificationEngines(options)
    const { subgraph, upkeep } = await createClassification(made, {
      version: build.version,
      probes: [keyValueProbe(engines), identityProbe(engines)],
      limits: { ...config.ingest, loopbackUnlimited: !config.production },
      moderation: moderationOf(config),
      executionProviders: config.onnxExecutionProviders,
      models: runningModels(config),
      timezone: config.timezone,
      pseudonymKey: keys?.pseudonym ?? randomBytes(32),
      expressionKey: keys?.expression ?? randomBytes(32),
      requestLimitMs: config.limits.requestTimeoutMs,
      registry: registries.of('classification'),
      gate,
    })
    return { subgraph, engines: enginesUsed(options, made), background: [made.encoder, upkeep] }
  },

  async worker(options) {
    const { engines, config, registries = new MetricRegistries() } = options
    const made = await classificationEngines(options)
    const messages = createClassificationWorker(made, (concurrency, handler) => engines.expressionMessages(concurrency, handler), {
      registry: registries.of('classification'),
      moderation: moderationOf(config),
      executionProviders: config.onnxExecutionProviders,
    })
    return { worker: compose('worker:classification', [messages]), engines: enginesUsed(options, made), background: [made.encoder] }
  },
}

const moderationOf = ({ moderation: { mode, threshold, undoDays, reportsPerHour }, production }: ComponentOptions['config']) => ({
  isHolding: mode === 'hold',
  threshold,
  undoDays,
  reports: { perHour: reportsPerHour, loopbackUnlimited: !production },
})

const identityProbe = ({ identity, database }: SharedEngines): HealthProbe => ({
  name: 'identity_service',
  engine: identity.provider.engine,
  essential: false,
  // the embedded issuer may run in another process: this process only needs its keys
  check: (signal) => (identity.embedded === undefined ? identity.provider.health(signal) : publicKeysOf(database)),
})

async function publicKeysOf(database: Database): Promise<void> {
  const { keys } = await readPublicKeys(database)
  if (keys.length === 0) throw new Error('the database has no signing keys yet: start a process with an administration role')
}

const enginesUsed = ({ engines: { database, feed, keyValue } }: ComponentOptions, { index }: MadeEngines): readonly Part[] => [
  database,
  feed,
  keyValue,
  index,
]

/** One encoder for all roles of a process, since a model is large. */
const encoders = new WeakMap<SharedEngines, RunningEncoder>()
function encoderOf({ engines, config, log }: ComponentOptions): RunningEncoder {
  const encoder = encoders.get(engines) ?? sentenceEncoder(config, log.child({ component: 'classification' }))
  encoders.set(engines, encoder)
  return encoder
}

type MadeEngines = ClassificationEngines & { readonly index: Part; readonly encoder: Part }

async function classificationEngines(options: ComponentOptions): Promise<MadeEngines> {
  const { engines, config, log } = options
  const encoder = encoderOf(options)
  return {
    ...engines,
    index: await engines.searchIndex(indexGeneration(encoder.model)),
    queue: engines.expressions,
    encoder,
    geocoder: await geocoderOf(config),
    languageModel: languageModelOf(config),
    clock: systemClock,
    auditNote: auditNoteOf(options),
    log: log.child({ component: 'classification' }),
  }
}
