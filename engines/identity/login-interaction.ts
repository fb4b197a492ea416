import type { IncomingMessage } from 'node:http'
import type Provider from 'oidc-provider'
import { errors } from 'oidc-provider'
import { Fault } from '../../foundation/fault.ts'
import type { Account } from './accounts.ts'
import { deviceLifetimeS, devicesCookie, type KnownDevices } from './known-devices.ts'

/** the problem of the previous attempt, for the login page */
export type LoginProblem = 'credentials' | 'locked' | 'unavailable'

/** path of the login page on the listener that the issuer is mounted on */
const pagePath = '/sign-in'
/** limit of the form: two fields of maximum length, percent-encoded */
const maxBytes = 16 * 1024
export const maxLengths = { email: 320, password: 1024 }

export interface LoginDependencies {
  readonly path: string
  /**
   * @returns the account, or undefined for wrong credentials
   * @throws {Fault}
   */
  readonly checkPassword: (email: string, password: string, request: IncomingMessage, device?: string) => Promise<Account | undefined>
  readonly devices: KnownDevices
}

/**
 * Handles `/login/{uid}`, between an authorization request and its response. GET redirects to the page with the form, which POSTs here. The cookie of
 * the request proves that both come from the same browser; it is SameSite=Lax, so a form on another site cannot sign a user in.
 */
export function loginInteraction(provider: Provider, { path, checkPassword, devices }: LoginDependencies): Parameters<Provider['use']>[0] {
  return async (ctx, next) => {
    const [, uid] = /^\/login\/([\w-]{1,64})$/.exec(ctx.path) ?? []
    if (uid === undefined) return next()
    ctx.set('Cache-Control', 'no-store')
    ctx.status = 303
    const ask = (problem?: LoginProblem): void =>
      ctx.redirect(`${pagePath}?${new URLSearchParams({ to: `${path}/login/${uid}`, ...(problem !== undefined && { problem }) })}`)
    try {
      const interaction = await provider.interactionDetails(ctx.req, ctx.res)
      if (interaction.uid !== uid) throw new errors.SessionNotFound('a later sign-in replaced this one')
      if (ctx.method !== 'POST') return ask()
      const form = await formOf(ctx.req)
      const [email, password] = [form?.get('email') ?? '', form?.get('password') ?? '']
      const isPlausible = email.length <= maxLengths.email && password.length <= maxLengths.password
      const cookie = ctx.cookies.get(devicesCookie, { signed: false })
      const device = devices.find(cookie, email)
      const account = isPlausible ? await checkPassword(email, password, ctx.req, device) : undefined
      if (account === undefined) return ask('credentials')
      const attributes = { path: `${path}/login`, httpOnly: true, sameSite: 'strict', secure: ctx.secure, signed: false } as const
      ctx.cookies.set(devicesCookie, devices.remember(cookie, email), { ...attributes, maxAge: deviceLifetimeS * 1000 })
      ctx.redirect(await provider.interactionResult(ctx.req, ctx.res, { login: { accountId: account.id, remember: false } }))
    } catch (error) {
      if (error instanceof Fault) return ask(error.code === 'RATE_LIMITED' ? 'locked' : 'unavailable')
      if (!(error instanceof errors.SessionNotFound)) throw error
      if (isBrowser(ctx)) return askAgain(ctx)
      ctx.status = 400
      ctx.body = { error: 'invalid_request', error_description: 'This sign-in has expired: start again on the page that you came from' }
    }
  }
}

/** Whether a client prefers HTML; others get JSON. */
export const isBrowser = (ctx: { accepts(...types: string[]): string | false }): boolean => ctx.accepts('json', 'html') === 'html'

/** Shows a browser the page that explains, in the user's language, that its sign-in has ended. */
export function askAgain(ctx: { status: number; redirect(to: string): void }): void {
  ctx.status = 303
  ctx.redirect(`${pagePath}?problem=over`)
}

/** Reads a form. @returns undefined if it is longer than two fields of maximum length */
export async function formOf(request: IncomingMessage): Promise<URLSearchParams | undefined> {
  const parts: Buffer[] = []
  let bytes = 0
  for await (const part of request) {
    bytes += part.length
    if (bytes > maxBytes) return undefined
    parts.push(part)
  }
  return new URLSearchParams(Buffer.concat(parts).toString('utf8'))
}
