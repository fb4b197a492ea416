import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import pg from 'pg'
import { expect, it } from 'vitest'
import { embeddedEngine } from '../../support/engines/engines.ts'

const grants = readFileSync(new URL('../../../deploy/grants.sql', import.meta.url), 'utf8')

it('the users of the processes have the rights of grants.sql: gateway and REST read no content, job or expression', async () => {
  await using fresh = await embeddedEngine.copy()
  await using open = new AsyncDisposableStack()
  const connect = async (user?: string): Promise<pg.Client> => {
    const url = new URL(fresh.url)
    if (user !== undefined) Object.assign(url, { username: user, password: 'p' })
    const client = new pg.Client({ connectionString: url.href })
    await client.connect()
    open.defer(() => client.end())
    return client
  }
  const owner = await connect()
  const name = `civigraph_${randomBytes(4).toString('hex')}`
  const users = [name, `${name}_front`] as const
  for (const user of users) await owner.query(`create role ${user} login password 'p'`)
  open.defer(async () => {
    const last = new pg.Client({ connectionString: fresh.url })
    await last.connect()
    for (const user of users) await last.query(`drop owned by ${user}; drop role ${user}`)
    await last.end()
  })
  const named = grants.replaceAll(/\bcivigraph(?=_front\b|[,; ]|$)/gm, name)
  await owner.query(named)
  await owner.query(named)

  const [processes, front] = [await connect(users[0]), await connect(users[1])]
  await processes.query('select from expression')
  await expect(processes.query('create table other (n int)')).rejects.toThrow('permission denied')
  for (const statement of [
    'select from service_key',
    'select key_id from vault_record',
    'delete from identity_token where false',
    'delete from platform_process where false',
  ])
    await front.query(statement)
  for (const statement of [
    'select from expression',
    'select sealed from vault_record',
    'select from verification_job',
    'select from content_node',
    'delete from audit_record',
  ])
    await expect(front.query(statement), statement).rejects.toThrow('permission denied')
})
