import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Redis } from 'ioredis'
import { freePortBase } from '../../processes/free-ports.ts'
import type { ServerIdentity } from '../tls-authority.ts'

export interface TlsRedis extends AsyncDisposable {
  readonly port: number
  readonly client: Redis
}

/**
 * A local redis-server or sentinel that accepts TLS only. Resolves when it responds.
 * @param configuration - further lines of its configuration, which permit `login`
 */
export async function openTlsRedis(
  { ca, cert, key }: ServerIdentity,
  configuration: readonly string[],
  login: { readonly username?: string; readonly password: string },
  kind: 'server' | 'sentinel' = 'server',
): Promise<TlsRedis> {
  const port = await freePortBase()
  await using opened = new AsyncDisposableStack()
  const folder = await mkdtemp(join(tmpdir(), 'civigraph-tls-redis-'))
  opened.defer(() => rm(folder, { recursive: true, force: true }))
  for (const [file, content] of Object.entries({ ca, cert, key })) await writeFile(join(folder, file), content, { mode: 0o600 })
  const lines = [
    'bind 127.0.0.1',
    'port 0',
    `tls-port ${port}`,
    // by default ten thousand above: that port may be in use, and the server would end
    `cluster-port ${port + 1}`,
    `tls-cert-file ${join(folder, 'cert')}`,
    `tls-key-file ${join(folder, 'key')}`,
    `tls-ca-cert-file ${join(folder, 'ca')}`,
    'tls-auth-clients no',
    'tls-replication yes',
    `dir ${folder}`,
    ...configuration,
  ]
  const file = join(folder, 'redis.conf')
  await writeFile(file, `${lines.join('\n')}\n`)
  const server = spawn('redis-server', [file, ...(kind === 'sentinel' ? ['--sentinel'] : [])], { stdio: 'ignore' })
  opened.defer(async () => {
    server.kill('SIGKILL')
    if (server.exitCode === null && server.signalCode === null) await once(server, 'exit')
  })
  const client = new Redis({ host: '127.0.0.1', port, ...login, tls: { ca }, maxRetriesPerRequest: null, retryStrategy: () => 50 })
  client.on('error', () => undefined)
  opened.defer(() => client.disconnect())
  const ended = new AbortController()
  const refused = once(server, 'exit', ended).then(() => {
    throw new Error(`${kind} on port ${port} ended before it answered: ${lines.join('; ')}`)
  })
  await Promise.race([client.ping(), refused]).finally(() => ended.abort())
  const cleanup = opened.move()
  return { port, client, [Symbol.asyncDispose]: () => cleanup[Symbol.asyncDispose]() }
}
