import { z } from 'zod'

/** Something that is not blank and has no space around it. */
export const Sentence = z
  .string()
  .refine((text) => text !== '' && text.trim() === text, 'must not be empty or have a space at its beginning or end')

/** In the languages that the shipped taxonomy is written in. */
export const inEachLanguage = <Value extends z.ZodType>(value: Value) => z.strictObject({ fr: value, en: value, ar: value })

const sentences = z.array(Sentence).min(1)

/** What citizens say of something, by the sentiment with which they say it: teaches the topic and the sentiment. */
export const ExampleSentences = z.strictObject({ negative: sentences, neutral: sentences, positive: sentences })
export type ExampleSentences = z.output<typeof ExampleSentences>
