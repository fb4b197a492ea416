import { z } from 'zod'
import { type ExpressionTraits, sentiments } from '../../foundation/filter/expression-filter.ts'
import { documentedValue } from '../route/value-schemas.ts'

const methods = ['knn', 'neural', 'llm', 'hint', 'abstained'] as const
const stepStates = ['ok', 'skipped', 'failed'] as const
const states = ['indexed', 'pending'] as const

/** Returns its members with the schemas in which REST and GraphQL differ; `word` is for those that REST leaves open. */
const shape = <
  Word extends z.ZodType<string>,
  Method extends z.ZodType,
  Label extends z.ZodType,
  Step extends z.ZodType,
  State extends z.ZodType,
  Scored extends z.ZodType,
  Labelled extends z.ZodType,
>({
  word,
  method,
  label,
  step,
  state,
  scored,
  labelled,
}: {
  word: Word
  method: Method
  label: Label
  step: Step
  state: State
  scored: Scored
  labelled: Labelled
}) =>
  z.object({
    id: z.string(),
    status: state,
    created: z.boolean(),
    text: z.string(),
    lang: z.object({ code: z.string(), confidence: z.number(), detected: z.boolean() }).nullable(),
    location: z.object({ lat: z.number(), lon: z.number(), precision: word, place: z.string().nullable(), source: z.string() }).nullable(),
    classification: z
      .object({ domain: labelled.nullable(), sub_domain: labelled.nullable(), method, candidates: z.array(scored), model: z.string() })
      .nullable(),
    sentiment: z.object({ label, score: z.number(), confidence: z.number() }).nullable(),
    toxicity: z.object({ score: z.number(), flags: z.array(word) }).nullable(),
    personal_data: z.object({ redacted: z.boolean(), types: z.array(word) }),
    embedding: z.object({ model: z.string(), dims: z.int() }).nullable(),
    pipeline: z.object({
      version: z.string(),
      steps: z.array(z.object({ name: z.string(), status: step, duration_ms: z.number() })),
    }),
    created_at: z.string(),
    indexed_at: z.string().nullable(),
  })

const Scored = z.object({ id: z.string(), score: z.number() })

/** The documented response. */
export const ExpressionAnswer = shape({
  word: z.string(),
  method: z.enum(methods),
  label: z.enum(sentiments),
  step: z.enum(stepStates),
  state: z.enum(states),
  scored: Scored,
  labelled: z.object({ id: z.string(), label: z.string(), score: z.number() }),
})
  // no documented member
  .extend({
    moderation: z
      .literal('held')
      .exactOptional()
      .meta({ description: 'The expression is hidden until a moderator releases it (MODERATION=hold)' }),
  })
  .meta({ id: 'Expression' })

const domain = z.object({ id: z.string() })

/** Converts `expressionFields` of GraphQL to the REST response. */
export const shownExpression = shape({
  word: z.string().toLowerCase(),
  method: documentedValue(methods, 'neural'),
  label: documentedValue(sentiments, 'neutral'),
  step: documentedValue(stepStates, 'ok'),
  state: documentedValue(states, 'indexed'),
  scored: z.object({ domain, score: z.number() }).transform(({ domain: { id }, score }) => ({ id, score })),
  labelled: z
    .object({ domain, label: z.string(), score: z.number() })
    .transform(({ domain: { id }, label, score }) => ({ id, label, score })),
}).omit({ created: true })
export type ShownExpression = z.output<typeof shownExpression>

/** Returns the properties of an expression that filters read. */
export function traitsOf({ classification, sentiment, lang, location, text }: ShownExpression): ExpressionTraits {
  return {
    domain: classification?.domain?.id ?? null,
    subDomain: classification?.sub_domain?.id ?? null,
    sentiment: sentiment?.label ?? null,
    lang: lang?.code ?? null,
    position: location,
    text,
  }
}

/** The fields of an expression under their REST names. */
export const expressionFields = `
  id status text
  lang { code confidence detected }
  location { lat lon precision place source }
  classification {
    domain { domain { id } label score } sub_domain: subDomain { domain { id } label score } method candidates { domain { id } score } model
  }
  sentiment { label score confidence }
  toxicity { score flags }
  personal_data: personalData { redacted types }
  embedding { model dims }
  pipeline { version steps { name status duration_ms: durationMs } }
  created_at: createdAt indexed_at: indexedAt`
