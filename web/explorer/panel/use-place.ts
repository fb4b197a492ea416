import { ExplorerPlaceDocument, ExpressionsDocument, type ExpressionsQuery } from '@civigraph/client/documents'
import { useCallback, useEffect, useRef, useState } from 'react'
import { type Filters, firstDayOf } from '../filters/address.ts'
import { graphFilterOf, queried } from '../reading/graph.ts'
import type { ToneDay } from '../tone/bars.ts'
import type { Box } from '../view/view.ts'

export type PlaceExpression = ExpressionsQuery['expressions'] extends infer Page
  ? NonNullable<Page> extends { readonly nodes: readonly (infer Node)[] }
    ? Node
    : never
  : never

const ofPage = 5
const daysOfTone = '90'

export interface Place {
  /** undefined before the first response */
  readonly expressions: readonly PlaceExpression[] | undefined
  readonly hasMore: boolean
  readonly tone: readonly ToneDay[] | undefined
  readonly isFailing: boolean
  more(): void
}

interface LoadedPlace {
  readonly expressions?: readonly PlaceExpression[]
  readonly after?: string | undefined
  readonly tone?: readonly ToneDay[]
  readonly isFailing?: boolean
}

/** The expressions of an area, newest first, and its sentiment over time. */
export function usePlace(box: Box, filters: Filters): Place {
  const [loaded, setLoaded] = useState<LoadedPlace>({})
  const leaving = useRef(new AbortController())
  const { domainId, from, ...others } = graphFilterOf(filters)
  const question = JSON.stringify({ box, ...(domainId !== undefined && { domainIds: [domainId] }), ...others })

  const load = useCallback(
    async (after: string | undefined) => {
      const { signal } = leaving.current
      try {
        const variables = { filter: JSON.parse(question), first: ofPage, ...(after !== undefined && { after }) }
        const { expressions } = await queried(ExpressionsDocument, variables, signal)
        if (signal.aborted) return
        const { nodes: page = [], pageInfo } = expressions ?? {}
        // newest first: an expression before the period is the last one
        const nodes = page.filter(({ createdAt }) => from === undefined || createdAt >= from)
        const hasMore = pageInfo?.hasNextPage === true && nodes.length === page.length
        setLoaded((before) => ({
          ...before,
          isFailing: false,
          expressions: [...(after === undefined ? [] : (before.expressions ?? [])), ...nodes],
          after: hasMore ? (pageInfo.endCursor ?? undefined) : undefined,
        }))
      } catch {
        if (!signal.aborted) setLoaded((before) => ({ ...before, isFailing: true }))
      }
    },
    [question, from],
  )
  useEffect(() => {
    leaving.current = new AbortController()
    const { signal } = leaving.current
    setLoaded({})
    void load(undefined)
    const { box: area, domainIds, q = null } = JSON.parse(question)
    const statistics = { box: area, domainId: domainIds?.[0] ?? null, q, from: firstDayOf(daysOfTone) ?? null }
    queried(ExplorerPlaceDocument, { statistics }, signal)
      .then((answer) => setLoaded((before) => ({ ...before, tone: answer.statistics?.sentiment.history ?? [] })))
      .catch(() => undefined)
    return () => leaving.current.abort()
  }, [question, load])
  return {
    expressions: loaded.expressions,
    hasMore: loaded.after !== undefined,
    tone: loaded.tone,
    isFailing: loaded.isFailing ?? false,
    more: () => void load(loaded.after),
  }
}
