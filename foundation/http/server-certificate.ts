import { createPrivateKey, X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { Server } from 'node:http'
import { createSecureContext, Server as TlsServer } from 'node:tls'
import { Counter, Gauge, type Registry } from 'prom-client'
import { messageOf } from '../fault.ts'
import { type Part, periodic } from '../lifecycle.ts'
import type { Log } from '../log.ts'

/** PEM files of a certificate chain and its private key. */
export interface CertificateFiles {
  readonly certificate: string
  readonly key: string
}

interface Pair {
  readonly cert: string
  readonly key: string
  /** ms since 1970 */
  readonly endsAt: number
}

export interface ServerCertificateOptions {
  readonly files: CertificateFiles
  readonly registry: Registry
  readonly log: Log
  /** interval of file checks, ms (default: 10,000) */
  readonly everyMs?: number
}

const defaultCheckMs = 10_000
const dayMs = 86_400_000
const warnedDays = 14

/** Reads a pair. @throws {Error} a message that names the invalid file, or states that they do not match; never contains the key */
export function readCertificate({ certificate, key }: CertificateFiles): Pair {
  const text = (file: string): string => {
    try {
      return readFileSync(file, 'utf8')
    } catch (error) {
      throw new Error(`${file} cannot be read: ${messageOf(error)}`)
    }
  }
  const of = <Read>(file: string, what: string, read: () => Read): Read => {
    try {
      return read()
    } catch {
      throw new Error(`${file} contains no ${what} in PEM`)
    }
  }
  const [cert, secret] = [text(certificate), text(key)]
  const first = of(certificate, 'certificate', () => new X509Certificate(cert))
  const privateKey = of(key, 'private key', () => createPrivateKey(secret))
  if (!first.checkPrivateKey(privateKey)) throw new Error(`the key in ${key} does not match the certificate in ${certificate}`)
  createSecureContext({ cert, key: secret })
  return { cert, key: secret, endsAt: first.validToDate.getTime() }
}

/**
 * The certificate of listeners (TLS 1.2 or newer). Changed files take effect without a restart; while they are invalid or incomplete, the previous
 * pair stays in use.
 */
export class ServerCertificate {
  readonly #options: ServerCertificateOptions
  readonly #servers = new Set<Server>()
  readonly #ends: Gauge
  readonly #loads: Counter<'outcome'>
  #pair: Pair
  #warnedOn = 0
  /** checks the files periodically */
  readonly watch: Part

  /** @throws as `readCertificate` does */
  constructor(options: ServerCertificateOptions) {
    this.#options = options
    this.#pair = readCertificate(options.files)
    const registers = [options.registry]
    this.#ends = new Gauge({
      name: 'civigraph_tls_certificate_ends_seconds',
      help: 'Expiry of the certificate of the listeners, in seconds since 1970',
      registers,
    })
    this.#ends.set(this.#pair.endsAt / 1000)
    this.#loads = new Counter({
      name: 'civigraph_tls_certificate_loads_total',
      help: 'Changed certificate files by result: used, or invalid',
      labelNames: ['outcome'] as const,
      registers,
    })
    const { everyMs = defaultCheckMs, log } = options
    this.watch = periodic(
      'certificate of the listeners',
      everyMs,
      async () => this.#check(),
      (error) => this.#refuse(error),
      () => log.info('the certificate files are valid again'),
    )
  }

  /** Credentials for a new listener. */
  get credentials(): { readonly cert: string; readonly key: string; readonly minVersion: 'TLSv1.2' } {
    const { cert, key } = this.#pair
    return { cert, key, minVersion: 'TLSv1.2' }
  }

  /** Updates a listener with later files, for new connections. */
  follow(server: Server): void {
    this.#servers.add(server)
    server.once('close', () => this.#servers.delete(server))
  }

  #check(): void {
    this.#warn()
    const pair = readCertificate(this.#options.files)
    if (pair.cert !== this.#pair.cert || pair.key !== this.#pair.key) this.#replace(pair)
  }

  #refuse(error: unknown): void {
    this.#loads.inc({ outcome: 'refused' })
    const details = { reason: messageOf(error), endsAt: new Date(this.#pair.endsAt) }
    this.#options.log.warn(details, 'the certificate files are invalid; the previous certificate stays in use')
  }

  #replace(pair: Pair): void {
    this.#pair = pair
    this.#ends.set(pair.endsAt / 1000)
    for (const server of this.#servers) if (server instanceof TlsServer) server.setSecureContext(this.credentials)
    this.#loads.inc({ outcome: 'taken' })
    this.#warnedOn = 0
    this.#options.log.info({ endsAt: new Date(pair.endsAt) }, 'certificate replaced')
  }

  /** Warns once a day. */
  #warn(): void {
    const now = Date.now()
    const leftMs = this.#pair.endsAt - now
    if (leftMs > warnedDays * dayMs || now - this.#warnedOn < dayMs) return
    this.#warnedOn = now
    const sentence = leftMs < 0 ? 'the certificate of the listeners has expired' : 'the certificate of the listeners expires soon'
    this.#options.log.warn({ endsAt: new Date(this.#pair.endsAt) }, `${sentence}: replace TLS_CERT_FILE and TLS_KEY_FILE`)
  }
}
