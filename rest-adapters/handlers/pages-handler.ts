import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { setTimeout as waited } from 'node:timers/promises'
import Negotiator from 'negotiator'
import { Fault, messageOf } from '../../foundation/fault.ts'
import { clientAddress } from '../../foundation/http/client-address.ts'
import { addVary, sendUnchanged } from '../../foundation/http/content.ts'
import { faultStatus, isFaultCode } from '../../foundation/http/fault-status.ts'
import { networkOf } from '../../foundation/network-address.ts'
import type { Page, PagesRoute, RowWriter } from '../route/streaming-routes.ts'
import { type AdmittedRequest, admitting } from './admitted-request.ts'
import type { Handler, HandlerDependencies } from './handler.ts'
import { RefusedOperation } from './refusals.ts'

/** Small, so that the first byte is sent early. */
const firstRows = 100
const pageRows = 1000
const exportRetryMs = 10_000
/** Delays before retries of a page that is refused temporarily, since a started response cannot be refused. */
const againAfterMs = [250, 500, 1000, 2000]

/** Streams pages at the speed of the client; fetches the next page while one is written. */
export function pagesHandler(route: PagesRoute, parts: HandlerDependencies): Handler {
  const operation = parts.executor.prepare(route.operation)
  const { log } = parts
  const exporting = new Set<string>()
  /** @throws {Fault} RATE_LIMITED while another export of the address is running */
  const takeTurn = ({ request, reply }: AdmittedRequest): void => {
    const network = networkOf(clientAddress(request.raw, parts.config.trustedProxies) ?? '')
    if (exporting.has(network)) throw anotherExport()
    if (reply.raw.destroyed) return
    exporting.add(network)
    reply.raw.once('close', () => exporting.delete(network))
  }
  return admitting(route, parts, async (admitted) => {
    const { request, reply, disconnected } = admitted
    const raw = admitted.raw()
    const variables = route.variablesOf(raw)
    if (route.isExport) takeTurn(admitted)
    const page = async (after: string | undefined, first: number): Promise<Page> =>
      route.pageOf(await admitted.executeOperation(operation, route.pageVariables(variables, after, first)), variables)
    const first = await page(undefined, firstRows)
    const mediaType = route.mediaTypeOf?.(raw) ?? mediaTypeFor(request.headers.accept, Object.keys(route.writers))
    const etag = `"${createHash('sha256')
      .update(JSON.stringify([first.version, request.url, mediaType]))
      .digest('base64url')}"`
    const isPublic = first.headers['cache-control'] === undefined
    const caching = isPublic ? { etag, 'cache-control': 'public, max-age=0, must-revalidate' } : {}
    addVary(reply.headers({ ...first.headers, ...caching }), 'Accept', ...route.vary)
    const unchanged = isPublic && sendUnchanged(request, reply, etag)
    if (unchanged) return unchanged
    if (route.fileName !== undefined) {
      const disposition = route.isExport ? 'attachment' : 'inline'
      reply.header('content-disposition', `${disposition}; filename="${route.fileName}.${extensions[mediaType] ?? 'json'}"`)
    }
    const writer = route.writers[mediaType]?.(raw)
    if (writer === undefined) throw new Error(`no writer for ${mediaType}`)
    const failed = (error: unknown): void => {
      if (!disconnected.aborted)
        log.warn({ requestId: request.id, route: route.path, reason: messageOf(error) }, 'a streamed response was interrupted')
    }
    return reply.header('content-type', mediaType.startsWith('text/') ? `${mediaType}; charset=utf-8` : mediaType).send(
      Readable.from(
        written(writer, first, (after) => untilAnswered(() => page(after, pageRows), disconnected), failed),
        { highWaterMark: 2 },
      ),
    )
  })
}

const extensions: Readonly<Record<string, string>> = { 'application/x-ndjson': 'ndjson', 'text/csv': 'csv' }

const anotherExport = (): Fault =>
  new Fault('RATE_LIMITED', 'Another export of this address is running: wait until it has ended', { retryAfterMs: exportRetryMs })

async function* written(
  writer: RowWriter,
  first: Page,
  page: (after: string) => Promise<Page>,
  failed: (error: unknown) => void,
): AsyncGenerator<Buffer> {
  try {
    for (let current: Page | undefined = first; current !== undefined; ) {
      const { rows, next, version }: Page = current
      const coming: Promise<Page> | undefined = next === undefined ? undefined : page(next)
      // handled when its turn comes
      coming?.catch(() => undefined)
      yield Buffer.from(writer.write(rows))
      current = await coming
      if (current !== undefined && current.version !== version) throw new Error('the pages are of two versions')
    }
    yield Buffer.from(writer.end())
  } catch (error) {
    failed(error)
    if (writer.failure !== undefined) yield Buffer.from(writer.failure)
    // without the final chunk, the client detects the incomplete response
    throw error
  }
}

/** @throws a permanent refusal, or the last temporary one */
async function untilAnswered(page: () => Promise<Page>, disconnected: AbortSignal): Promise<Page> {
  for (const waitMs of againAfterMs) {
    try {
      return await page()
    } catch (error) {
      if (!isForAMoment(error) || disconnected.aborted) throw error
      await waited(waitMs, undefined, { signal: disconnected })
    }
  }
  return await page()
}

/** Whether a refusal is temporary. */
function isForAMoment(error: unknown): boolean {
  const { errors } = error instanceof RefusedOperation ? error : { errors: [] }
  const statuses = errors.map(({ extensions: { code } }) => (isFaultCode(code) ? faultStatus[code] : 500))
  return statuses.length > 0 && statuses.every((status) => status === 503)
}

/** Selects the media type by the Accept header (RFC 9110, section 12.5.1); the first one if it accepts none. */
function mediaTypeFor(accept: string | undefined, ours: readonly string[]): string {
  const [liked = ours[0] ?? 'application/json'] = new Negotiator({ headers: { accept: accept ?? '*/*' } }).mediaTypes(ours)
  return liked
}
