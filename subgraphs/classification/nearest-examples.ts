/** A phrase of the taxonomy with its place among the embeddings. */
export interface EmbeddedExample {
  /** id of the sub-domain that it is an example of */
  readonly domain: string
  readonly vector: Float32Array
}

const neighbours = 8
/** a neighbour that is this much less alike counts e times less */
const sharpness = 12

/** @returns cosine of two unit vectors */
export function cosine(a: Float32Array, b: Float32Array): number {
  let sum = 0
  for (let index = 0; index < a.length; index++) sum += (a[index] ?? 0) * (b[index] ?? 0)
  return sum
}

export interface Neighbours {
  /** shares of the votes by sub-domain; they add up to 1 unless there are no examples */
  readonly votes: ReadonlyMap<string, number>
  /** how alike the nearest one is: cosine */
  readonly nearest: number
}

/** The nearest example phrases vote for their sub-domains, the closer the louder. Exact: a taxonomy has a thousand phrases. */
export function nearestExamples(vector: Float32Array, examples: readonly EmbeddedExample[]): Neighbours {
  const ranked = examples
    .map(({ domain, vector: other }) => ({ domain, likeness: cosine(vector, other) }))
    .sort((a, b) => b.likeness - a.likeness)
    .slice(0, neighbours)
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
