import type { Likeness } from '../../../../engines/text-classifier/likeness-model.ts'

/** The embeddings of the taxonomy's phrases. */
export interface EmbeddedExamples {
  /** id of the sub-domain of each phrase */
  readonly domains: readonly string[]
  /** similarities to each phrase, in the same order */
  readonly likeness: Likeness
}

const neighbours = 8
/** a neighbour whose similarity is lower by 1/12 counts e times less */
const sharpness = 12

interface RankedExample {
  readonly domain: string
  readonly likeness: number
}

/** Returns the most similar phrases, nearest first; of equal ones the first. */
function mostSimilar(domains: readonly string[], likenesses: Float32Array): readonly RankedExample[] {
  const ranked: RankedExample[] = []
  let lowest = Number.NEGATIVE_INFINITY
  for (let index = 0; index < domains.length; index++) {
    const likeness = likenesses[index] ?? 0
    if (likeness <= lowest) continue
    const place = ranked.findIndex((each) => each.likeness < likeness)
    ranked.splice(place === -1 ? ranked.length : place, 0, { domain: domains[index] ?? '', likeness })
    if (ranked.length > neighbours) ranked.pop()
    if (ranked.length === neighbours) lowest = ranked[neighbours - 1]?.likeness ?? lowest
  }
  return ranked
}

export interface Neighbours {
  /** shares of the votes by sub-domain; they add up to 1 unless there are no examples */
  readonly votes: ReadonlyMap<string, number>
  /** cosine similarity of the nearest phrase */
  readonly nearest: number
}

/** Lets the example phrases that are nearest to each vector vote for their sub-domains, weighted by similarity. The search is exact. */
export async function nearestExamples(
  vectors: readonly Float32Array[],
  { domains, likeness }: EmbeddedExamples,
): Promise<readonly Neighbours[]> {
  return (await likeness(vectors)).map((likenesses) => votesOf(mostSimilar(domains, likenesses)))
}

function votesOf(ranked: readonly RankedExample[]): Neighbours {
  const nearest = ranked[0]?.likeness ?? 0
  const votes = new Map<string, number>()
  // a text without words has no similar phrase
  if (nearest <= 0) return { votes, nearest }
  let sum = 0
  for (const { domain, likeness } of ranked) {
    const voice = Math.exp(sharpness * (likeness - nearest))
    votes.set(domain, (votes.get(domain) ?? 0) + voice)
    sum += voice
  }
  for (const [domain, voice] of votes) votes.set(domain, voice / sum)
  return { votes, nearest }
}
