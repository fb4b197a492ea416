import type { Likeness } from '../../../../engines/text-classifier/likeness-model.ts'

/** The phrases of the taxonomy among the embeddings. */
export interface EmbeddedExamples {
  /** of each, the id of the sub-domain that it is an example of */
  readonly domains: readonly string[]
  /** with each, in the same order */
  readonly likeness: Likeness
}

const neighbours = 8
/** a neighbour that is this much less alike counts e times less */
const sharpness = 12

interface Ranked {
  readonly domain: string
  readonly likeness: number
}

/** The most alike, the nearest first; of equal ones the first. */
function mostAlike(domains: readonly string[], likenesses: Float32Array): readonly Ranked[] {
  const ranked: Ranked[] = []
  let least = Number.NEGATIVE_INFINITY
  for (let index = 0; index < domains.length; index++) {
    const likeness = likenesses[index] ?? 0
    if (likeness <= least) continue
    const place = ranked.findIndex((each) => each.likeness < likeness)
    ranked.splice(place === -1 ? ranked.length : place, 0, { domain: domains[index] ?? '', likeness })
    if (ranked.length > neighbours) ranked.pop()
    if (ranked.length === neighbours) least = ranked[neighbours - 1]?.likeness ?? least
  }
  return ranked
}

export interface Neighbours {
  /** shares of the votes by sub-domain; they add up to 1 unless there are no examples */
  readonly votes: ReadonlyMap<string, number>
  /** how alike the nearest one is: cosine */
  readonly nearest: number
}

/** The nearest example phrases vote for their sub-domains, the closer the louder. Exact: a taxonomy has a thousand phrases. */
export async function nearestExamples(vector: Float32Array, { domains, likeness: likenessOf }: EmbeddedExamples): Promise<Neighbours> {
  const ranked = mostAlike(domains, await likenessOf(vector))
  const nearest = ranked[0]?.likeness ?? 0
  const votes = new Map<string, number>()
  // a text without words is like nothing
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
