import type { Database } from '../../../engines/relational/database.ts'
import { sql } from '../../../engines/relational/drizzle.ts'
import { type Thresholds, thresholdsWith } from '../assessment/thresholds.ts'
import { wilsonUpper } from './wilson-interval.ts'

/** Distances of faces in decided jobs, by what people said of them. */
export interface DecidedDistances {
  /** that compared them; undefined where a result did not say */
  readonly model: string | undefined
  /** decided as verified */
  readonly onePerson: readonly number[]
  /** rejected as another person's; other rejections say nothing about the faces */
  readonly twoPeople: readonly number[]
}

export interface Rate {
  readonly count: number
  readonly of: number
  /** 0 to 1: with 95 % certainty the rate is not above */
  readonly atMost: number
}

export interface ProposedLine {
  readonly name: 'faceSame' | 'faceOther'
  readonly now: number
  readonly proposed: number
  /** what the line gets wrong (faceSame: two people accepted; faceOther: one person rejected) now and as proposed */
  readonly wrongNow: Rate
  readonly wrongProposed: Rate
}

/** a line lies so far beyond the last case that it must not hit */
const step = 0.001

export interface Proposal {
  readonly cases: DecidedDistances
  /** undefined: there are too few */
  readonly lines: readonly ProposedLine[] | undefined
}

/**
 * What people decided, and the lines that follow, by the model that compared the faces.
 * @param given - VERIFICATION_THRESHOLDS: the lines as they are drawn now   @throws {ConfigProblems}   @throws {EngineUnavailable}
 */
export async function proposals(database: Database, given: Readonly<Record<string, number>>, least: number): Promise<readonly Proposal[]> {
  const now = thresholdsWith(given)
  const decided = await decidedDistances(database)
  return decided.map((cases) => ({ cases, lines: proposeLines(cases, now, least) }))
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
 * The lines that would have judged these cases best: nobody else accepted, and nobody rejected who is the one; between the two people go on to
 * decide.
 * @returns undefined when there are less than `least` cases of either kind
 */
export function proposeLines(
  { onePerson, twoPeople }: DecidedDistances,
  { faceSame, faceOther }: Pick<Thresholds, 'faceSame' | 'faceOther'>,
  least: number,
): readonly [ProposedLine, ProposedLine] | undefined {
  if (onePerson.length < least || twoPeople.length < least) return undefined
  // where the two kinds are apart, accepting further than the last of one person gains nothing
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
