import { randomBytes } from 'node:crypto'
import {
  type ClassificationEngines,
  createClassification,
  createClassificationWorker,
  indexGeneration,
} from '../subgraphs/classification/index.ts'
import { gazetteer } from '../subgraphs/engines/geocoder/gazetteer.ts'
import { readPublicKeys } from '../subgraphs/engines/identity/signing-keys.ts'
import { openAiLanguageModel } from '../subgraphs/engines/language-model/openai-language-model.ts'
import { projectionEncoder } from '../subgraphs/engines/models/sentence-projection.ts'
import type { Database } from '../subgraphs/engines/relational/database.ts'
import type { SearchIndex } from '../subgraphs/engines/search-index/search-index.ts'
import { systemClock } from '../subgraphs/foundation/clock.ts'
import type { HealthProbe } from '../subgraphs/foundation/health.ts'
import { compose, type Part } from '../subgraphs/foundation/lifecycle.ts'
import type { Subgraph } from '../subgraphs/foundation/subgraph.ts'
import type { ComponentOptions } from './components.ts'

/** Component C on the engines of a process. */
export async function classificationSubgraph(options: ComponentOptions, probes: readonly HealthProbe[]): Promise<Subgraph> {
  const { engines, config, build, background } = options
  const { database, identity, expressions } = engines
  const people: HealthProbe = {
    name: 'identity_service',
    engine: identity.provider.engine,
    essential: false,
    // the issuer in the platform may run in another process: here it is its keys that tokens are checked with
    check: (signal) => (identity.embedded === undefined ? identity.provider.health(signal) : publicKeysOf(database)),
  }
  const index = await searchIndexOf(options)
  const { subgraph, upkeep } = await createClassification(classificationEngines(options, index), {
    version: build.version,
    probes: [...probes, people],
    limits: { ...config.ingest, loopbackUnlimited: !config.production },
    executionProviders: config.onnxExecutionProviders,
    pseudonymKey: options.pseudonymKey ?? randomBytes(32),
  })
  background?.push(index, expressions, upkeep)
  return subgraph
}

export async function classificationWorker(options: ComponentOptions): Promise<Part> {
  const { engines, background } = options
  const index = await searchIndexOf(options)
  const messages = createClassificationWorker(classificationEngines(options, index), (concurrency, handler) =>
    engines.expressionMessages(concurrency, handler),
  )
  background?.push(index, engines.expressions)
  return compose('worker:classification', [messages])
}

async function publicKeysOf(database: Database): Promise<void> {
  const { keys } = await readPublicKeys(database)
  if (keys.length === 0) throw new Error('it has no signing keys yet')
}

export const encoder = projectionEncoder()
/** Names the index that goes with this pipeline and encoder. */
export const searchGeneration = indexGeneration(encoder.model)
const searchIndexOf = ({ engines }: ComponentOptions) => engines.searchIndex(searchGeneration)

function classificationEngines({ engines, config, log }: ComponentOptions, index: SearchIndex & Part): ClassificationEngines {
  return {
    ...engines,
    index,
    queue: engines.expressions,
    encoder,
    geocoder: gazetteer({ preferredCountries: config.geocoder.countries }),
    languageModel: config.languageModel && openAiLanguageModel({ ...config.languageModel, clock: systemClock }),
    clock: systemClock,
    log: log.child({ component: 'classification' }),
  }
}
