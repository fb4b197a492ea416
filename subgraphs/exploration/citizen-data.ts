import { type PersonalVote, votePlace } from '../../engines/analytics-store/analytics-store.ts'
import { postgresAnalyticsStore } from '../../engines/analytics-store/postgres-analytics-store.ts'
import type { CitizenDataHolder, CitizenReferences, ExportedRecord } from '../../engines/citizen-data/citizen-data.ts'
import type { EventFeed } from '../../engines/event-feed/event-feed.ts'
import type { Database } from '../../engines/relational/database.ts'
import { pseudonymOfService, pseudonymOfUser } from './votes/cast-vote.ts'

const rowsAtOnce = 500
const placePattern = /^[0-9a-f-]{36}\/[0-9a-f]{64}$/

/**
 * Returns the votes of a citizen by the references under which they were cast. An erasure deletes the verified ones; unverified ones are only listed.
 */
export function citizenDataOf({
  database,
  feed,
  pseudonymKey,
}: {
  readonly database: Database
  readonly feed: EventFeed
  /** PSEUDONYM_KEY */
  readonly pseudonymKey: Uint8Array
}): CitizenDataHolder {
  const store = postgresAnalyticsStore({ database, feed })
  const votersOf = ({ voters }: CitizenReferences): readonly string[] =>
    voters.map((voter) =>
      'service' in voter
        ? pseudonymOfService(voter.service, voter.voterRef, pseudonymKey)
        : pseudonymOfUser(voter.issuer, voter.subject, pseudonymKey),
    )
  return {
    component: 'votes',
    async survey(citizen) {
      const voters = votersOf(citizen)
      if (voters.length === 0) return { erasable: {}, remaining: [{ kind: 'unreferenced_data', count: null, ids: [] }] }
      const counts = await store.countOfPeople({ authors: [], voters })
      return {
        erasable: { votes: counts.votes },
        remaining: [{ kind: 'unverified_votes', count: counts.unverifiedVotes, ids: counts.unverifiedVoteIds }],
      }
    },
    async erase(citizen, record) {
      await store.deleteVotesOf(votersOf(citizen), rowsAtOnce, (tx, count, isLast) =>
        record(tx, { counts: { votes: count }, nodes: [], isLast }),
      )
    },
    async export(citizen, after, limit) {
      const place = after !== undefined && placePattern.test(after) ? after : undefined
      const votes = await store.votesOfVoters(votersOf(citizen), place, limit)
      // few, and beside the first page
      const withheld = after === undefined ? await store.withheldVotesOfVoters(votersOf(citizen)) : []
      return [
        ...withheld.map((vote) => recordOf('withheld_vote', '', vote)),
        ...votes.map((vote) => recordOf('vote', votePlace(vote), vote)),
      ]
    },
  }
}

const recordOf = (type: string, position: string, { expressionId, value, isVerified, at }: PersonalVote): ExportedRecord => ({
  position,
  type,
  data: { expression_id: expressionId, value, verified: isVerified, at },
})
