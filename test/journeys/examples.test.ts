import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { VerificationClient } from '../support/clients/verification-client.ts'
import { layouts } from '../support/processes/platform.ts'
import { sharedPlatform } from '../support/processes/shared-platform.ts'
import { jobOf } from '../support/samples/people.ts'

const project = new URL('../../', import.meta.url).pathname
const clients = join(project, 'docs/clients')

describe('the client samples', () => {
  let system: Awaited<ReturnType<typeof sharedPlatform>>
  let folder: string
  let account: { readonly email: string; readonly password: string }
  const samples = new Map<string, string>()
  const ends: (() => Promise<unknown>)[] = []
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'civigraph-examples-'))
    await symlink(join(project, 'node_modules'), join(folder, 'node_modules'))
    const pages = (await readdir(clients)).filter((name) => name.endsWith('.md'))
    for (const page of pages)
      for (const [, name = '', code = ''] of (await readFile(join(clients, page), 'utf8')).matchAll(/^```js (\w+\.mjs)\n(.*?)^```$/gms))
        samples.set(name, code)
    system = await sharedPlatform(layouts.at(-1) ?? 'split')
    account = JSON.parse(await readFile(join(system.dataDir, 'credentials.json'), 'utf8')).super_admin
  })
  afterAll(async () => {
    for (const end of ends) await end()
    await rm(folder, { recursive: true, force: true })
  })

  /** Runs a sample with the text of its page. @returns the output so far */
  const run = async (name: string, env: Readonly<Record<string, string>>): Promise<() => string> => {
    const code = samples.get(name) ?? ''
    samples.delete(name)
    expect(code.split('\n').length).toBeGreaterThan(5)
    expect(code.split('\n').length).toBeLessThan(30)
    await writeFile(join(folder, name), code)
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
  const until = async (printed: () => string, pattern: RegExp): Promise<void> => {
    for (const end = Date.now() + 60_000; !pattern.test(printed()); await sleep(50))
      if (Date.now() > end) throw new Error(`it has only printed: ${printed()}`)
  }

  it('poll, store and acknowledge, receive signed callbacks, query and subscribe', { timeout: 120_000 }, async () => {
    const port = await freePort()
    const received = await run('receiver.mjs', { SECRET: system.callbackSecret, PORT: String(port) })
    await until(received, /listening/)
    const client = new VerificationClient(system)
    const citizen = randomUUID()
    const { body } = await client.submit({
      ...(await jobOf(5)),
      citizen_code: citizen,
      selfie_b64: '?',
      callback_url: `http://127.0.0.1:${port}/`,
    })
    await until(received, new RegExp(`verification.job.failed ${body.job_id} error`))

    const result = await run('query.mjs', { URL: system.graphqlUrl.replace('/graphql', ''), KEY: system.apiKey })
    await until(result, new RegExp(`${body.job_id} ERROR`))
    const followed = await run('follow.mjs', { URL: system.graphqlUrl.replace('http', 'ws'), KEY: system.apiKey })
    await until(followed, new RegExp(`^\\d+ ${citizen} ERROR$`, 'm'))

    const stored = await run('loop.mjs', { URL: system.rest.verification, KEY: system.apiKey })
    await until(stored, /stored 1 acknowledged 200 left 0/)
    expect(await readFile(join(folder, 'results.ndjson'), 'utf8')).toContain(body.job_id)
    expect((await client.results()).body.total_ready).toBe(0)
    const forged = await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', body: '{}', headers: { 'webhook-id': 'msg_1' } })
    expect(forged.status).toBe(401)
  })

  it('submit verifications of a browser through a server that holds the key', { timeout: 120_000 }, async () => {
    const port = await freePort()
    const backend = await run('backend.mjs', { URL: system.graphqlUrl.replace('/graphql', ''), KEY: system.apiKey, PORT: String(port) })
    await until(backend, /listening/)
    const [citizen, url] = [randomUUID(), `http://127.0.0.1:${port}/verifications`]
    const job = await jobOf(5)
    const input = {
      documentType: job.document_type,
      countryCode: job.country_code,
      // base64 of no image: the job fails at once
      selfie: 'AAAA',
      documentFront: job.cni_recto_b64,
      declaredIdentity: { firstName: 'Awa', lastName: 'Diop' },
    }
    const post = (body: object, headers: Record<string, string> = { 'x-demo-citizen': citizen }) =>
      fetch(url, { method: 'POST', body: JSON.stringify(body), headers })
    expect((await post(input, {})).status).toBe(401)
    const refused = await post({ ...input, selfie: '' })
    expect([refused.status, await refused.json()]).toEqual([422, [expect.objectContaining({ path: ['selfie'] })]])
    const accepted = await post(input)
    const { job: submitted } = (await accepted.json()) as { readonly job: { readonly id: string } }
    expect(accepted.status).toBe(202)
    const events = await fetch(`${url}/${submitted.id}`, { headers: { 'x-demo-citizen': citizen } })
    expect(await events.text()).toMatch(/^data: \{"status":"ERROR","outcome":"ERROR","result":\{"failure":\{"field":"selfie"/)
  })

  it('subscribe to expressions over Socket.IO and over /ws', { timeout: 120_000 }, async () => {
    /** Repeats a request while an overloaded platform returns 503: its external_id makes it idempotent. */
    const post = async (url: string, body: unknown): Promise<Record<string, unknown>> => {
      const options = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }
      let answer = await fetch(url, options)
      for (const end = Date.now() + 60_000; answer.status === 503 && Date.now() < end; answer = await fetch(url, options)) await sleep(1000)
      expect(answer.ok, `${url} answered ${answer.status}`).toBe(true)
      return (await answer.json()) as Record<string, unknown>
    }
    const { access_token: token } = await post(`${system.rest.administration}/auth/login`, account)
    const streamed = await run('stream.mjs', { URL: `${system.rest.classification.replace('http', 'ws')}/ws`, TOKEN: String(token) })
    const fed = await run('feed.mjs', { URL: system.rest.exploration })
    await until(streamed, /^listening$/m)
    await until(fed, /^following expressions:/m)
    const text = 'À Dakar, plus une goutte d’eau au robinet depuis hier, c’est inadmissible.'
    await post(`${system.rest.classification}/api/v1/expressions`, { text, external_id: randomUUID() })
    await until(streamed, new RegExp(`^water-sanitation ${text}$`, 'm'))
    await until(fed, new RegExp(`^\\d+ ${text}$`, 'm'))
  })

  it('are all covered here', () => expect([...samples.keys()]).toEqual([]))
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
