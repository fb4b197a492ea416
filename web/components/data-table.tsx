import { type Cell, type ColumnDef, tableFeatures, useTable } from '@tanstack/react-table'
import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual'
import { Fragment, type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react'
import type { Pages } from '../shared/graph/pages.ts'
import { ListState } from './list-state.tsx'

const features = tableFeatures({})

export type Column<Row extends object> = ColumnDef<typeof features, Row>

/**
 * Defines a column.
 * @param header - its label
 * @param cell - its content in a row; the first column names the row
 */
export function column<Row extends object>(id: string, header: string, cell: (row: Row) => ReactNode): Column<Row> {
  return { id, header, cell: ({ row }) => cell(row.original) }
}

export interface DataTableProps<Row extends object> {
  readonly caption: string
  /** must stay the same object while the columns do not change */
  readonly columns: Column<Row>[]
  readonly rows: readonly Row[]
  readonly keyOf: (row: Row) => string
  /** row count of the whole list, if known; announced by screen readers */
  readonly total?: number | undefined
  /** called when the last rows become visible */
  readonly onEnd?: () => void
  readonly isLoading: boolean
  /** shown when there are no rows */
  readonly empty: string
  readonly problem?: Error | undefined
  /** requests what failed again */
  readonly onRetry?: () => void
}

const rowHeight = 56
/** of a row that is shown as a block, see data.css */
const narrowRowHeight = 200
const narrow = '(max-width: 40rem)'
const unseenRows = 10

/** A virtual table: renders only the visible rows and requests more on scrolling. */
export function DataTable<Row extends object>({
  caption,
  columns,
  rows,
  keyOf,
  total,
  onEnd,
  isLoading,
  empty,
  problem,
  onRetry = () => undefined,
}: DataTableProps<Row>) {
  const place = useRef<HTMLDivElement>(null)
  const table = useTable({ features, columns, data: rows as Row[], getRowId: keyOf })
  const listed = table.getRowModel().rows
  const [focused, setFocused] = useState<string>()
  const virtual = useVirtualizer({
    count: listed.length,
    getScrollElement: () => place.current,
    estimateSize: () => (matchMedia(narrow).matches ? narrowRowHeight : rowHeight),
    overscan: unseenRows,
    getItemKey: (index) => listed[index]?.id ?? index,
    // the row with the focus stays rendered wherever the table is scrolled: the focus of a removed element is lost
    rangeExtractor: (range) => {
      const held = listed.findIndex(({ id }) => id === focused)
      return [...new Set([...defaultRangeExtractor(range), ...(held < 0 ? [] : [held])])].sort((one, other) => one - other)
    },
  })
  const seen = virtual.getVirtualItems()
  const last = seen.at(-1)
  const isAtEnd = last !== undefined && last.index >= listed.length - 1
  useEffect(() => {
    if (isAtEnd) onEnd?.()
  }, [isAtEnd, onEnd])
  const follows = useRef(false)
  const ignore = () => {
    follows.current = false
  }
  // until the reader scrolls: rows that are measured later must not move the focused one out of view
  useLayoutEffect(() => {
    if (follows.current && place.current?.contains(document.activeElement)) {
      document.activeElement?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
    }
  })
  const head = useRef<HTMLTableSectionElement>(null)
  useEffect(() => {
    const [region, header] = [place.current, head.current]
    if (region === null || header === null) return
    // keeps a focused row below the sticky header (WCAG 2.2, 2.4.11)
    const observer = new ResizeObserver(() => {
      region.style.scrollPaddingBlockStart = `${header.offsetHeight}px`
    })
    observer.observe(header)
    return () => observer.disconnect()
  }, [])

  return (
    <section
      className="table"
      ref={place}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
      tabIndex={0}
      aria-label={caption}
      onWheel={ignore}
      onPointerDown={ignore}
      onKeyDown={({ key }) => key !== 'Tab' && ignore()}
    >
      <table aria-rowcount={(total ?? (listed.length || -1)) + (total === undefined && listed.length === 0 ? 0 : 1)} aria-busy={isLoading}>
        <caption className="unseen">{caption}</caption>
        <thead ref={head}>
          {table.getHeaderGroups().map((group) => (
            <tr key={group.id} aria-rowindex={1}>
              {group.headers.map((header) => (
                <th key={header.id} scope="col">
                  <table.FlexRender header={header} />
                </th>
              ))}
            </tr>
          ))}
        </thead>
        <tbody>
          {seen.map(({ index, key, start }, at) => {
            const row = listed[index]
            return (
              row && (
                <Fragment key={key}>
                  <Space height={start - (seen[at - 1]?.end ?? 0)} columns={columns.length} />
                  <tr
                    ref={virtual.measureElement}
                    data-index={index}
                    aria-rowindex={index + 2}
                    onFocus={() => {
                      follows.current = true
                      setFocused(row.id)
                    }}
                    onBlur={() => setFocused(undefined)}
                  >
                    {row.getAllCells().map((cell, column) => {
                      const Tag = column === 0 ? 'th' : 'td'
                      return (
                        <Tag key={cell.id} data-label={headerOf(cell)} {...(column === 0 && { scope: 'row' })}>
                          <div>{shownIn(cell)}</div>
                        </Tag>
                      )
                    })}
                  </tr>
                </Fragment>
              )
            )
          })}
          <Space height={virtual.getTotalSize() - (last?.end ?? 0)} columns={columns.length} />
        </tbody>
      </table>
      <ListState isLoading={isLoading} isEmpty={rows.length === 0} problem={problem} empty={empty} onRetry={onRetry} />
    </section>
  )
}

/** A call and not a component: a new component type would remount the cells and lose their focus. */
function shownIn<Row extends object>(cell: Cell<typeof features, Row>): ReactNode {
  const { cell: shown } = cell.column.columnDef
  return typeof shown === 'function' ? shown(cell.getContext()) : shown
}

/** The header of a cell: narrow screens show it beside the cell. */
function headerOf<Row extends object>(cell: Cell<typeof features, Row>): string {
  const { header } = cell.column.columnDef
  return typeof header === 'string' ? header : ''
}

/** Reserves the height of rows that are not rendered. */
function Space({ height, columns }: { height: number; columns: number }) {
  return height <= 0 ? null : (
    // biome-ignore lint/a11y/noAriaHiddenOnFocusable: a row of a table takes no focus
    <tr aria-hidden="true">
      <td colSpan={columns} style={{ height, padding: 0, border: 0 }} />
    </tr>
  )
}

interface PagedTableProps<Row extends object>
  extends Omit<DataTableProps<Row>, 'rows' | 'total' | 'onEnd' | 'isLoading' | 'problem' | 'onRetry'> {
  readonly pages: Pages<Row>
  /** displayed rows (default: all rows of the pages) */
  readonly rows?: readonly Row[]
}

/** A table of a GraphQL connection that loads further pages on scrolling. */
export function PagedTable<Row extends object>({ pages, rows = pages.rows, ...shown }: PagedTableProps<Row>) {
  return (
    <DataTable
      {...shown}
      rows={rows}
      total={pages.total}
      onEnd={pages.more}
      isLoading={pages.isLoading}
      problem={pages.problem}
      onRetry={pages.retry}
    />
  )
}
