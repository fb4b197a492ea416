import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openReceiver, type Receiver } from '../../support/clients/callback-receiver.ts'
import { VerificationClient } from '../../support/clients/verification-client.ts'
import type { Platform } from '../../support/processes/platform.ts'
import { sharedPlatform } from '../../support/processes/shared-platform.ts'
import { startSystem } from '../../support/processes/start-system.ts'
import { jobOf } from '../../support/samples/people.ts'

const project = new URL('../../../', import.meta.url).pathname

/** `npm run civigraph -- keys WORDS`, without npm and the preceding build. */
async function keys(env: Readonly<Record<string, string>>, ...words: string[]) {
  const child = spawn(process.execPath, [join(project, 'dist/platform/main.js'), 'keys', ...words], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text: string) => (output += text))
  const code = await new Promise<number | null>((resolve) => child.once('exit', resolve))
  const [, key = ''] = /X-Service-API-Key: (\S+)/.exec(output) ?? []
  const [, secret = ''] = /callback secret: +(\S+)/.exec(output) ?? []
  return { code, output, key, secret }
}

describe('keys created beside a running platform', () => {
  let system: Platform
  let receiver: Receiver
  let broken: Record<string, unknown>
  beforeAll(async () => {
    receiver = await openReceiver()
    system = await sharedPlatform('one')
    broken = { ...(await jobOf(5)), selfie_b64: '?', callback_url: receiver.url }
  })
  afterAll(() => receiver?.[Symbol.asyncDispose]())
  const run = (...words: string[]) => keys(system.env, ...words)
  const statusOf = async (key: string): Promise<number> =>
    (await new VerificationClient(system, key).request('GET', '/jobs/results')).status
  const until = async (key: string, status: number): Promise<void> => {
    for (const end = Date.now() + 30_000; (await statusOf(key)) !== status; await sleep(100))
      if (Date.now() > end) throw new Error(`the key is not answered with ${status}`)
  }

  it('work at once, sign callbacks, are rotated with an overlap and refused within seconds of their expiry', {
    timeout: 120_000,
  }, async () => {
    const created = await run('create', 'bank')
    expect([created.code, created.key]).toEqual([0, expect.stringMatching(/^civ_[\w-]{43}$/)])
    await until(created.key, 200)
    await new VerificationClient(system, created.key).submit(broken)
    const [first] = await receiver.until(1)
    new Webhook(created.secret).verify(first?.body ?? '', { ...first?.headers })

    expect(await run('create', 'bank')).toMatchObject({
      code: 1,
      output: expect.stringContaining('A service key with the name bank already exists: choose another name, or rotate that key'),
    })
    const rotated = await run('rotate', 'bank', '--overlap-hours', '1')
    await until(rotated.key, 200)
    expect(await statusOf(created.key)).toBe(200)
    await new VerificationClient(system, rotated.key).submit(broken)
    const second = (await receiver.until(2))[1]
    for (const secret of [created.secret, rotated.secret]) new Webhook(secret).verify(second?.body ?? '', { ...second?.headers })
    expect((await new VerificationClient(system, rotated.key).results()).body.results.length).toBeGreaterThan(0)

    const listed = (await run('list')).output.split('\n').filter((line) => line.startsWith('bank'))
    expect(listed.map((line) => /no end|until/.exec(line)?.[0])).toEqual(['no end', 'until'])
    expect(listed.join()).not.toMatch(/civ_|whsec_/)
    expect((await run('revoke', 'bank')).code).toBe(0)
    await until(rotated.key, 401)
    await until(created.key, 401)
    expect((await run('revoke', 'bank')).code).toBe(1)
  })

  it('have the scopes of the command', async () => {
    const created = await run('create', 'kiosk', '--scope', 'submit')
    await until(created.key, 403)
    expect((await new VerificationClient(system, created.key).submit(broken)).status).toBe(202)
  })

  it.each([[[]], [['create']], [['create', 'a b']], [['create', 'x', '--scope', 'everything']], [['shout', 'x']], [['rotate', 'missing']]])(
    'report what is wrong with %j',
    async (words) => {
      const { code, output } = await run(...words)
      expect(code).toBe(1)
      expect(output.split('\n')[0]).toMatch(/^[A-Z-].+/)
      expect(output).not.toMatch(/ at .*\.js:\d+/)
    },
  )
})

describe('a new VAULT_KEY', () => {
  it('opens all sealed data at once, and after a rewrap without the old key', { timeout: 240_000 }, async () => {
    const [older, newer] = [randomBytes(32).toString('base64'), randomBytes(32).toString('base64')]
    const dataDir = await mkdtemp(join(tmpdir(), 'civigraph-rotation-'))
    try {
      const first = await startSystem({ components: ['verification'], dataDir, env: { VAULT_KEY: older } })
      const bank = await keys(first.env, 'create', 'bank')
      const { body } = await new VerificationClient(first).submit({ ...(await jobOf(5)), selfie_b64: '?' })
      await new VerificationClient(first).untilFinished([body.job_id])
      await first.stop()

      const second = await startSystem({ components: ['verification'], dataDir, env: { VAULT_KEY: newer, VAULT_KEY_PREVIOUS: older } })
      expect((await new VerificationClient(second).results()).body.results.map(({ job_id }) => job_id)).toEqual([body.job_id])
      expect((await keys(second.env, 'rewrap')).output).toContain('re-encrypted: 1 records of jobs, 1 callback secrets')
      expect((await keys(second.env, 'rewrap')).output).toContain('re-encrypted: 0 records of jobs, 0 callback secrets')
      await second.stop()

      const receiver = await openReceiver()
      const third = await startSystem({ components: ['verification'], dataDir, env: { VAULT_KEY: newer } })
      try {
        expect((await new VerificationClient(third).results()).body.results.map(({ job_id }) => job_id)).toEqual([body.job_id])
        await new VerificationClient(third, bank.key).submit({ ...(await jobOf(5)), selfie_b64: '?', callback_url: receiver.url })
        const [delivery] = await receiver.until(1)
        new Webhook(bank.secret).verify(delivery?.body ?? '', { ...delivery?.headers })
      } finally {
        await third.stop()
        await receiver[Symbol.asyncDispose]()
      }
    } finally {
      await rm(dataDir, { recursive: true, force: true })
    }
  })
})
