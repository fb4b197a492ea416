import type { AnalyticsStore, Taxonomy } from '../../../../engines/analytics-store/analytics-store.ts'
import { DomainTree } from '../../../../engines/analytics-store/domain-tree.ts'
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
  /** of the trained taxonomy, or of the one in training */
  #tree: DomainTree | undefined

  constructor(store: Pick<AnalyticsStore, 'readTaxonomy'>, encoder: SentenceEncoder, executionProviders: readonly string[]) {
    this.#store = store
    this.#encoder = encoder
    this.#executionProviders = executionProviders
  }

  /** @throws {EngineUnavailable} when no model exists yet and the store is unavailable */
  model(): Promise<TopicModel> {
    this.#model ??= this.#store
      .readTaxonomy()
      .then((taxonomy) => this.#learn(taxonomy))
      .catch((error: unknown) => {
        this.#model = undefined
        throw error
      })
    return this.#model
  }

  /** Trains again if the taxonomy has changed; meanwhile the old model is used with the new domains. */
  async refresh(): Promise<void> {
    const [current, taxonomy] = [await this.model(), await this.#store.readTaxonomy()]
    if (current.taxonomyVersion === taxonomy.version && current.taxonomyNumber === taxonomy.number) return
    // decisions follow retired and moved domains at once
    this.#model = Promise.resolve({ ...current, tree: new DomainTree(taxonomy) })
    this.#next ??= this.#learn(taxonomy)
      .then((model) => {
        this.#model = Promise.resolve(model)
      })
      .finally(() => {
        this.#next = undefined
      })
    await this.#next
  }

  /** Returns the domains of the taxonomy, trained or not. @throws {EngineUnavailable} when none was read yet and the store is unavailable */
  async tree(): Promise<DomainTree> {
    return this.#tree ?? new DomainTree(await this.#store.readTaxonomy())
  }

  #learn(taxonomy: Taxonomy): Promise<TopicModel> {
    this.#tree = new DomainTree(taxonomy)
    return trainTopicModel(taxonomy, this.#encoder, this.#executionProviders, AbortSignal.timeout(learningLimitMs))
  }
}
