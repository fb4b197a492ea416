import type { AnalyticsStore, Taxonomy } from '../../../../engines/analytics-store/analytics-store.ts'
import type { SentenceEncoder } from '../../../../engines/sentence-encoder/sentence-encoder.ts'
import { type TopicModel, trainTopicModel } from './topic-model.ts'

/** a large encoder takes a tenth of a second per phrase */
const learningLimitMs = 600_000

/** The model of the current taxonomy: trained at first use, and again when the taxonomy changes. */
export class TopicTrainer {
  readonly #store: AnalyticsStore<never> | Pick<AnalyticsStore, 'readTaxonomy'>
  readonly #encoder: SentenceEncoder
  readonly #executionProviders: readonly string[]
  #model: Promise<TopicModel> | undefined
  /** while a changed taxonomy is being trained */
  #next: Promise<void> | undefined
  /** ids of the trained taxonomy, or of the one in training */
  #ids: ReadonlySet<string> | undefined

  constructor(store: Pick<AnalyticsStore, 'readTaxonomy'>, encoder: SentenceEncoder, executionProviders: readonly string[]) {
    this.#store = store
    this.#encoder = encoder
    this.#executionProviders = executionProviders
  }

  /** @throws {EngineUnavailable} when no model exists yet and the store is unavailable */
  model(): Promise<TopicModel> {
    this.#model ??= this.#learn().catch((error: unknown) => {
      this.#model = undefined
      throw error
    })
    return this.#model
  }

  /** Trains again if the taxonomy has changed; the old model is used meanwhile. */
  async refresh(): Promise<void> {
    const [current, { version }] = [await this.model(), await this.#store.readTaxonomy()]
    if (current.taxonomyVersion === version) return
    this.#next ??= this.#learn()
      .then((model) => {
        this.#model = Promise.resolve(model)
      })
      .finally(() => {
        this.#next = undefined
      })
    await this.#next
  }

  /** Returns the ids of the taxonomy, trained or not. @throws {EngineUnavailable} when none was read yet and the store is unavailable */
  async ids(): Promise<ReadonlySet<string>> {
    return this.#ids ?? idsOf(await this.#store.readTaxonomy())
  }

  async #learn(): Promise<TopicModel> {
    const taxonomy = await this.#store.readTaxonomy()
    this.#ids = idsOf(taxonomy)
    return trainTopicModel(taxonomy, this.#encoder, this.#executionProviders, AbortSignal.timeout(learningLimitMs))
  }
}

const idsOf = ({ domains }: Taxonomy): ReadonlySet<string> => new Set(domains.map(({ id }) => id))
