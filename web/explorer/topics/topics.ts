import type { ExplorerFiguresQuery } from '@civigraph/client/documents'
import { type Language, labelIn } from '../../shared/words/words-in.ts'

export type Topic = NonNullable<ExplorerFiguresQuery['domains']>['domains'][number]
export type SubTopic = Topic['subDomains'][number]

/** Returns the name of a topic. @returns its id where the taxonomy does not have it */
export type NameOfTopic = (id: string) => string

export function namesOf(topics: readonly Topic[], language: Language): NameOfTopic {
  const names = new Map(
    topics.flatMap((topic) => [topic, ...topic.subDomains].map(({ id, labels }) => [id, labelIn(language, labels) ?? id] as const)),
  )
  return (id) => names.get(id) ?? id
}

const byExpressions = (a: { statistics: { expressions: number } }, b: { statistics: { expressions: number } }): number =>
  b.statistics.expressions - a.statistics.expressions

/** Sorts topics by number of expressions, largest first. */
export const sortedTopics = <Each extends Topic | SubTopic>(topics: readonly Each[]): readonly Each[] => topics.toSorted(byExpressions)
