import type { Access } from '../platform.ts'
import type { Answer, Discrepancies, Kind } from './kind.ts'
import { send, textOf } from './send.ts'

/** A token is renewed before it expires after five minutes. */
const sessionMs = 120_000

export interface Credentials {
  readonly email: string
  readonly password: string
}

/** Logins of an administrator. They leave nothing to read back: the platform must accept the token. */
export class Logins implements Kind {
  readonly name = 'login'
  readonly everyMs = 5000
  /** Keycloak treats two concurrent logins of one person as guessing, and refuses both. */
  readonly atOnce = 1
  readonly #access: Access
  readonly #credentials: Credentials
  #token: { readonly text: string; readonly at: number } | undefined

  constructor(access: Access, credentials: Credentials) {
    this.#access = access
    this.#credentials = credentials
  }

  prepare = async (): Promise<void> => void (await this.token())

  async attempt(key: string): Promise<Answer> {
    const answer = await send(`${this.#access.rest.administration}/auth/login`, { json: this.#credentials })
    const text = textOf(answer.body, 'access_token')
    if (text === undefined) return answer
    this.#token = { text, at: Date.now() }
    return { status: answer.status, id: key }
  }

  /** @throws {Error} when login fails */
  async token(): Promise<string> {
    if (this.#token === undefined || Date.now() - this.#token.at > sessionMs) {
      const { status } = await this.attempt('')
      if (status !== 200) throw new Error(`the administrator cannot log in: ${status}`)
    }
    return this.#token?.text ?? ''
  }

  async find(): Promise<Discrepancies> {
    const { status } = await send(`${this.#access.rest.administration}/auth/me`, {
      headers: { authorization: `Bearer ${await this.token()}` },
    })
    return { lost: status === 200 ? [] : [`the administrator’s token (${status})`], doubled: [] }
  }

  [Symbol.asyncDispose] = async (): Promise<void> => undefined
}
