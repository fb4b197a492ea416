import type { Pipeline } from '../analysis/pipeline.ts'
import type { EvaluatedText } from './evaluation.ts'
import type { LabelledText } from './labelled-texts.ts'

/** Sends labelled texts through the pipeline one after another, without their labels. */
export async function judgeTexts(
  pipeline: Pick<Pipeline, 'run'>,
  texts: readonly LabelledText[],
  signal: AbortSignal,
): Promise<readonly EvaluatedText[]> {
  const judged: EvaluatedText[] = []
  for (const truth of texts) {
    // with a position, no geocoder is called
    const raw = { text: truth.text, lang: null, position: { lat: 0, lon: 0 }, address: null, domainHint: null }
    const { lang, classification, sentiment } = await pipeline.run(raw, 0, signal)
    judged.push({
      truth,
      lang: lang?.code ?? 'und',
      candidates: candidatesOf(classification),
      domain: classification?.domain?.id ?? null,
      subDomain: classification?.subDomain?.id ?? null,
      sure: { domain: classification?.candidates[0]?.score ?? 0, sentiment: sentiment?.confidence ?? 0 },
      sentiment: sentiment?.label ?? null,
    })
  }
  return judged
}

/** Puts the decision first: a language model may decide for another domain than the other views. */
function candidatesOf(classification: Awaited<ReturnType<Pipeline['run']>>['classification']): readonly string[] {
  if (classification === null) return []
  const ids = classification.candidates.map(({ id }) => id)
  return classification.domain === null ? ids : [...new Set([classification.domain.id, ...ids])]
}
