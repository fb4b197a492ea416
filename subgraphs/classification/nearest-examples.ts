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
  // four sums: with one each addition waits for the one before
  let [first, second, third, fourth] = [0, 0, 0, 0]
  for (let index = 0; index < a.length; index += 4) {
    first += (a[index] ?? 0) * (b[index] ?? 0)
    second += (a[index + 1] ?? 0) * (b[index + 1] ?? 0)
    third += (a[index + 2] ?? 0) * (b[index + 2] ?? 0)
    fourth += (a[index + 3] ?? 0) * (b[index + 3] ?? 0)
  }
  return first + second + third + fourth
}

interface Ranked {
  readonly domain: string
  readonly likeness: number
}

/** The most alike, the nearest first; of equal ones the first. */
function mostAlike(vector: Float32Array, examples: readonly EmbeddedExample[]): readonly Ranked[] {
  const ranked: Ranked[] = []
  for (const { domain, vector: other } of examples) {
    const likeness = cosine(vector, other)
    if (ranked.length === neighbours && likeness <= (ranked.at(-1)?.likeness ?? 0)) continue
    const place = ranked.findIndex((each) => each.likeness < likeness)
    ranked.splice(place === -1 ? ranked.length : place, 0, { domain, likeness })
    if (ranked.length > neighbours) ranked.pop()
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
export function nearestExamples(vector: Float32Array, examples: readonly EmbeddedExample[]): Neighbours {
  const ranked = mostAlike(vector, examples)
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
