import { z } from 'zod'
import { readData } from '../../foundation/files/data-file.ts'

const Sentences = z.array(z.string().min(1)).min(1)

/** What citizens might say about one domain, by sentiment. Whole sentences that can stand next to each other. */
const DomainSentences = z.strictObject({ negative: Sentences, positive: Sentences, neutral: Sentences })
export type Sentiment = keyof z.output<typeof DomainSentences>

/** What one language contributes: by domain, and what may stand before and after any of it. `{place}` stands for the name of a town. */
const LanguageSentences = z.strictObject({ before: Sentences, after: DomainSentences, byDomain: z.record(z.string(), DomainSentences) })
export type LanguageSentences = z.output<typeof LanguageSentences>

export const sentences: Readonly<Record<'fr' | 'en' | 'ar', LanguageSentences>> = {
  fr: readData('demonstration/expressions/french.json', LanguageSentences),
  en: readData('demonstration/expressions/english.json', LanguageSentences),
  ar: readData('demonstration/expressions/arabic.json', LanguageSentences),
}
