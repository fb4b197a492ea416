import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect } from 'node:tls'
import { createClient } from 'graphql-ws'
import { Registry } from 'prom-client'
import { Agent, fetch } from 'undici'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { readCertificate, ServerCertificate } from '../../../../foundation/http/server-certificate.ts'
import { examineCertificate } from '../../../../platform/doctor/certificate.ts'
import { certificate, keysOf } from '../../../support/chips/country.ts'
import { keyPemOf, pemOf } from '../../../support/engines/tls-authority.ts'
import { library, librarySdl } from '../../../support/gateway/library.ts'
import { recordedLog, startServed } from '../../../support/gateway/town.ts'
import { replaceFile } from '../../../support/processes/replace-file.ts'

const authority = certificate({ name: 'Authority', keys: keysOf('authority'), isAuthority: true })
const ca = pemOf(authority.der)

describe('a certificate of the listeners', () => {
  let folder: string
  let files: { certificate: string; key: string }
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'civigraph-tls-'))
    files = { certificate: join(folder, 'tls.crt'), key: join(folder, 'tls.key') }
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))

  const put = async (serial: number, keys = keysOf('listener'), until = '2035-01-01'): Promise<void> => {
    await replaceFile(files.key, keyPemOf(keys))
    await replaceFile(
      files.certificate,
      pemOf(certificate({ name: '127.0.0.1', keys, issuer: authority, serial, until, addresses: ['127.0.0.1'] }).der),
    )
  }
  const served = async () => {
    const { log, lines } = recordedLog()
    const registry = new Registry()
    const reloading = new ServerCertificate({ files, registry, log, everyMs: 20 })
    await reloading.watch.start(new AbortController().signal)
    const running = await startServed('in process', librarySdl, library().schemas, { certificate: reloading })
    const { port } = new URL(running.graphql)
    const serial = () =>
      new Promise<string>((resolve, reject) => {
        const socket = connect({ port: Number(port), host: '127.0.0.1', ca }, () => {
          resolve(socket.getPeerCertificate().serialNumber)
          socket.destroy()
        }).once('error', reject)
      })
    const loads = async (outcome: string) =>
      (await registry.getSingleMetric('civigraph_tls_certificate_loads_total')?.get())?.values.find(
        ({ labels }) => labels.outcome === outcome,
      )?.value
    return {
      ...running,
      serial,
      loads,
      registry,
      lines,
      async [Symbol.asyncDispose]() {
        await reloading.watch.stop()
        await running[Symbol.asyncDispose]()
      },
    }
  }

  it('makes a gateway accept only HTTPS and WSS', async () => {
    await put(1)
    await using running = await served()
    expect(running.graphql).toMatch(/^https:/)
    const body = JSON.stringify({ query: '{ book(id: "1") { title } }' })
    const dispatcher = new Agent({ connect: { ca } })
    const answer = await fetch(running.graphql, { method: 'POST', headers: { 'content-type': 'application/json' }, body, dispatcher })
    expect(await answer.json()).toEqual({ data: { book: { title: 'Book 1' } } })
    await expect(fetch(running.graphql)).rejects.toThrow()
    await expect(fetch(running.graphql.replace('https', 'http'))).rejects.toThrow()
    class Trusting extends WebSocket {
      constructor(url: string, protocol: string) {
        super(url, protocol, { ca })
      }
    }
    const client = createClient({ url: running.graphql.replace('https', 'wss'), webSocketImpl: Trusting, retryAttempts: 0 })
    expect((await client.iterate({ query: '{ book(id: "2") { title } }' }).next()).value).toEqual({ data: { book: { title: 'Book 2' } } })
    await client.dispose()
    await dispatcher.close()
  })

  it('is reloaded when the files change, and stays in use while they are invalid', async () => {
    await put(1)
    await using running = await served()
    expect(await running.serial()).toBe('01')
    await put(2)
    await expect.poll(running.serial).toBe('02')
    expect(await running.loads('taken')).toBeGreaterThan(0)
    await replaceFile(files.certificate, 'half of a cert')
    await expect.poll(() => running.loads('refused')).toBe(1)
    expect(running.lines.join('')).toContain('tls.crt contains no certificate in PEM')
    expect(await running.serial()).toBe('02')
    await put(3, keysOf('another listener'))
    await expect.poll(running.serial).toBe('03')
    expect(running.lines.join('')).not.toContain('PRIVATE')
  })

  it('is reported in the log before and after it expires', async () => {
    await put(4, keysOf('listener'), '2021-01-01')
    await using running = await served()
    await expect.poll(() => running.lines.join('')).toContain('the certificate of the listeners has expired')
    expect(await running.registry.metrics()).toContain(`civigraph_tls_certificate_ends_seconds ${Date.UTC(2021, 0) / 1000}`)
  })

  it('is checked by doctor', async () => {
    const verdict = () => examineCertificate(files).findings.map(({ verdict: each, observation }) => `${each}: ${observation}`)
    await put(4)
    expect(verdict()).toEqual([expect.stringMatching(/^fine: in \d{4} days$/)])
    await put(4, keysOf('listener'), new Date(Date.now() + 3.5 * 86_400_000).toISOString())
    expect(verdict()).toEqual(['doubtful: in 3 days'])
    await put(4, keysOf('listener'), '2021-01-01')
    expect(verdict()).toEqual([expect.stringMatching(/^wrong: \d+ days ago$/)])
    await replaceFile(files.certificate, 'none')
    expect(verdict()).toEqual([expect.stringContaining('tls.crt contains no certificate in PEM')])
  })

  it('is refused with a message that names the file', async () => {
    await put(5)
    expect(() => readCertificate({ ...files, key: join(folder, 'none') })).toThrow(/none cannot be read: ENOENT/)
    expect(() => readCertificate({ ...files, key: files.certificate })).toThrow(/tls.crt contains no private key in PEM/)
    await replaceFile(files.key, keyPemOf(keysOf('another listener')))
    expect(() => readCertificate(files)).toThrow(/the key in .*tls.key does not match the certificate in .*tls.crt/)
  })
})
