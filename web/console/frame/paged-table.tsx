import { DataTable, type DataTableProps } from '../../components/data-table.tsx'
import type { Pages } from '../../shared/graph/pages.ts'

interface PagedTableProps<Row extends object> extends Omit<DataTableProps<Row>, 'rows' | 'total' | 'onEnd' | 'isLoading'> {
  readonly pages: Pages<Row>
  /** what is shown of the pages (default: all of it) */
  readonly rows?: readonly Row[]
}

/** A list of the graph: further pages are asked for as somebody scrolls. */
export function PagedTable<Row extends object>({ pages, rows = pages.rows, ...shown }: PagedTableProps<Row>) {
  return <DataTable {...shown} rows={rows} total={pages.total} onEnd={pages.more} isLoading={pages.isLoading} />
}
