import { useCallback, useEffect, useRef, useState } from 'react'
import { type AnyVariables, type CombinedError, type TypedDocumentNode, useClient } from 'urql'

/** The part of a GraphQL connection that lists need. */
export interface Connection<Row> {
  readonly totalCount?: number | null
  readonly pageInfo: { readonly endCursor?: string | null; readonly hasNextPage: boolean }
  readonly nodes: readonly Row[]
}

export interface Pages<Row> {
  readonly rows: readonly Row[]
  /** of all pages, where the list has a count */
  readonly total: number | undefined
  readonly isLoading: boolean
  readonly hasMore: boolean
  readonly problem: CombinedError | undefined
  /** loads the next page, one at a time */
  more(): void
  /** reloads from the first page; the old rows stay until it arrives */
  reload(): void
  /** requests the page that failed again */
  retry(): void
}

interface LoadedRows<Row> {
  readonly rows: readonly Row[]
  readonly total: number | undefined
  readonly after: string | undefined
  readonly hasMore: boolean
}

const noRows = { rows: [], total: undefined, after: undefined, hasMore: false }

/**
 * Loads a list page by page.
 * @param variables - of the first page; other variables start another list
 * @param connectionOf - returns the connection of a response; must be stable
 */
export function usePages<Data, Variables extends AnyVariables, Row>(
  document: TypedDocumentNode<Data, Variables>,
  variables: Variables,
  connectionOf: (data: Data) => Connection<Row> | null | undefined,
): Pages<Row> {
  const client = useClient()
  const [loaded, setLoaded] = useState<LoadedRows<Row>>(noRows)
  const [isLoading, setLoading] = useState(true)
  const [problem, setProblem] = useState<CombinedError>()
  const requests = useRef(0)
  const shown = useRef<string>(undefined)
  const wanted = JSON.stringify(variables)

  const load = useCallback(
    async (before: LoadedRows<Row>) => {
      const requestNumber = ++requests.current
      setLoading(true)
      const page = { ...JSON.parse(wanted), ...(before.after === undefined ? {} : { after: before.after }) }
      const { data, error } = await client.query(document, page, { requestPolicy: 'network-only' }).toPromise()
      // ignores a response to superseded variables
      if (requestNumber !== requests.current) return
      setLoading(false)
      setProblem(error)
      const connection = data == null ? undefined : connectionOf(data)
      // the rows of another list would look like the answer
      if (connection == null) return shown.current === wanted ? undefined : setLoaded(noRows)
      shown.current = wanted
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
    void load(noRows)
    return () => void requests.current++
  }, [load])

  const reload = useCallback(() => void load(noRows), [load])
  const retry = useCallback(() => void load(loaded), [load, loaded])

  return {
    ...loaded,
    isLoading,
    problem,
    more: () => {
      if (!isLoading && loaded.hasMore && problem === undefined) void load(loaded)
    },
    reload,
    retry,
  }
}
