import type { Geocoder } from '../../../engines/geocoder/geocoder.ts'
import type { LanguageModel } from '../../../engines/language-model/language-model.ts'
import { embeddingSize, type SentenceEncoder } from '../../../engines/sentence-encoder/sentence-encoder.ts'
import { withTimeout } from '../../../foundation/concurrency/timeout.ts'
import { DeadlineExceeded } from '../../../foundation/fault.ts'
import { labelOf } from '../expression/current-domains.ts'
import type { ExpressionDocument } from '../expression/expression-document.ts'
import type { NewExpression } from '../expression/expression-input.ts'
import { type Candidate, type Decision, fuse, type Predictions, withCurrentIds, withHint } from './fuse.ts'
import { detectLanguage } from './language/detect-language.ts'
import { queryLanguageModel } from './query-language-model.ts'
import { sentimentOf } from './sentiment/sentiment.ts'
import type { SentimentModel } from './sentiment/sentiment-model.ts'
import { causeOf, type OnStepFailure } from './step-failures.ts'
import { nearestExamples } from './topic/nearest-examples.ts'
import type { TopicModel } from './topic/topic-model.ts'
import type { TopicTrainer } from './topic/topic-trainer.ts'
import { toxicityOf } from './toxicity.ts'

export const pipelineVersion = '3'
/** Timeouts of steps in ms. */
export interface StepTimeouts {
  readonly stepMs: number
  /** timeout for loading the taxonomy at process start; unused when a language model follows within the same request */
  readonly taxonomyMs: number
}
const defaultTimeouts: StepTimeouts = { stepMs: 2000, taxonomyMs: 4000 }

/** What the pipeline reads of an expression; its text is already redacted. */
type PipelineInput = Pick<NewExpression, 'text' | 'lang' | 'position' | 'address' | 'domainHint'>

/** What the pipeline found in an expression. */
export interface Findings
  extends Pick<ExpressionDocument, 'lang' | 'location' | 'classification' | 'sentiment' | 'toxicity' | 'embedding' | 'pipeline'> {
  readonly vector: Float32Array | null
  /** causes of failed steps, by step name */
  readonly failures: Readonly<Record<string, string>>
}

type Step = ExpressionDocument['pipeline']['steps'][number]

export interface PipelineDependencies {
  readonly topics: Pick<TopicTrainer, 'model'>
  readonly encoder: SentenceEncoder
  readonly geocoder: Geocoder
  readonly sentiment: SentimentModel
  /** undefined when not configured: the step is skipped */
  readonly languageModel?: LanguageModel | undefined
  readonly onStepFailure?: OnStepFailure
  readonly timeouts?: StepTimeouts
}

/** grace period for a language model that exceeds its own timeout */
const languageModelGraceMs = 200

/** Runs the steps with a timeout each. A failed step leaves its block null and does not affect the others. */
export class Pipeline {
  readonly #topics: Pick<TopicTrainer, 'model'>
  readonly #encoder: SentenceEncoder
  readonly #geocoder: Geocoder
  readonly #sentiment: SentimentModel
  readonly #languageModel: LanguageModel | undefined
  readonly #onStepFailure: OnStepFailure | undefined
  readonly #timeouts: StepTimeouts

  constructor({ topics, encoder, geocoder, sentiment, languageModel, onStepFailure, timeouts }: PipelineDependencies) {
    this.#topics = topics
    this.#encoder = encoder
    this.#geocoder = geocoder
    this.#sentiment = sentiment
    this.#languageModel = languageModel
    this.#onStepFailure = onStepFailure
    this.#timeouts = timeouts ?? defaultTimeouts
  }

