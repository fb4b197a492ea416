import { z } from 'zod'
import { isDay } from '../../subgraphs/foundation/graphql/date-time.ts'
import { ownIssue } from '../request/invalid-request.ts'

const moment = z
  .string()
  .refine((text) => /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}/.test(text) && !Number.isNaN(Date.parse(text)) && isDay(text), {
    params: ownIssue({ type: 'datetime_parsing', msg: 'Input should be a valid datetime' }).params,
  })
  .meta({ format: 'date-time' })

const reference = z.string().meta({ maxLength: 512 })

/** What POST /api/v1/expressions takes; the rules for its values are the subgraph's own. */
export const ExpressionRequest = z
  .object({
    external_id: reference.nullish().meta({ description: 'id at the source: the same again answers 200, with another text 409' }),
    text: z.string().meta({ minLength: 1, maxLength: 10_000 }),
    lang: z.string().nullish().meta({ description: 'ISO 639-1 or 639-3; detected when absent' }),
    created_at: moment.nullish().meta({ format: 'date-time' }),
    author_ref: reference.nullish().meta({ description: 'who said it, as the source knows them; only an HMAC is kept' }),
    source: reference.nullish(),
    location: z
      .object({
        lat: z.number().nullish(),
        lon: z.number().nullish(),
        address: reference.nullish(),
        postcode: reference.nullish(),
        city: reference.nullish(),
        country: reference.nullish(),
      })
      .nullish()
      .meta({ description: 'lat and lon, or an address' }),
    domain_hint: reference.nullish().meta({ description: 'id of a domain or sub-domain of the taxonomy' }),
  })
  .meta({ id: 'ExpressionRequest' })

const lower = <const Value extends string>(...values: readonly Value[]) => z.string().toLowerCase().pipe(z.enum(values))
const Scored = z.object({ id: z.string(), score: z.number() })
const Labelled = z.object({ id: z.string(), label: z.string(), score: z.number() })
const methods = ['knn', 'neural', 'llm', 'hint', 'abstained'] as const
const tones = ['positive', 'neutral', 'negative'] as const
const stepStates = ['ok', 'skipped', 'failed'] as const
const states = ['indexed', 'pending'] as const

const shape = <Method extends z.ZodType, Tone extends z.ZodType, Step extends z.ZodType, State extends z.ZodType>(
  method: Method,
  tone: Tone,
  step: Step,
  state: State,
) =>
  z.object({
    id: z.string(),
    status: state,
    created: z.boolean(),
    text: z.string(),
    lang: z.object({ code: z.string(), confidence: z.number(), detected: z.boolean() }).nullable(),
    location: z
      .object({ lat: z.number(), lon: z.number(), precision: z.string(), place: z.string().nullable(), source: z.string() })
      .nullable(),
    classification: z
      .object({ domain: Labelled.nullable(), sub_domain: Labelled.nullable(), method, candidates: z.array(Scored), model: z.string() })
      .nullable(),
    sentiment: z.object({ label: tone, score: z.number(), confidence: z.number() }).nullable(),
    toxicity: z.object({ score: z.number(), flags: z.array(z.string()) }).nullable(),
    personal_data: z.object({ redacted: z.boolean(), types: z.array(z.string()) }),
    embedding: z.object({ model: z.string(), dims: z.int() }).nullable(),
    pipeline: z.object({
      version: z.string(),
      steps: z.array(z.object({ name: z.string(), status: step, duration_ms: z.number() })),
    }),
    created_at: z.string(),
    indexed_at: z.string().nullable(),
  })

/** The documented answer. */
export const ExpressionAnswer = shape(z.enum(methods), z.enum(tones), z.enum(stepStates), z.enum(states)).meta({ id: 'Expression' })

/** An expression as GraphQL answers `expressionFields`, to what REST shows of it. */
export const shownExpression = shape(lower(...methods), lower(...tones), lower(...stepStates), lower(...states)).omit({ created: true })
export type ShownExpression = z.output<typeof shownExpression>

/** From what the mutation answers to what REST does. */
export const ingested = z.object({ ingested: z.object({ created: z.boolean(), expression: shownExpression }) }).transform(
  ({
    ingested: {
      created,
      expression: { id, status, ...rest },
    },
  }) => ({ id, status, created, ...rest }),
)

/** The fields of an expression under their REST names. */
export const expressionFields = `
  id status text
  lang { code confidence detected }
  location { lat lon precision place source }
  classification { domain { id label score } sub_domain: subDomain { id label score } method candidates { id score } model }
  sentiment { label score confidence }
  toxicity { score flags }
  personal_data: personalData { redacted types }
  embedding { model dims }
  pipeline { version steps { name status duration_ms: durationMs } }
  created_at: createdAt indexed_at: indexedAt`
