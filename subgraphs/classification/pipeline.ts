import type { Address, Geocoder } from '../engines/geocoder/geocoder.ts'
import { embeddingSize, type SentenceEncoder } from '../engines/models/sentence-encoder.ts'
import { within } from '../foundation/within.ts'
import { type Candidate, combineViews, type Decision, withHint } from './combine-views.ts'
import { detectLanguage } from './detect-language.ts'
import type { ExpressionDocument } from './expression-document.ts'
import { nearestExamples } from './nearest-examples.ts'
import { sentimentOf } from './sentiment.ts'
import type { Subject } from './subject.ts'
import type { SubjectModel } from './subject-model.ts'
import { toxicityOf } from './toxicity.ts'

export const pipelineVersion = '1'
const stepLimitMs = 2000
/** the first text waits until the taxonomy is learnt */
const firstLimitMs = 10_000

/** What is known of an expression before the pipeline looks at it; the text is redacted already. */
export interface RawExpression {
  readonly text: string
  readonly lang: string | null
  readonly position: { readonly lat: number; readonly lon: number } | null
  readonly address: Address | null
  readonly domainHint: string | null
}

export type Findings = Pick<
  ExpressionDocument,
  'lang' | 'location' | 'classification' | 'sentiment' | 'toxicity' | 'embedding' | 'pipeline'
> & {
  readonly vector: Float32Array | null
}

type Step = ExpressionDocument['pipeline']['steps'][number]

/** Runs the steps; each has its own time-out, and one that fails leaves its block null and the others alone. */
export class Pipeline {
  readonly #subject: Subject
  readonly #encoder: SentenceEncoder
  readonly #geocoder: Geocoder

  constructor(parts: { readonly subject: Subject; readonly encoder: SentenceEncoder; readonly geocoder: Geocoder }) {
    this.#subject = parts.subject
    this.#encoder = parts.encoder
    this.#geocoder = parts.geocoder
  }

  async run(raw: RawExpression, redactionMs: number, signal: AbortSignal): Promise<Findings> {
    const { text } = raw
    const steps: Step[] = [{ name: 'personal_data', status: 'ok', durationMs: round(redactionMs) }]
    /** undefined when there is nothing to find, null when the step failed */
    const step = async <Found>(
      name: string,
      work: () => Promise<Found | undefined> | Found | undefined,
      limitMs = stepLimitMs,
    ): Promise<Found | null> => {
      const from = performance.now()
      const note = (status: Step['status']): void => void steps.push({ name, status, durationMs: round(performance.now() - from) })
      try {
        const found = await within(Promise.resolve(work()), limitMs, signal, () => new Error(`${name} took too long`))
        note(found === undefined ? 'skipped' : 'ok')
        return found ?? null
      } catch (error) {
        signal.throwIfAborted()
        void error
        note('failed')
        return null
      }
    }
    const lang = await step('language', () =>
      raw.lang === null ? { ...detectLanguage(text), detected: true } : { code: raw.lang, confidence: 1, detected: false },
    )
    const location = await step('place', () => this.#locate(raw, signal))
    const vector = await step('embedding', () => this.#encoder.encode(text, signal))
    const model = await step('taxonomy', () => this.#subject.model(), firstLimitMs)
    const neural = await step('neural', () => model?.neural.classify(text))
    const neighbours = await step('nearest_neighbours', () => (model && vector ? nearestExamples(vector, model.examples) : undefined))
    const decided =
      neural === null && neighbours === null ? null : combineViews({ ...(neural && { neural }), ...(neighbours && { neighbours }) })
    const sentiment = await step('sentiment', () => sentimentOf(text, lang?.code ?? 'und'))
    const toxicity = await step('toxicity', () => toxicityOf(text))
    return {
      lang,
      location,
      classification: model && decided && classificationOf(raw.domainHint, decided, model, lang?.code ?? 'und'),
      sentiment,
      toxicity: toxicity && { score: toxicity.score, flags: [...toxicity.flags] },
      embedding: vector && { model: this.#encoder.model, dims: embeddingSize },
      pipeline: { version: pipelineVersion, steps },
      vector,
    }
  }

  async #locate({ position, address, text }: RawExpression, signal: AbortSignal): Promise<ExpressionDocument['location'] | undefined> {
    if (position !== null) return { ...position, precision: 'exact', place: null, source: 'given' }
    const found = address === null ? await this.#geocoder.find(text, signal) : await this.#geocoder.locate(address, signal)
    return found && { lat: found.lat, lon: found.lon, precision: found.precision, place: found.name, source: this.#geocoder.source }
  }
}

function classificationOf(
  hint: string | null,
  decision: Decision,
  model: SubjectModel,
  lang: string,
): NonNullable<ExpressionDocument['classification']> {
  // a hint that the taxonomy does not know is none
  const { domain, subDomain, method, candidates } = hint !== null && model.domains.has(hint) ? withHint(decision, hint) : decision
  const labelled = (candidate: Candidate | null) => candidate && { ...candidate, label: labelOf(candidate.id, model, lang) }
  return {
    domain: labelled(domain),
    subDomain: labelled(subDomain),
    method,
    candidates: [...candidates],
    model: `${model.neural.name} taxonomy-${model.taxonomyVersion}`,
  }
}

/** In the language of the expression, else French, the first language of the taxonomy. */
function labelOf(id: string, { domains }: SubjectModel, lang: string): string {
  const labels = domains.get(id)?.labels ?? {}
  return labels[lang] ?? labels.fr ?? Object.values(labels)[0] ?? id
}

const round = (value: number): number => Math.round(value * 1000) / 1000
