import type { Pipeline } from '../analysis/pipeline.ts'
import type { Judged } from './evaluation.ts'
import type { LabelledText } from './labelled-texts.ts'

/** Sends labelled texts through the pipeline, one after another, without telling it what is true of them. */
export async function judgeTexts(
  pipeline: Pick<Pipeline, 'run'>,
  texts: readonly LabelledText[],
  signal: AbortSignal,
): Promise<readonly Judged[]> {
  const judged: Judged[] = []
  for (const truth of texts) {
    // a position is given so that no geocoder is asked
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

/** What was decided comes first: a language model may decide for something else than the other views lean to. */
function candidatesOf(classification: Awaited<ReturnType<Pipeline['run']>>['classification']): readonly string[] {
  if (classification === null) return []
  const ids = classification.candidates.map(({ id }) => id)
  return classification.domain === null ? ids : [...new Set([classification.domain.id, ...ids])]
}
