import type { AnalyticsStore } from '../engines/analytics-store/analytics-store.ts'
import type { SentenceEncoder } from '../engines/models/sentence-encoder.ts'
import { learnTaxonomy, type SubjectModel } from './subject-model.ts'

/** a large encoder takes a tenth of a second for a phrase */
const learningLimitMs = 600_000

/** The model of the current taxonomy: learnt at first use, and anew when the taxonomy has changed. */
export class Subject {
  readonly #store: AnalyticsStore<never> | Pick<AnalyticsStore, 'readTaxonomy'>
  readonly #encoder: SentenceEncoder
  readonly #executionProviders: readonly string[]
  #model: Promise<SubjectModel> | undefined

  constructor(store: Pick<AnalyticsStore, 'readTaxonomy'>, encoder: SentenceEncoder, executionProviders: readonly string[]) {
    this.#store = store
    this.#encoder = encoder
    this.#executionProviders = executionProviders
  }

  /** @throws {EngineUnavailable} when nothing has been learnt yet and the store is away */
  model(): Promise<SubjectModel> {
    this.#model ??= this.#learn().catch((error: unknown) => {
      this.#model = undefined
      throw error
    })
    return this.#model
  }

  /** Learns again if the taxonomy is not the one that was learnt; until then the old model answers. */
  async refresh(): Promise<void> {
    const [known, { version }] = [await this.model(), await this.#store.readTaxonomy()]
    if (known.taxonomyVersion === version) return
    const model = await this.#learn()
    this.#model = Promise.resolve(model)
  }

  async #learn(): Promise<SubjectModel> {
    return learnTaxonomy(await this.#store.readTaxonomy(), this.#encoder, this.#executionProviders, AbortSignal.timeout(learningLimitMs))
  }
}
