import { z } from 'zod'
import { ExpressionAnswer, expressionFields } from '../live/public-expression.ts'
import { healthRoutes } from '../route/health-route.ts'
import { operationRoute } from '../route/operation-route.ts'
import { fixedRoute, type Route } from '../route/route.ts'
import { exportRoute } from './export-route.ts'
import { ExpressionRequest } from './requests.ts'
import { ingested, ingestLimit, TaxonomySynchronisation } from './responses.ts'
import { streamDocument } from './stream/asyncapi.ts'
import { StreamParameters } from './stream/filter.ts'

/** 10,000 characters of four bytes, JSON-escaped in the worst case, plus the other members */
const expressionBytes = 128 * 1024

/** Returns the documented operations of component C. */
export function classificationRoutes(): readonly Route[] {
  return [
    ...healthRoutes('classification'),
    operationRoute({
      method: 'POST',
      path: '/api/v1/expressions',
      summary: 'Accepts one expression: removes personal data, analyses, stores and indexes it',
      description:
        'Returns 201 for a new expression, 200 for one that is already stored, and 409 when its external_id has another text or the expression was withdrawn. `moderation` is `held` while a moderator must release it (MODERATION=hold).',
      wantsToken: true,
      body: ExpressionRequest,
      bodyBytes: expressionBytes,
      places: { domainId: ['body', 'domain_hint'] },
      operation: `mutation RestIngest($input: IngestExpressionInput!) {
        ingested: ingestExpression(input: $input) { created moderation rateLimit { name quota seconds remaining resetSeconds } expression { ${expressionFields} } }
      }`,
      variables: ({ body }) => ({
        input: {
          externalId: body.external_id,
          text: body.text,
          lang: body.lang,
          createdAt: body.created_at == null ? null : new Date(body.created_at).toISOString(),
          authorRef: body.author_ref,
          source: body.source,
          location: body.location,
          domainId: body.domain_hint,
        },
      }),
      from: ingested,
      limit: ingestLimit,
      answer: ExpressionAnswer,
      status: { among: [201, 200], of: ({ created }) => (created ? 201 : 200) },
    }),
    exportRoute(),
    fixedRoute({
      path: '/asyncapi.json',
      summary: 'Returns the AsyncAPI document of /ws',
      extension: true,
      mediaType: 'application/json',
      content: JSON.stringify(streamDocument()),
    }),
    {
      kind: 'socket',
      method: 'GET',
      path: '/ws',
      caller: 'anyone',
      summary: 'Streams new expressions over WebSocket',
      description:
        'Frames are {"type","seq","data"}: welcome, expression, expression_updated, heartbeat, lagged, error. A client may send ' +
        '{"type":"subscribe","filters":{…}} and {"type":"resume","from_seq":…}',
      rules: { query: StreamParameters },
    },
    operationRoute({
      method: 'POST',
      path: '/api/v1/admin/sync-taxonomies',
      summary: 'Updates the taxonomy of the search index from the analytics database',
      wantsToken: true,
      credentials: ['accessToken'],
      operation: `mutation RestSynchroniseTaxonomies {
        done: synchroniseTaxonomies { version added updated removed unchanged re_embedded: reEmbedded duration_ms: durationMs }
      }`,
      from: z.object({ done: TaxonomySynchronisation }).transform(({ done }) => done),
      answer: TaxonomySynchronisation,
    }),
  ]
}
