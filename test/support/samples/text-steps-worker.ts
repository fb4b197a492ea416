import { parentPort, workerData } from 'node:worker_threads'
import { gazetteer } from '../../../engines/geocoder/gazetteer.ts'
import { placeNamesIn } from '../../../engines/geocoder/place-names.ts'
import { sentimentGramsOf, topicGramsOf } from '../../../engines/text/grams.ts'
import { blocksOf } from '../../../engines/typesetting/markdown-blocks.ts'
import { breakable, directionOf, isBlank } from '../../../engines/typesetting/printable-text.ts'
import { withoutValues } from '../../../gateway/errors/without-values.ts'
import { domainsQuery, statsQuery } from '../../../rest-adapters/exploration/requests.ts'
import { laxInteger } from '../../../rest-adapters/route/value-schemas.ts'
import { detectLanguage } from '../../../subgraphs/classification/analysis/language/detect-language.ts'
import { redactPersonalData } from '../../../subgraphs/classification/analysis/redaction/redact-personal-data.ts'
import { lexicalSentiment } from '../../../subgraphs/classification/analysis/sentiment/sentiment-of-words.ts'
import { toxicityOf } from '../../../subgraphs/classification/analysis/toxicity.ts'
import { cleanText } from '../../../subgraphs/classification/intake/expression-rules.ts'
import { findDates } from '../../../subgraphs/verification/document/dates.ts'
import { compressible } from '../../../web/serving/compressible.ts'
import { piecesOf } from '../../../web/shared/content/markdown/pieces.ts'
import { hostileTexts } from './hostile-texts.ts'

const towns = gazetteer({ preferredCountries: ['BF'] })
const page = compressible(Buffer.alloc(4096))
const integer = laxInteger(0)

/** Everything that reads untrusted text, by name. */
export const textSteps: Readonly<Record<string, (text: string) => unknown>> = {
  cleaning: cleanText,
  redaction: redactPersonalData,
  language: detectLanguage,
  'sentiment, fr': (text) => lexicalSentiment(text, 'fr'),
  'sentiment, en': (text) => lexicalSentiment(text, 'en'),
  'sentiment, ar': (text) => lexicalSentiment(text, 'ar'),
  toxicity: (text) => ['fr', 'en', 'ar'].map((lang) => toxicityOf(text, lang)),
  'topic grams': topicGramsOf,
  'sentiment grams': sentimentGramsOf,
  gazetteer: (text) => towns.find(text, AbortSignal.abort()),
  'place names': placeNamesIn,
  'markdown for print': (text) =>
    blocksOf(
      text,
      1,
      (printed) => printed,
      () => undefined,
    ),
  'markdown of pages': (text) => piecesOf(text, 1),
  'printed text': (text) => [breakable(text, 30, 10), directionOf(text), isBlank(text)],
  'dates of documents': (text) => findDates(text, undefined, 2030),
  'query parameters': (text) => [integer.safeParse(text), statsQuery.safeParse({ bbox: text }), domainsQuery.safeParse({ lang: text })],
  'error messages': withoutValues,
  'Accept-Encoding': (text) => page?.for(text),
}

/** Reports the CPU time of each kind of text in one step; ms. A step that does not end is ended by the parent. */
if (parentPort !== null) {
  const { step, length }: { step: string; length: number } = workerData
  const run = textSteps[step]
  if (run === undefined) throw new Error(`There is no step "${step}"`)
  await run('Bonjour, rien à signaler ici')
  for (const [kind, text] of hostileTexts(length)) {
    const before = process.threadCpuUsage()
    await run(text)
    const { user, system } = process.threadCpuUsage(before)
    parentPort.postMessage({ kind, ms: (user + system) / 1000 })
  }
}
