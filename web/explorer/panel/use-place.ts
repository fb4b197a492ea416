import { ExplorerPlaceDocument, ExpressionsDocument, type ExpressionsQuery } from '@civigraph/client/documents'
import { useCallback, useEffect, useRef, useState } from 'react'
import { type Filters, firstDayOf } from '../filters/address.ts'
import type { Box } from '../map/view.ts'
import { asked, graphFilterOf } from '../reading/graph.ts'
import type { ToneDay } from '../tone/bars.ts'

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

interface Known {
  readonly expressions?: readonly PlaceExpression[]
  readonly after?: string | undefined
  readonly tone?: readonly ToneDay[]
  readonly isFailing?: boolean
}

/** The expressions of an area, newest first, and its sentiment over time. */
export function usePlace(box: Box, filters: Filters): Place {
  const [known, setKnown] = useState<Known>({})
  const leaving = useRef(new AbortController())
  const { domain, from, ...others } = graphFilterOf(filters)
  const question = JSON.stringify({ box, ...(domain !== undefined && { domains: [domain] }), ...others })

  const load = useCallback(
    async (after: string | undefined) => {
      const { signal } = leaving.current
      try {
        const variables = { filter: JSON.parse(question), first: ofPage, ...(after !== undefined && { after }) }
        const { expressions } = await asked(ExpressionsDocument, variables, signal)
        if (signal.aborted) return
        const { nodes: found = [], pageInfo } = expressions ?? {}
        // newest first: an expression before the period is the last one
        const nodes = found.filter(({ createdAt }) => from === undefined || createdAt >= from)
        const hasMore = pageInfo?.hasNextPage === true && nodes.length === found.length
        setKnown((before) => ({
          ...before,
          isFailing: false,
          expressions: [...(after === undefined ? [] : (before.expressions ?? [])), ...nodes],
          after: hasMore ? (pageInfo.endCursor ?? undefined) : undefined,
        }))
      } catch {
        if (!signal.aborted) setKnown((before) => ({ ...before, isFailing: true }))
      }
    },
    [question, from],
  )
  useEffect(() => {
    leaving.current = new AbortController()
    const { signal } = leaving.current
    setKnown({})
    void load(undefined)
    const { box: area, domains } = JSON.parse(question)
    const statistics = { box: area, domain: domains?.[0] ?? null, from: firstDayOf(daysOfTone) ?? null }
    asked(ExplorerPlaceDocument, { statistics }, signal)
      .then((answer) => setKnown((before) => ({ ...before, tone: answer.statistics?.sentiment.history ?? [] })))
      .catch(() => undefined)
    return () => leaving.current.abort()
  }, [question, load])
  return {
    expressions: known.expressions,
    hasMore: known.after !== undefined,
    tone: known.tone,
    isFailing: known.isFailing ?? false,
    more: () => void load(known.after),
  }
}