  async run(raw: PipelineInput, redactionMs: number, signal: AbortSignal): Promise<Findings> {
    const { text } = raw
    const { stepMs, taxonomyMs } = this.#timeouts
    const failures: Record<string, string> = {}
    const steps: Step[] = [{ name: 'personal_data', status: 'ok', durationMs: round(redactionMs) }]
    /** @param work - undefined or null when the step does not apply */
    const step = async <Found>(
      name: string,
      work: () => Promise<Found | null | undefined> | Found | null | undefined,
      timeoutMs = stepMs,
    ): Promise<Found | null> => {
      const from = performance.now()
      const note = (status: Step['status']): void => void steps.push({ name, status, durationMs: round(performance.now() - from) })
      try {
        const made = work()
        const value =
          made instanceof Promise ? await withTimeout(made, timeoutMs, signal, () => new DeadlineExceeded(`${name} timed out`)) : made
        note(value == null ? 'skipped' : 'ok')
        return value ?? null
      } catch (error) {
        signal.throwIfAborted()
        note('failed')
        failures[name] = causeOf(error)
        this.#onStepFailure?.(name, error)
        return null
      }
    }
    const model = await step('taxonomy', () => this.#topics.model(), this.#languageModel === undefined ? taxonomyMs : stepMs)
    // starts first and is awaited last, so that it runs in parallel with the other steps
    const query = this.#languageModel && model && { model: this.#languageModel, domains: [...model.tree.domains.values()] }
    const pendingModelResult =
      query &&
      step('language_model', () => queryLanguageModel(query.model, query.domains, text, signal), query.model.limitMs + languageModelGraceMs)
    // if another step ends with the request, this result is not awaited any more
    pendingModelResult?.catch(() => undefined)
    const lang = await step('language', () =>
      raw.lang === null ? { ...detectLanguage(text), detected: true } : { code: raw.lang, confidence: 1, detected: false },
    )
    const location = await step('place', () => this.#locate(raw, signal))
    const vector = await step('embedding', () => this.#encoder.encode(text, signal))
    const neural = await step('neural', () => model?.neural.classify(text))
    const neighbours = await step('nearest_neighbours', async () =>
      model && vector ? (await nearestExamples([vector], model.examples))[0] : undefined,
    )
    const trainedSentiment = await step('sentiment', async () => sentimentOf(text, lang?.code ?? 'und', await this.#sentiment()))
    const toxicity = await step('toxicity', () => toxicityOf(text, lang?.code ?? 'und'))
    const modelResult = (await pendingModelResult) ?? null
    const chosen = modelResult?.chosen
    const decided =
      neural === null && neighbours === null && chosen == null
        ? null
        : decide({ ...(neural && { neural }), ...(neighbours && { neighbours }), ...(chosen && { chosen }) }, model?.tree)
    return {
      lang,
      location,
      classification: model && decided && classificationOf(raw.domainHint, decided, model, lang?.code ?? 'und'),
      sentiment: modelResult?.sentiment ?? trainedSentiment,
      toxicity: toxicity && { score: toxicity.score, flags: [...toxicity.flags] },
      embedding: vector && { model: this.#encoder.model, dims: embeddingSize },
      pipeline: { version: pipelineVersion, steps },
      vector,
      failures,
    }
  }

  async #locate({ position, address, text }: PipelineInput, signal: AbortSignal): Promise<ExpressionDocument['location'] | undefined> {
    if (position !== null) return { ...position, precision: 'exact', place: null, source: 'given' }
    const place = address === null ? await this.#geocoder.find(text, signal) : await this.#geocoder.locate(address, signal)
    return place && { lat: place.lat, lon: place.lon, precision: place.precision, place: place.name, source: this.#geocoder.source }
  }
}

/** Combines the views, with the domains of the published taxonomy: the model may have been trained on an earlier one. */
export function decide({ neural, neighbours, chosen }: Predictions, tree: TopicModel['tree'] | undefined): Decision {
  const current = (scores: ReadonlyMap<string, number>) =>
    tree === undefined ? scores : withCurrentIds(scores, (id) => tree.currentOf(id))
  return fuse(
    {
      ...(neural && { neural: current(neural) }),
      ...(neighbours && { neighbours: { ...neighbours, votes: current(neighbours.votes) } }),
      ...(chosen && { chosen }),
    },
    (id) => tree?.domainOf(id) ?? id,
  )
}

/** Returns the classification that a decision, or the caller's domain, leads to. */
export function classificationOf(
  hint: string | null,
  decision: Decision,
  model: TopicModel,
  lang: string,
): NonNullable<ExpressionDocument['classification']> {
  // a hint outside the taxonomy is ignored; a retired domain hints at its successor
  const current = hint === null ? null : (model.tree.currentOf(hint) ?? null)
  const { domain, subDomain, method, candidates } =
    current === null ? decision : withHint(decision, current, (id) => model.tree.domainOf(id))
  const labelled = (candidate: Candidate | null) => candidate && { ...candidate, label: labelOf(candidate.id, model.tree, lang) }
  return {
    domain: labelled(domain),
    subDomain: labelled(subDomain),
    method,
    candidates: [...candidates],
    model: `${model.neural.name} taxonomy-${model.taxonomyVersion}`,
    taxonomyNumber: model.taxonomyNumber,
  }
}

const round = (value: number): number => Math.round(value * 1000) / 1000
