import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import pg from 'pg'
import { describe, expect, it } from 'vitest'
import { ContentClient, tokenOf } from '../../support/clients/content-client.ts'
import { postExpression } from '../../support/clients/post-expression.ts'
import { VerificationClient } from '../../support/clients/verification-client.ts'
import { realPostgres, relationalEngines, skippedWithout } from '../../support/engines/engines.ts'
import { cleanEnvironment, startProcess } from '../../support/processes/platform-process.ts'
import { startSystem } from '../../support/processes/start-system.ts'

const textOf = (path: string): Promise<string> => readFile(new URL(`../../../${path}`, import.meta.url), 'utf8')

/** The rights that the upgrade guide documents for the user of all processes without Redis: grants.sql and those of the queue's tables. */
async function documentedGrants(user: string, frontUser: string): Promise<string> {
  const [, queue] = /```sql\n(grant .*?)```/s.exec(await textOf('docs/operations/upgrading.md')) ?? []
  if (queue === undefined) throw new Error('the page has no grants')
  const grants = (await textOf('deploy/grants.sql')) + queue
  return grants.replaceAll(/\bcivigraph_front\b/g, frontUser).replaceAll(/\bcivigraph\b/g, user)
}

const job = {
  citizen_code: 'CIT-ROLE',
  document_type: 'PASSPORT',
  country_code: 'SN',
  selfie_b64: '?',
  cni_recto_b64: '?',
  declared_identity: { first_name: 'Awa', last_name: 'Diop' },
}

const engine = realPostgres() === undefined ? undefined : relationalEngines().find(({ name }) => name === 'real PostgreSQL')
if (engine === undefined) skippedWithout('DATABASE_URL', 'a user without rights to change the schema')
else
  describe('a user without rights to change the schema', () => {
    it('is refused with one message before "migrate apply", and runs every component after it', { timeout: 400_000 }, async () => {
      await using open = new AsyncDisposableStack()
      const fresh = open.use(await engine.open())
      const user = `test_${randomBytes(6).toString('hex')}`
      const password = randomBytes(12).toString('hex')
      const url = new URL(fresh.url)
      const owner = new pg.Client({ connectionString: fresh.url })
      owner.on('error', () => undefined)
      await owner.connect()
      open.defer(() => owner.end())
      const frontUser = `${user}_front`
      await owner.query(`create role ${user} login password '${password}'; create role ${frontUser}`)
      open.defer(async () => {
        await owner.query(`drop owned by ${user}, ${frontUser} cascade`)
        await owner.query(`drop role ${user}, ${frontUser}`)
      })
      const asUser = new URL(url)
      asUser.username = user
      asUser.password = password
      const key = (): string => randomBytes(32).toString('base64')
      const env = {
        DATABASE_URL: asUser.href,
        MIGRATE: 'off',
        VAULT_KEY: key(),
        PRINCIPAL_SIGNING_KEY: key(),
        PSEUDONYM_KEY: key(),
        EXPRESSION_KEY: key(),
        ADMIN_AUTH: 'token-or-key',
      }
      const run = async (words: readonly string[], databaseUrl: string) => {
        const ended = startProcess(words, { ...cleanEnvironment(), ...env, DATABASE_URL: databaseUrl, PORT_BASE: '0' })
        return { code: await ended.exited, output: ended.output() }
      }

      await expect(startSystem({ env })).rejects.toThrow(/lacks 0001-engines\.sql and \d+ more, and MIGRATE=off .*civigraph migrate apply/)
      expect(await run(['migrate', 'status'], asUser.href)).toMatchObject({ code: 1 })
      expect(await run(['migrate', 'plan'], asUser.href)).toMatchObject({
        code: 0,
        output: expect.stringContaining('PostgreSQL: would apply 0001-engines.sql, in a transaction'),
      })
      const refused = await run(['migrate', 'apply'], asUser.href)
      expect(refused).toMatchObject({ code: 1, output: expect.stringContaining('permission denied for schema public') })
      const wrong = new URL(asUser)
      wrong.password = 'wrong'
      expect((await run(['migrate', 'status'], wrong.href)).output).toMatch(
        /^The database cannot be used: password authentication failed for user/,
      )
      expect(await run(['migrate', 'apply'], fresh.url)).toMatchObject({ code: 0 })
      await owner.query(await documentedGrants(user, frontUser))
      expect(await run(['migrate', 'status'], asUser.href)).toMatchObject({ code: 0 })

      const system = open.use(await startSystem({ env }))
      const verification = new VerificationClient(system)
      const { status, body } = await verification.submit(job)
      expect(status).toBe(202)
      await verification.untilFinished([body.job_id])
      expect((await postExpression(system, { text: 'Le bus est toujours en retard', author_ref: 'role' })).status).toBe(201)
      const token = await tokenOf(system, 'super_admin')
      const content = new ContentClient(system.rest.content, { authorization: `Bearer ${token}` })
      expect((await content.create({ title: 'Le magazine', external_id: 'home' })).status).toBe(201)
      const delegations = await fetch(`${system.rest.administration}/delegations`, { headers: { authorization: `Bearer ${token}` } })
      expect(delegations.status).toBe(200)
      const counted = async (): Promise<unknown> =>
        (await (await fetch(`${system.rest.exploration}/api/v1/map?bbox=-180,-85,180,85&zoom=2`)).json()) as unknown
      await expect.poll(counted).toMatchObject({ type: 'FeatureCollection' })
      await expect.poll(async () => (await owner.query('select from roll_up_expression')).rowCount).toBeGreaterThan(0)
      expect(system.processes.map(({ output }) => output()).join('')).not.toContain('permission denied')
    })
  })
