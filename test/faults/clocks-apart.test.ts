import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { postExpression } from '../support/clients/post-expression.ts'
import type { System } from '../support/processes/platform.ts'
import { stopProcess } from '../support/processes/platform-process.ts'
import { startSystem } from '../support/processes/start-system.ts'
import { closedAfterEach } from '../support/run/closed-after-each.ts'

const open = closedAfterEach()
const preload = new URL('../support/processes/shifted-clock.ts', import.meta.url).href

/** Ends the process with a role and restarts it with a shifted clock. */
async function setClock(system: System, role: string, shiftMs: number): Promise<void> {
  const running = system.processes.findLast(({ roles }) => roles.includes(role))
  if (running === undefined) throw new Error(`no process has the role ${role}`)
  await stopProcess(running)
  await system.start(running.roles, { NODE_OPTIONS: `--import=${preload}`, CLOCK_SHIFT_MS: String(shiftMs) })
}

const Credentials = z.looseObject({ super_admin: z.object({ email: z.string(), password: z.string() }) })
const Session = z.looseObject({ access_token: z.string() })

it('a gateway clock a minute ahead and a worker clock a minute behind lose nothing, duplicate nothing and accept sessions of other processes', {
  timeout: 600_000,
}, async () => {
  const components = ['exploration', 'classification', 'administration'] as const
  const system = await startSystem({ layout: 'split', components, workers: ['exploration', 'classification'] })
  open.push(system)
  const expressions = new Map<string, string>()
  const postExpressions = async (count: number): Promise<void> => {
    for (let n = 0; n < count; n++) {
      const word = randomUUID().replaceAll('-', '')
      const { status, body } = await postExpression(system, { text: `Le lampadaire ${word} est cassé`, external_id: word, source: 'test' })
      expect(status).toBe(201)
      expressions.set(body.id, word)
    }
  }
  const query = async (query: string, variables: object = {}, token?: string): Promise<unknown> => {
    const authorization = token === undefined ? {} : { authorization: `Bearer ${token}` }
    const headers = { 'content-type': 'application/json', ...authorization }
    const response = await fetch(system.graphqlUrl, { method: 'POST', headers, body: JSON.stringify({ query, variables }) })
    return response.json()
  }
  await postExpressions(5)
  await setClock(system, 'gateway', 60_000)
  await postExpressions(5)
  await setClock(system, 'worker:classification', -60_000)
  await Promise.all([postExpressions(5), postExpressions(5)])
  // the clock jumps
  await setClock(system, 'gateway', -60_000)
  await postExpressions(5)
  await expect
    .poll(() => query('{ statistics { expressions { total } } }'))
    .toEqual({ data: { statistics: { expressions: { total: 25 } } } })
  const search = 'query ($text: String!) { searchExpressions(input: {text: $text, mode: TEXT}) { nodes { id } } }'
  for (const [id, text] of expressions)
    await expect.poll(() => query(search, { text })).toEqual({ data: { searchExpressions: { nodes: [{ id }] } } })

  const account = Credentials.parse(JSON.parse(await readFile(join(system.dataDir, 'credentials.json'), 'utf8'))).super_admin
  const body = JSON.stringify(account)
  const logIn = () =>
    fetch(`${system.rest.administration}/auth/login`, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
  let session: unknown
  // refused while the server is overloaded
  await expect
    .poll(async () => {
      const answer = await logIn()
      session = await answer.json()
      return answer.status
    })
    .toBe(200)
  const { access_token: token } = Session.parse(session)
  expect(await query('{ me { email } }', {}, token)).toEqual({ data: { me: { email: account.email } } })
})
