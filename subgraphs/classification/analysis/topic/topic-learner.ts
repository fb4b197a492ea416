import type { AnalyticsStore, Taxonomy } from '../../../../engines/analytics-store/analytics-store.ts'
import type { SentenceEncoder } from '../../../../engines/sentence-encoder/sentence-encoder.ts'
import { learnTaxonomy, type TopicModel } from './topic-model.ts'

/** a large encoder takes a tenth of a second for a phrase */
const learningLimitMs = 600_000

/** The model of the current taxonomy: learnt at first use, and anew when the taxonomy has changed. */
export class TopicLearner {
  readonly #store: AnalyticsStore<never> | Pick<AnalyticsStore, 'readTaxonomy'>
  readonly #encoder: SentenceEncoder
  readonly #executionProviders: readonly string[]
  #model: Promise<TopicModel> | undefined
  /** while a changed taxonomy is being learnt */
  #next: Promise<void> | undefined
  /** of the taxonomy that was, or is being, learnt */
  #ids: ReadonlySet<string> | undefined

  constructor(store: Pick<AnalyticsStore, 'readTaxonomy'>, encoder: SentenceEncoder, executionProviders: readonly string[]) {
    this.#store = store
    this.#encoder = encoder
    this.#executionProviders = executionProviders
  }

  /** @throws {EngineUnavailable} when nothing has been learnt yet and the store is away */
  model(): Promise<TopicModel> {
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
    this.#next ??= this.#learn()
      .then((model) => {
        this.#model = Promise.resolve(model)
      })
      .finally(() => {
        this.#next = undefined
      })
    await this.#next
  }

  /** Domains and sub-domains of the taxonomy, learnt or not. @throws {EngineUnavailable} when nothing has been read yet and the store is away */
  async ids(): Promise<ReadonlySet<string>> {
    return this.#ids ?? idsOf(await this.#store.readTaxonomy())
  }

  async #learn(): Promise<TopicModel> {
    const taxonomy = await this.#store.readTaxonomy()
    this.#ids = idsOf(taxonomy)
    return learnTaxonomy(taxonomy, this.#encoder, this.#executionProviders, AbortSignal.timeout(learningLimitMs))
  }
}

const idsOf = ({ domains }: Taxonomy): ReadonlySet<string> => new Set(domains.map(({ id }) => id))
