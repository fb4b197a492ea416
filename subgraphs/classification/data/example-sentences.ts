import { z } from 'zod'

/** A text that is not blank and has no space at its ends. */
export const Sentence = z
  .string()
  .refine((text) => text !== '' && text.trim() === text, 'must not be empty or have a space at its beginning or end')

/** One value for each language of the shipped taxonomy. */
export const inEachLanguage = <Value extends z.ZodType>(value: Value) => z.strictObject({ fr: value, en: value, ar: value })

const sentences = z.array(Sentence).min(1)

/** Example sentences by sentiment; they train topic and sentiment. */
export const ExampleSentences = z.strictObject({ negative: sentences, neutral: sentences, positive: sentences })
export type ExampleSentences = z.output<typeof ExampleSentences>
