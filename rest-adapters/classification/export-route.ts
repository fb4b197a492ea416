import { z } from 'zod'
import { csvRow } from '../../foundation/files/csv.ts'
import { bbox, domain, filterOf, inOrder, lang, period, q, sentiment } from '../route/filter-schemas.ts'
import { checkedRequest, inputPlace } from '../route/request-rules.ts'
import type { PagesRoute, RowWriter } from '../route/streaming-routes.ts'

const query = z
  .object({
    format: z.enum(['csv', 'ndjson']).optional().meta({ description: 'By default what Accept prefers, otherwise csv' }),
    bom: z.enum(['true', 'false']).optional().meta({
      type: 'boolean',
      enum: undefined,
      default: false,
      description: 'Whether a CSV begins with a byte order mark, for spreadsheets',
    }),
    bbox: bbox.optional(),
    domain: domain.optional(),
    sentiment: sentiment.optional(),
    lang: lang.optional(),
    q: q.optional(),
    ...period,
  })
  .superRefine(inOrder)

/** A row of the export. */
const ExpressionLine = z
  .object({
    id: z.string(),
    created_at: z.string().meta({ format: 'date-time' }),
    text: z.string(),
    lang: z.string(),
    domain: z.string().nullable(),
    sub_domain: z.string().nullable(),
    sentiment: z.enum(['positive', 'neutral', 'negative']).nullable(),
    sentiment_score: z.number().nullable(),
    lat: z.number().nullable(),
    lon: z.number().nullable(),
  })
  .meta({ id: 'ExpressionRow' })
type Line = z.output<typeof ExpressionLine>

const domainId = z
  .object({ id: z.string() })
  .nullable()
  .transform((found) => found?.id ?? null)
const ExportPage = z.object({
  found: z.object({
    rows: z.array(
      ExpressionLine.extend({
        domain: domainId,
        sub_domain: domainId,
        sentiment: z
          .string()
          .toLowerCase()
          .pipe(z.enum(['positive', 'neutral', 'negative']))
          .nullable(),
      }),
    ),
    nextCursor: z.string().nullable(),
  }),
})

/** Returns the route of the export of expressions. */
export function exportRoute(): PagesRoute {
  const rules = { query }
  return {
    kind: 'pages',
    method: 'GET',
    path: '/api/v1/expressions',
    caller: 'anyone',
    extension: true,
    isExport: true,
    summary: 'Exports expressions, newest first, as CSV (RFC 4180) or as one JSON object per line',
    description:
      'The public members of all matching expressions, streamed. One export at a time for each address; a further one is 429. An interrupted CSV ends without the last chunk of the response, an interrupted application/x-ndjson with a line that has the member error. In a CSV, =, +, - or @ at the start of a text or after a separator in it, and a tab or carriage return at its start, are preceded by an apostrophe, so that spreadsheets run no formula.',
    rules,
    placeOf: inputPlace({ rules, places: { box: ['query', 'bbox'], domainIds: ['query', 'domain'] } }),
    vary: [],
    operation: `query RestExport($filter: ExpressionFilterInput, $first: Int!, $after: String) {
      found: expressionExport(filter: $filter, first: $first, after: $after) {
        rows {
          id: expressionId created_at: createdAt text lang domain { id } sub_domain: subDomain { id } sentiment sentiment_score: sentimentScore lat lon
        }
        nextCursor
      }
    }`,
    variablesOf(request) {
      checkedRequest(rules, request)
      const parameters = query.parse(request.query)
      const { domainId: id, ...filter } = filterOf(parameters)
      return {
        filter: {
          ...filter,
          domainIds: id === null ? null : [id],
          sentiment: parameters.sentiment?.toUpperCase() ?? null,
          lang: parameters.lang ?? null,
        },
      }
    },
    pageVariables: (variables, after, size) => ({ ...variables, after, first: size }),
    pageOf(data) {
      const { rows, nextCursor } = ExportPage.parse(data).found
      return { rows, next: nextCursor ?? undefined, version: '', headers: { 'cache-control': 'no-store' } }
    },
    mediaTypeOf: ({ query: { format } }) => (format === undefined ? undefined : format === 'csv' ? 'text/csv' : 'application/x-ndjson'),
    writers: { 'text/csv': ({ query: { bom } }) => csvWriter(bom === 'true'), 'application/x-ndjson': linesWriter },
    answers: { 'text/csv': z.string(), 'application/x-ndjson': ExpressionLine },
    fileName: 'expressions',
  }
}

function linesWriter(): RowWriter {
  return {
    write: (rows) => rows.map((row) => `${JSON.stringify(row)}\n`).join(''),
    end: () => '',
    failure: `${JSON.stringify({ error: { detail: 'The response was interrupted; send the request again' } })}\n`,
  }
}

const columns = Object.keys(ExpressionLine.shape)

/** Writes CSV by RFC 4180 with a header line. */
function csvWriter(hasByteOrderMark: boolean): RowWriter {
  let head = `${hasByteOrderMark ? '\uFEFF' : ''}${csvRow(columns)}`
  const takeHead = (): string => {
    const taken = head
    head = ''
    return taken
  }
  return {
    write: (rows) => takeHead() + rows.map((row) => csvRow(Object.values(row as Line))).join(''),
    end: takeHead,
  }
}
