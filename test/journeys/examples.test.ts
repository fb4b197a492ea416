import { spawn } from 'node:child_process'
import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { VerificationClient } from '../support/clients/verification-client.ts'
import { type System, startSystem } from '../support/processes/start-system.ts'
import { jobOf } from '../support/samples/people.ts'

const project = new URL('../../', import.meta.url).pathname

describe('the examples of the README', () => {
  let system: System
  let folder: string
  const ends: (() => Promise<unknown>)[] = []
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'civigraph-examples-'))
    await symlink(join(project, 'node_modules'), join(folder, 'node_modules'))
    system = await startSystem({ components: ['verification'] })
  })
  afterAll(async () => {
    for (const end of ends) await end()
    await system?.stop()
    await rm(folder, { recursive: true, force: true })
  })

  /** Runs a block of the README as it stands there. @returns what it has printed so far */
  const run = async (name: string, env: Readonly<Record<string, string>>): Promise<() => string> => {
    const [, code] = new RegExp(`^\`\`\`js ${name}\\n([^]*?)^\`\`\`$`, 'm').exec(await readFile(join(project, 'README.md'), 'utf8')) ?? []
    expect(code?.split('\n').length).toBeLessThan(30)
    await writeFile(join(folder, name), code ?? '')
    const child = spawn(process.execPath, [name], { cwd: folder, env: { PATH: process.env.PATH ?? '', ...env } })
    let printed = ''
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text: string) => (printed += text))
    const exited = new Promise((resolve) => child.once('exit', resolve))
    ends.push(() => {
      child.kill()
      return exited
    })
    return () => printed
  }
  const until = async (printed: () => string, said: RegExp): Promise<void> => {
    for (const end = Date.now() + 60_000; !said.test(printed()); await sleep(50))
      if (Date.now() > end) throw new Error(`it has only said: ${printed()}`)
  }

  it('poll, store and acknowledge, and receive signed callbacks', { timeout: 120_000 }, async () => {
    const { verification_callback_secret: secret } = JSON.parse(await readFile(join(system.dataDir, 'credentials.json'), 'utf8')) as {
      verification_callback_secret: string
    }
    const port = await freePort()
    const received = await run('receiver.mjs', { SECRET: secret, PORT: String(port) })
    const stored = await run('loop.mjs', { URL: system.rest.verification, KEY: system.apiKey })
    await until(received, /listening/)
    const client = new VerificationClient(system)
    const { body } = await client.submit({ ...(await jobOf(5)), selfie_b64: '?', callback_url: `http://127.0.0.1:${port}/` })
    await until(received, new RegExp(`verification.job.failed ${body.job_id} error`))
    await until(stored, /stored 1 acknowledged 200 left 0/)
    expect(await readFile(join(folder, 'results.ndjson'), 'utf8')).toContain(body.job_id)
    expect((await client.results()).body.total_ready).toBe(0)
    const forged = await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', body: '{}', headers: { 'webhook-id': 'msg_1' } })
    expect(forged.status).toBe(401)
  })
})

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer()
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address()
      probe.close(() => (typeof address === 'object' && address !== null ? resolve(address.port) : reject(new Error('no port'))))
    })
  })
}
