import { ExplorerFiguresDocument, ExplorerTopicsDocument } from '@civigraph/client/documents'
import { type Filters, noFilters } from '../filters/address.ts'
import { graphFilterOf } from '../filters/wanted.ts'
import type { Figures } from '../tone/key-figures.tsx'
import type { Topic } from '../topics/topics.ts'
import { asked } from './graph.ts'
import { type Reading, useReading } from './use-reading.ts'

/** Reads the figures of a topic and a period; sentiment and language do not apply. */
export function useFigures({ domain, period }: Filters): Reading<Figures | null> {
  const filter = graphFilterOf({ ...noFilters, domain, period })
  return useReading(JSON.stringify(filter), async (signal) => (await asked(ExplorerFiguresDocument, { filter }, signal)).statistics ?? null)
}

/** Reads all topics with their numbers of expressions. */
export const useTopics = (): Reading<readonly Topic[]> =>
  useReading('topics', async (signal) => (await asked(ExplorerTopicsDocument, {}, signal)).domains?.domains ?? [])
