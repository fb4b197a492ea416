import { DataTable, type DataTableProps } from '../../components/data-table.tsx'
import type { Pages } from '../../shared/graph/pages.ts'

interface PagedTableProps<Row extends object> extends Omit<DataTableProps<Row>, 'rows' | 'total' | 'onEnd' | 'isLoading'> {
  readonly pages: Pages<Row>
  /** displayed rows (default: all rows of the pages) */
  readonly rows?: readonly Row[]
}

/** A table of a GraphQL connection that loads further pages on scrolling. */
export function PagedTable<Row extends object>({ pages, rows = pages.rows, ...shown }: PagedTableProps<Row>) {
  return <DataTable {...shown} rows={rows} total={pages.total} onEnd={pages.more} isLoading={pages.isLoading} />
}
