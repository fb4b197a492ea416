import type { Access } from '../platform.ts'
import type { Answer, Discrepancies, Kind, TrackedRequest } from './kind.ts'
import { memberOf, send, textOf } from './send.ts'

/** Nodes, each with an external_id, under the root of a tenant of this cell. */
export class ContentEdits implements Kind {
  readonly name = 'content edit'
  readonly everyMs = 2100
  readonly atOnce = 6
  readonly #access: Access
  readonly #tenant: string
  #root = ''

  constructor(access: Access, cell: string) {
    this.#access = access
    this.#tenant = cell
  }

  get #headers(): Readonly<Record<string, string>> {
    return { 'X-Service-API-Key': this.#access.apiKey, 'X-Tenant-Id': this.#tenant }
  }

  async prepare(): Promise<void> {
    const { status, id = '' } = await this.#create({ external_id: 'root', title: 'Magazine' })
    if (id === '') throw new Error(`no root of content: ${status}`)
    this.#root = id
  }

  attempt(key: string): Promise<Answer> {
    return this.#create({ external_id: key, parent_id: this.#root, title: `Text ${key}`, body: 'Where the water comes from.' })
  }

  async find(acknowledged: readonly TrackedRequest[]): Promise<Discrepancies> {
    const { headers, body } = await send(`${this.#access.rest.content}/nodes/${this.#root}/full`, { headers: this.#headers })
    const children = memberOf(body, 'children')
    const ids = Array.isArray(children) ? children.map((child) => textOf(child, 'external_id') ?? '') : []
    const fresh = headers.get('x-content-source') === 'store'
    return {
      lost: acknowledged.filter(({ key }) => !fresh || !ids.includes(key)).map(({ key }) => `node ${key}`),
      doubled: [...new Set(ids)].filter((id) => ids.indexOf(id) !== ids.lastIndexOf(id)).map((id) => `node ${id}`),
    }
  }

  [Symbol.asyncDispose] = async (): Promise<void> => undefined

  async #create(node: object): Promise<Answer> {
    const answer = await send(`${this.#access.rest.content}/api/v1/admin/nodes`, { headers: this.#headers, json: node })
    return { ...answer, id: textOf(memberOf(answer.body, 'node'), 'id') ?? textOf(answer.body, 'id') ?? '' }
  }
}
