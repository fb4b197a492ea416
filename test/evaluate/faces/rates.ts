import { type FaceVerdict, verdictOfLikeness } from '../../../subgraphs/verification/checks/face-comparison.ts'
import type { Thresholds } from '../../../subgraphs/verification/checks/thresholds.ts'
import type { FacePair, PairsOfWidth } from './measure-pairs.ts'

/** Pairs by verdict; `without`: cards on which no face was found, which go to review. */
export interface Verdicts extends Readonly<Record<FaceVerdict, number>> {
  readonly without: number
  readonly of: number
}

/** The bundled model alone, or both models. */
export type FaceModel = 'dlib' | 'sface'

const likenessBy = (judge: FaceModel, { likeness: { distance, cosine } }: FacePair) =>
  judge === 'dlib' ? { distance } : { distance, cosine }

export function verdictsOf(pairs: readonly FacePair[], judge: FaceModel, thresholds: Thresholds, without = 0): Verdicts {
  const counted = { same_person: 0, uncertain: 0, another_person: 0 }
  for (const pair of pairs) counted[verdictOfLikeness(likenessBy(judge, pair), thresholds)] += 1
  return { ...counted, without, of: pairs.length + without }
}

/** Shares of pairs that a threshold accepts: of two people, and of one person. */
export interface RocPoint {
  readonly falseAccepts: number
  readonly trueAccepts: number
}

/** A score per pair: the cosine by SFace, or the negated distance by the other model. */
export function rocOf({ genuine, impostor }: PairsOfWidth, judge: FaceModel): readonly RocPoint[] {
  const score = ({ likeness: { distance, cosine = 0 } }: FacePair): number => (judge === 'dlib' ? -distance : cosine)
  const own = genuine.map(score).sort((a, b) => b - a)
  const others = impostor.map(score).sort((a, b) => b - a)
  let accepted = 0
  return own.map((line, index) => {
    while (accepted < others.length && (others[accepted] ?? 0) >= line) accepted += 1
    return { falseAccepts: accepted / others.length, trueAccepts: (index + 1) / own.length }
  })
}

/** The true accept rate at a given false accept rate. */
export const trueAcceptsAt = (points: readonly RocPoint[], falseAccepts: number): number =>
  Math.max(0, ...points.filter((point) => point.falseAccepts <= falseAccepts).map((point) => point.trueAccepts))
