import type { Neighbours } from './topic/nearest-examples.ts'

export type Method = 'knn' | 'neural' | 'llm' | 'hint' | 'abstained'

export interface Candidate {
  readonly id: string
  /** 0 to 1 */
  readonly score: number
}

export interface Decision {
  /** null when the evidence is too weak */
  readonly domain: Candidate | null
  readonly subDomain: Candidate | null
  readonly method: Method
  /** domains with the highest scores, at most 5 */
  readonly candidates: readonly Candidate[]
}

/** Evidence for the topic; the part of a failed step is absent. */
export interface Predictions {
  /** probabilities by sub-domain */
  readonly neural?: ReadonlyMap<string, number>
  readonly neighbours?: Neighbours
  /** id of a domain or sub-domain that a language model chose; it is in the taxonomy */
  readonly chosen?: Candidate
}

/**
 * chosen on the first held-out set (test/evaluate/classification): with this sharpening, scores match accuracy within 0.1 there and 0.16 on
 * the second set
 */
const neuralShare = 0.9
const temperature = 0.5
const minDomainScore = 0.32
const minSubDomainScore = 0.2
const maxCandidates = 5

/** Returns the domain of a sub-domain; the id itself for a domain. */
export type DomainOf = (id: string) => string

/** Sub-domains and, in the same order, their probabilities. */
interface Leaves {
  readonly ids: readonly string[]
  readonly scores: Float64Array
}

/**
 * Combines several views into one decision. Abstains below the confidence threshold: no answer is better than a wrong one, and the
 * candidates remain available.
 */
export function fuse({ neural, neighbours, chosen }: Predictions, domainOf: DomainOf): Decision {
  const leaves = mixed(neural, neighbours?.votes)
  const domains = new Map<string, number>()
  leaves.ids.forEach((id, index) => {
    const domain = domainOf(id)
    domains.set(domain, (domains.get(domain) ?? 0) + (leaves.scores[index] ?? 0))
  })
  const candidates = ranked(domains).slice(0, maxCandidates)
  if (chosen !== undefined) {
    const own = (id: string): Candidate => ({ id, score: round(chosen.score) })
    const leaf = domainOf(chosen.id) === chosen.id ? null : own(chosen.id)
    return { domain: own(domainOf(chosen.id)), subDomain: leaf, method: 'llm', candidates }
  }
  const [best] = candidates
  if (best === undefined || best.score < minDomainScore) return { domain: null, subDomain: null, method: 'abstained', candidates }
  const subDomain = bestLeaf(leaves, best.id, domainOf)
  return { domain: best, subDomain, method: method(best.id, { neural, neighbours }, domainOf), candidates }
}

/**
 * Returns scores by current domains: a retired one gives its score to its successor, if it has one.
 * @param currentOf - returns null for a domain without a successor
 */
export function withCurrentIds(
  scores: ReadonlyMap<string, number>,
  currentOf: (id: string) => string | null | undefined,
): ReadonlyMap<string, number> {
  let isCurrent = true
  const current = new Map<string, number>()
  for (const [id, score] of scores) {
    const successor = currentOf(id)
    if (successor !== id) isCurrent = false
    if (successor != null) current.set(successor, (current.get(successor) ?? 0) + score)
  }
  return isCurrent ? scores : current
}

/** Applies the caller's domain; the computed one remains among the candidates. */
export function withHint(decision: Decision, hint: string, domainOf: DomainOf): Decision {
  const own = decision.subDomain !== null && domainOf(decision.subDomain.id) === domainOf(hint) ? decision.subDomain : null
  return {
    domain: { id: domainOf(hint), score: 1 },
    subDomain: domainOf(hint) === hint ? own : { id: hint, score: 1 },
    method: 'hint',
    candidates: decision.candidates,
  }
}

function bestLeaf({ ids, scores }: Leaves, domain: string, domainOf: DomainOf): Candidate | null {
  const own = new Map<string, number>()
  ids.forEach((id, index) => {
    // a domain without sub-domains is its own leaf
    if (id !== domain && domainOf(id) === domain) own.set(id, scores[index] ?? 0)
  })
  const [best] = ranked(own)
  return best === undefined || best.score < minSubDomainScore ? null : best
}

/** Returns the method of the view with the higher probability for the decision. */
function method(
  domain: string,
  { neural, neighbours }: Pick<{ [Member in keyof Predictions]: Predictions[Member] | undefined }, 'neural' | 'neighbours'>,
  domainOf: DomainOf,
): Method {
  const of = (scores: ReadonlyMap<string, number> | undefined): number => {
    let sum = 0
    scores?.forEach((score, id) => {
      if (domainOf(id) === domain) sum += score
    })
    return sum
  }
  return of(neighbours?.votes) > of(neural) ? 'knn' : 'neural'
}

function mixed(neural: ReadonlyMap<string, number> | undefined, votes: ReadonlyMap<string, number> | undefined): Leaves {
  const share = neural === undefined || neural.size === 0 ? 0 : votes === undefined ? 1 : neuralShare
  const ids = [...(neural?.keys() ?? [])]
  for (const id of votes?.keys() ?? []) if (neural?.has(id) !== true) ids.push(id)
  const scores = new Float64Array(ids.length)
  let sum = 0
  for (let index = 0; index < ids.length; index++) {
    const id = ids[index] ?? ''
    const score = (share * (neural?.get(id) ?? 0) + (1 - share) * (votes?.get(id) ?? 0)) ** (1 / temperature)
    scores[index] = score
    sum += score
  }
  if (sum > 0) for (let index = 0; index < ids.length; index++) scores[index] = (scores[index] ?? 0) / sum
  return { ids, scores }
}

const ranked = (scores: ReadonlyMap<string, number>): readonly Candidate[] =>
  [...scores].map(([id, score]) => ({ id, score: round(score) })).sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1))

const round = (value: number): number => Math.round(value * 10_000) / 10_000
