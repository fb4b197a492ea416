import { dayText } from '../queries/period.ts'
import type { StatisticsAnswer } from '../queries/statistics.ts'
import type { Statistics } from './exploration.type.ts'

export function typeOfStatistics({ version, at, expressions, votes, sentiment, participants, domains }: StatisticsAnswer): Statistics {
  const { byLang, ...counts } = expressions
  return {
    version,
    generatedAt: at,
    expressions: { ...counts, byLang: byLang.map(([lang, count]) => ({ lang, count })) },
    votes,
    sentiment: { ...sentiment, history: sentiment.history.map((day) => ({ ...day, day: dayText(day.day) })) },
    participants,
    domains,
  }
}
