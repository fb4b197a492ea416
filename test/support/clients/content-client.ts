import { randomUUID } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Platform } from '../processes/platform.ts'
import { startProcess } from '../processes/platform-process.ts'

export interface ContentNode {
  readonly id: string
  readonly external_id: string | null
  readonly parent_id: string | null
  readonly title: string
  readonly position: number
  readonly depth: number
  readonly children_count: number
  readonly children?: readonly ContentNode[]
  readonly [member: string]: unknown
}

export interface ContentAnswer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** undefined when the body is not JSON */
  // biome-ignore lint/suspicious/noExplicitAny: each test states the shape of the response that it expects
  readonly body: any
}

/** The documented client of component E. */
export class ContentClient {
  readonly base: string
  readonly #headers: Readonly<Record<string, string>>

  constructor(base: string, headers: Readonly<Record<string, string>> = {}) {
    this.base = base
    this.#headers = headers
  }

  with(headers: Readonly<Record<string, string>>): ContentClient {
    return new ContentClient(this.base, { ...this.#headers, ...headers })
  }

  async request(method: string, path: string, body?: unknown, headers: Readonly<Record<string, string>> = {}): Promise<ContentAnswer> {
    const response = await fetch(this.base + path, {
      method,
      headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...this.#headers, ...headers },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      signal: AbortSignal.timeout(60_000),
    })
    const text = await response.text()
    return { status: response.status, headers: response.headers, text, body: parsed(text) }
  }

  get = (path: string, headers?: Readonly<Record<string, string>>) => this.request('GET', path, undefined, headers)
  create = (node: object) => this.request('POST', '/api/v1/admin/nodes', node)
  import = (body: unknown, query = '', headers: Readonly<Record<string, string>> = {}) =>
    this.request('POST', `/api/v1/admin/import${query}`, body, headers)
  lines = (rows: readonly object[], query = '') =>
    this.import(rows.map((row) => JSON.stringify(row)).join('\n'), query, { 'content-type': 'application/x-ndjson' })
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

type Administrator = 'super_admin' | 'group_admin'

/** Credentials of an account. */
export interface Account {
  readonly email: string
  readonly password: string
}

/** Credentials of a development administrator. */
export async function accountOf({ dataDir }: Pick<Platform, 'dataDir'>, administrator: Administrator): Promise<Account> {
  const credentials = JSON.parse(await readFile(join(dataDir, 'credentials.json'), 'utf8')) as Record<Administrator, Account>
  return credentials[administrator]
}

/** An access token of a development administrator. */
export async function tokenOf(system: Pick<Platform, 'rest' | 'dataDir'>, administrator: Administrator = 'super_admin'): Promise<string> {
  return logIn(system, await accountOf(system, administrator))
}

/** An access token of a new administrator of this group. */
export const groupAdminToken = (system: Pick<Platform, 'rest' | 'env'>, group: string): Promise<string> =>
  newAccount(system, 'group_admin', '--group', group).then((account) => logIn(system, account))

/** An access token of a new reviewer. */
export const reviewerToken = (system: Pick<Platform, 'rest' | 'env'>): Promise<string> =>
  newAccount(system, 'reviewer').then((account) => logIn(system, account))

/** Creates an account for a test. @param options - of the command that creates accounts */
export async function newAccount(system: Pick<Platform, 'env'>, role: string, ...options: readonly string[]): Promise<Account> {
  const email = `${role}.${randomUUID()}@example.org`
  const command = startProcess(['admin', 'create', email, '--role', role, ...options], system.env)
  await command.exited
  const [, password] = /password: (\S+)/.exec(command.output()) ?? []
  if (password === undefined) throw new Error(`no ${role} was made: ${command.output()}`)
  return { email, password }
}

const logIn = async (system: Pick<Platform, 'rest'>, account: Account): Promise<string> => (await sessionOf(system, account)).accessToken

/** Repeats a login while the platform returns 503: logins are slow by design. */
export async function sessionOf(
  system: Pick<Platform, 'rest'>,
  account: Account,
): Promise<{ readonly accessToken: string; readonly refreshToken: string }> {
  for (const over = AbortSignal.timeout(60_000); ; await sleep(500)) {
    const response = await fetch(`${system.rest.administration}/auth/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(account),
      signal: over,
    })
    const { access_token: accessToken, refresh_token: refreshToken = '' } = (await response.json()) as Partial<Record<string, string>>
    if (accessToken !== undefined) return { accessToken, refreshToken }
    if (response.status !== 503) throw new Error(`no token: ${response.status}`)
  }
}

/** Whether a snapshot of the tree with this node is readable. */
export async function snapshotHas({ dataDir }: Pick<Platform, 'dataDir'>, id: string): Promise<boolean> {
  const folder = join(dataDir, 'content-snapshot')
  const indexes = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith('.index.json'))
  const contents = await Promise.all(indexes.map((name) => readFile(join(folder, name), 'utf8')))
  return contents.some((content) => content.includes(`["${id}",`))
}

/** A tree in which each node has ten children. */
export const treeRows = (count: number, title: string) =>
  Array.from({ length: count }, (_, n) => ({
    id: `n${n}`,
    title: `${title} ${n}`,
    position: n,
    ...(n === 0 ? {} : { parent_id: `n${Math.floor((n - 1) / 10)}` }),
  }))
