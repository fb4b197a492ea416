import { lookup } from 'node:dns/promises'
import type { LookupFunction } from 'node:net'
import { Agent, request } from 'undici'
import { type AddressRules, CallbackRefused, callbackUrl, mayReach, nonPublicAddress } from './callback-address.ts'

/** The outcome of an attempt: a response, or a failure. */
export type SendOutcome =
  | { readonly kind: 'answered'; readonly status: number; readonly retryAfter: string | undefined }
  /** a later attempt may succeed */
  | { readonly kind: 'failed'; readonly reason: string }
  /** the address is not allowed */
  | { readonly kind: 'refused'; readonly reason: string }

export interface Message {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** Resolves a name to its current addresses. */
export type ResolveName = (hostname: string) => Promise<readonly { readonly address: string; readonly family: number }[]>

const tryLimitMs = 15_000
const maxHeaderBytes = 16 * 1024

/**
 * Posts callbacks. The name is resolved for each connection, all its addresses are validated, and the connection uses exactly these: a name
 * that changes its addresses in between (DNS rebinding) is not reached. Redirects are not followed, and only status and headers of a
 * response are read.
 */
export class CallbackSender {
  readonly #rules: AddressRules
  readonly #agent: Agent
  readonly #limitMs: number

  constructor(rules: AddressRules, resolve: ResolveName = (hostname) => lookup(hostname, { all: true }), limitMs = tryLimitMs) {
    this.#rules = rules
    this.#limitMs = limitMs
    this.#agent = new Agent({
      connect: { lookup: guardedLookup(rules, resolve), timeout: limitMs },
      maxHeaderSize: maxHeaderBytes,
      pipelining: 0,
    })
  }

  /** Never throws; fails after 15 s. */
  async send({ url, headers, body }: Message, stopping: AbortSignal): Promise<SendOutcome> {
    const timeout = AbortSignal.timeout(this.#limitMs)
    try {
      const answer = await request(callbackUrl(url, this.#rules), {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'user-agent': 'civigraph-callbacks', ...headers },
        body,
        dispatcher: this.#agent,
        signal: AbortSignal.any([timeout, stopping]),
        reset: true,
      })
      answer.body.on('error', () => undefined).destroy()
      const retryAfter = answer.headers['retry-after']
      return { kind: 'answered', status: answer.statusCode, retryAfter: Array.isArray(retryAfter) ? retryAfter[0] : retryAfter }
    } catch (error) {
      const refused = causesOf(error).find((cause) => cause instanceof CallbackRefused)
      if (refused !== undefined) return { kind: 'refused', reason: refused.message }
      if (timeout.aborted) return { kind: 'failed', reason: `timeout: No response within ${this.#limitMs / 1000} s` }
      return { kind: 'failed', reason: `connection_failed: The connection failed (${codeOf(error) || 'unknown cause'})` }
    }
  }

  async close(): Promise<void> {
    await this.#agent.destroy()
  }
}

function guardedLookup(rules: AddressRules, resolve: ResolveName): LookupFunction {
  return (hostname, { all }, callback) => {
    resolve(hostname)
      .then((addresses) => {
        const [first] = addresses
        // one internal address condemns the name: an attacker may list several
        if (first === undefined || !addresses.every(({ address }) => mayReach(address, rules))) throw nonPublicAddress()
        if (all) callback(null, [...addresses])
        else callback(null, first.address, first.family)
      })
      .catch((error: NodeJS.ErrnoException) => callback(error, ''))
  }
}

function causesOf(error: unknown): readonly unknown[] {
  if (error instanceof AggregateError) return [error, ...error.errors.flatMap(causesOf)]
  return error instanceof Error && error.cause !== undefined ? [error, ...causesOf(error.cause)] : [error]
}

/**
 * Returns a code of Node, OpenSSL or undici, such as ECONNREFUSED or DEPTH_ZERO_SELF_SIGNED_CERT; never a message, which may contain
 * addresses.
 */
function codeOf(error: unknown): string {
  for (const cause of causesOf(error)) {
    const { code } = cause as NodeJS.ErrnoException
    if (typeof code === 'string' && code !== '') return code
  }
  return 'unknown'
}
