import { useCallback, useEffect, useRef, useState } from 'react'
import { type AnyVariables, type CombinedError, type TypedDocumentNode, useClient } from 'urql'

/** A connection of the graph, as far as its list needs it. */
export interface Connection<Row> {
  readonly totalCount?: number | null
  readonly pageInfo: { readonly endCursor?: string | null; readonly hasNextPage: boolean }
  readonly nodes: readonly Row[]
}

export interface Pages<Row> {
  readonly rows: readonly Row[]
  /** of all pages, where the list counts them */
  readonly total: number | undefined
  readonly isLoading: boolean
  readonly hasMore: boolean
  readonly problem: CombinedError | undefined
  /** asks for the next page, once at a time */
  more(): void
  /** begins anew; what is shown stays until the first page has come */
  reload(): void
}

interface Loaded<Row> {
  readonly rows: readonly Row[]
  readonly total: number | undefined
  readonly after: string | undefined
  readonly hasMore: boolean
}

const nothing = { rows: [], total: undefined, after: undefined, hasMore: false }

/**
 * A list that is read page by page, as far as somebody scrolls.
 * @param variables - of the first page; other ones begin another list   @param connectionOf - where the answer has it; the same function each time
 */
export function usePages<Data, Variables extends AnyVariables, Row>(
  document: TypedDocumentNode<Data, Variables>,
  variables: Variables,
  connectionOf: (data: Data) => Connection<Row> | null | undefined,
): Pages<Row> {
  const client = useClient()
  const [loaded, setLoaded] = useState<Loaded<Row>>(nothing)
  const [isLoading, setLoading] = useState(true)
  const [problem, setProblem] = useState<CombinedError>()
  const asked = useRef(0)
  const wanted = JSON.stringify(variables)

  const load = useCallback(
    async (before: Loaded<Row>) => {
      const turn = ++asked.current
      setLoading(true)
      const page = { ...JSON.parse(wanted), ...(before.after === undefined ? {} : { after: before.after }) }
      const { data, error } = await client.query(document, page, { requestPolicy: 'network-only' }).toPromise()
      // an answer to what nobody asks any longer
      if (turn !== asked.current) return
      setLoading(false)
      setProblem(error)
      const connection = data == null ? undefined : connectionOf(data)
      if (connection == null) return
      const { endCursor, hasNextPage } = connection.pageInfo
      setLoaded({
        rows: [...before.rows, ...connection.nodes],
        total: connection.totalCount ?? before.total,
        after: endCursor ?? undefined,
        hasMore: hasNextPage,
      })
    },
    [client, document, wanted, connectionOf],
  )
  useEffect(() => {
    void load(nothing)
    return () => void asked.current++
  }, [load])

  const reload = useCallback(() => void load(nothing), [load])

  return {
    ...loaded,
    isLoading,
    problem,
    more: () => {
      if (!isLoading && loaded.hasMore && problem === undefined) void load(loaded)
    },
    reload,
  }
}
