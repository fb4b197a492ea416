import type { Database } from '../../../engines/relational/database.ts'
import { sql } from '../../../engines/relational/drizzle.ts'
import { type Thresholds, thresholdsWith } from '../checks/thresholds.ts'

/** Face distances in decided jobs, by decision. */
export interface DecidedDistances {
  /** model that compared them; undefined for results without one */
  readonly model: string | undefined
  /** decided as verified */
  readonly onePerson: readonly number[]
  /** rejected as another person; other rejections are not about faces */
  readonly twoPeople: readonly number[]
}

export interface Rate {
  readonly count: number
  readonly of: number
  /** 0 to 1: upper bound of the rate at 95 % confidence */
  readonly atMost: number
}

export interface ProposedLine {
  readonly name: 'faceSame' | 'faceOther'
  readonly now: number
  readonly proposed: number
  /** errors of the threshold (faceSame: two persons accepted; faceOther: one person rejected), current and proposed */
  readonly wrongNow: Rate
  readonly wrongProposed: Rate
}

/** distance of a threshold from the nearest case that it must not include */
const step = 0.001

export interface Proposal {
  readonly cases: DecidedDistances
  /** undefined with too few cases */
  readonly lines: readonly ProposedLine[] | undefined
}

/**
 * Returns the decisions and proposed thresholds by face model.
 * @param overrides - VERIFICATION_THRESHOLDS: current thresholds  @throws {ConfigProblems}  @throws {EngineUnavailable}
 */
export async function proposals(
  database: Database,
  overrides: Readonly<Record<string, number>>,
  minPerKind: number,
): Promise<readonly Proposal[]> {
  const now = thresholdsWith(overrides)
  const decided = await decidedDistances(database)
  return decided.map((cases) => ({ cases, lines: proposeLines(cases, now, minPerKind) }))
}

async function decidedDistances({ orm }: Database): Promise<readonly DecidedDistances[]> {
  const { rows } = await orm.execute<{ model: string | null; one: number[]; two: number[] }>(sql`
    select face_model as model,
      coalesce(array_agg(face_distance) filter (where decision = 'verified'), '{}') as one,
      coalesce(array_agg(face_distance) filter (where decision = 'rejected' and reason = 'other_person'), '{}') as two
    from verification_review_case where face_distance is not null group by face_model order by face_model`)
  return rows.map(({ model, one, two }) => ({ model: model ?? undefined, onePerson: one, twoPeople: two }))
}

/**
 * Returns the thresholds that judge these cases best: no other person accepted and no same person rejected; values between go to review.
 * @returns undefined with fewer than `minPerKind` cases of either kind
 */
export function proposeLines(
  { onePerson, twoPeople }: DecidedDistances,
  { faceSame, faceOther }: Pick<Thresholds, 'faceSame' | 'faceOther'>,
  minPerKind: number,
): readonly [ProposedLine, ProposedLine] | undefined {
  if (onePerson.length < minPerKind || twoPeople.length < minPerKind) return undefined
  // when the kinds are separate, accepting beyond the last same-person case gains nothing
  const same = rounded(Math.min(Math.min(...twoPeople) - step, Math.max(...onePerson)))
  const other = rounded(Math.max(Math.max(...onePerson) + step, same))
  const accepted = (line: number): Rate => rateOf(twoPeople, (distance) => distance <= line)
  const rejected = (line: number): Rate => rateOf(onePerson, (distance) => distance > line)
  return [
    { name: 'faceSame', now: faceSame, proposed: same, wrongNow: accepted(faceSame), wrongProposed: accepted(same) },
    { name: 'faceOther', now: faceOther, proposed: other, wrongNow: rejected(faceOther), wrongProposed: rejected(other) },
  ]
}

function rateOf(distances: readonly number[], isWrong: (distance: number) => boolean): Rate {
  const count = distances.filter(isWrong).length
  return { count, of: distances.length, atMost: wilsonUpper(count, distances.length) }
}

const rounded = (value: number): number => Math.max(0, Math.round(value * 1000) / 1000)

/** 95 % quantile of the normal distribution */
const z = 1.645

/**
 * Returns the upper bound of a rate at 95 % confidence.
 * @param count - positive cases of `of`  @returns 0 to 1; 1 without cases
 * @see Wilson, "Probable Inference, the Law of Succession, and Statistical Inference", JASA 22 (1927)
 */
export function wilsonUpper(count: number, of: number): number {
  if (of === 0) return 1
  const share = count / of
  const spread = z * Math.sqrt((share * (1 - share)) / of + (z * z) / (4 * of * of))
  return Math.min(1, (share + (z * z) / (2 * of) + spread) / (1 + (z * z) / of))
}
