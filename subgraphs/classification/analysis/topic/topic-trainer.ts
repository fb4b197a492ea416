import type { AnalyticsStore, Taxonomy } from '../../../../engines/analytics-store/analytics-store.ts'
import { DomainTree } from '../../../../engines/analytics-store/domain-tree.ts'
import type { SentenceEncoder } from '../../../../engines/sentence-encoder/sentence-encoder.ts'
import type { TrainOnce } from '../../../../engines/text-classifier/training-cache.ts'
import { type TopicModel, trainTopicModel } from './topic-model.ts'

/** a large encoder takes a tenth of a second per phrase */
const learningLimitMs = 600_000

/** The model of the current taxonomy: trained at first use, and again when the taxonomy changes. */
export class TopicTrainer {
  readonly #store: AnalyticsStore<never> | Pick<AnalyticsStore, 'readTaxonomy'>
  readonly #encoder: SentenceEncoder
  readonly #executionProviders: readonly string[]
  readonly #once: TrainOnce | undefined
  #model: Promise<TopicModel> | undefined
  /** while a changed taxonomy is being trained */
  #next: Promise<void> | undefined
  /** of the trained taxonomy, or of the one in training */
  #tree: DomainTree | undefined
  #trainedNumber: number | undefined
  #trainedLanguages: readonly string[] | undefined

  /** @param once - by default each machine trains once */
  constructor(
    store: Pick<AnalyticsStore, 'readTaxonomy'>,
    encoder: SentenceEncoder,
    executionProviders: readonly string[],
    once?: TrainOnce,
  ) {
    this.#store = store
    this.#encoder = encoder
    this.#executionProviders = executionProviders
    this.#once = once
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

  /** Number of the version of the taxonomy that the model was trained on; undefined before the first. */
  get trainedNumber(): number | undefined {
    return this.#trainedNumber
  }

  /** Languages of the example phrases that the model was trained on; undefined before the first training. */
  get trainedLanguages(): readonly string[] | undefined {
    return this.#trainedLanguages
  }

  /** Returns the domains of the taxonomy, trained or not. @throws {EngineUnavailable} when none was read yet and the store is unavailable */
  async tree(): Promise<DomainTree> {
    return this.#tree ?? new DomainTree(await this.#store.readTaxonomy())
  }

  async #learn(taxonomy: Taxonomy): Promise<TopicModel> {
    this.#tree = new DomainTree(taxonomy)
    const signal = AbortSignal.timeout(learningLimitMs)
    const model = await trainTopicModel(taxonomy, this.#encoder, this.#executionProviders, signal, this.#once)
    this.#trainedNumber = model.taxonomyNumber
    this.#trainedLanguages = [...new Set(taxonomy.domains.flatMap(({ examples }) => Object.keys(examples)))].sort()
    return model
  }
}
