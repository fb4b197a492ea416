import { z } from 'zod'

const text = z.string().nullish()
const degrees = z.number().nullish()
const Address = z.object({ address: z.string(), postcode: z.string(), city: z.string(), country: z.string() }).partial()
const { address, postcode, city, country } = Address.shape

/** An expression as its sender states it, by GraphQL or as a line of a file. */
export const ExpressionInput = z.object({
  text: z.string(),
  externalId: text,
  lang: text,
  createdAt: z.date().nullish(),
  authorRef: text,
  source: text,
  location: z
    .object({
      lat: degrees,
      lon: degrees,
      address: address.nullable(),
      postcode: postcode.nullable(),
      city: city.nullable(),
      country: country.nullable(),
    })
    .nullish(),
  /** domain or sub-domain according to the sender */
  domainId: text,
  /** former name of `domainId` */
  domain: text,
})
export type ExpressionInput = Readonly<z.output<typeof ExpressionInput>>

/** Data of the sender that the steps of the pipeline need; stored only until all steps have succeeded. */
export const StepInput = z.object({
  lang: z.string().nullable(),
  address: Address.nullable(),
  domainHint: z.string().nullable(),
  /** causes of the failed steps of the most recent run, by step name */
  failures: z.record(z.string(), z.string()).exactOptional(),
})
export type StepInput = z.output<typeof StepInput>

/** An expression that follows the rules, before its personal data is removed. */
export interface NewExpression extends Omit<StepInput, 'failures'> {
  readonly text: string
  readonly externalId: string | null
  readonly authorRef: string | null
  readonly source: string
  readonly createdAt: Date | null
  readonly position: { readonly lat: number; readonly lon: number } | null
  /** distinguishes repeated lines without external id and author; absent: each expression is distinct */
  readonly occurrence?: string
}
