import type { MadeBody, MadeRequest } from './request.ts'

/** The response to a request. */
export interface Answer {
  readonly status: number
  readonly statusText: string
  readonly durationMs: number
  readonly headers: readonly (readonly [name: string, value: string])[]
  /** lower case, without parameters; empty: missing */
  readonly mediaType: string
  readonly content: Blob
}

/** The response ended before it was complete. */
export class IncompleteResponse extends Error {}

/**
 * Sends a request to this listener, without cookies and without the browser's cache.
 * @throws {IncompleteResponse} when a response starts and is not completed; any other error: no response; either when `signal` is aborted
 */
export async function send({ method, url, headers, credentials, body }: MadeRequest, signal: AbortSignal): Promise<Answer> {
  const begun = performance.now()
  const address = new URL(url)
  const sent = new Headers(headers.filter(([name]) => name !== 'Cookie').map(([name, value]) => [name, value]))
  for (const { in: place, name, prefix, secret } of credentials) {
    if (secret === undefined) continue
    if (place === 'query') address.searchParams.append(name, secret)
    else if (place === 'header') sent.set(name, prefix === 'Basic ' ? prefix + btoa(secret) : prefix + secret)
  }
  const response = await fetch(address, {
    method,
    headers: sent,
    body: body === undefined ? null : contentOf(body),
    credentials: 'omit',
    cache: 'no-store',
    signal,
  })
  const content = await response.blob().catch((cause: unknown) => {
    throw new IncompleteResponse('the answer has no end', { cause })
  })
  return {
    status: response.status,
    statusText: response.statusText,
    durationMs: performance.now() - begun,
    headers: [...response.headers],
    mediaType: (response.headers.get('content-type') ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '',
    content,
  }
}

function contentOf(body: MadeBody): NonNullable<RequestInit['body']> {
  if (body.kind === 'text') return body.text
  if (body.kind === 'file') return body.file
  const form = body.isEncoded ? new URLSearchParams() : new FormData()
  // URL-encoded forms contain no files
  for (const [name, value] of body.fields)
    if (form instanceof FormData) form.append(name, value)
    else form.append(name, String(value))
  return form
}

export const sizeOf = (body: MadeBody | undefined): number => {
  if (body === undefined) return 0
  if (body.kind === 'text') return body.text.length
  if (body.kind === 'file') return body.file.size
  return body.fields.reduce((size, [, value]) => size + (typeof value === 'string' ? value.length : value.size), 0)
}
