import type { IncomingMessage } from 'node:http'
import Provider, { errors } from 'oidc-provider'
import { Fault } from '../../foundation/fault.ts'
import type { Account } from './accounts.ts'
import { deviceLifetimeS, devicesCookie, type KnownDevices } from './known-devices.ts'

/** what the login page is told of an attempt before this one */
export type LoginProblem = 'credentials' | 'locked' | 'unavailable'

/** where the page is that asks for e-mail address and password, from the root of the listener that the issuer is mounted on */
const pagePath = '/sign-in'
/** two fields, as long as their limits, percent-encoded */
const maxBytes = 16 * 1024
const maxLengths = { email: 320, password: 1024 }

export interface LoginParts {
  readonly path: string
  /** @returns the account, or undefined for wrong credentials  @throws {Fault} */
  readonly checkPassword: (email: string, password: string, request: IncomingMessage, device?: string) => Promise<Account | undefined>
  readonly devices: KnownDevices
}

/**
 * `/login/{uid}`: what is between a request for authorization and its answer. GET leads to the page with the form, whose POST comes here. The cookie of the
 * request says that both come from the browser that asked; it is SameSite=Lax, so no form of another site signs anybody in.
 */
export function askWhoItIs(provider: Provider, { path, checkPassword, devices }: LoginParts): Parameters<Provider['use']>[0] {
  return async (ctx, next) => {
    const [, uid] = /^\/login\/([\w-]{1,64})$/.exec(ctx.path) ?? []
    if (uid === undefined) return next()
    ctx.set('Cache-Control', 'no-store')
    ctx.status = 303
    const ask = (problem?: LoginProblem): void =>
      ctx.redirect(`${pagePath}?${new URLSearchParams({ to: `${path}/login/${uid}`, ...(problem !== undefined && { problem }) })}`)
    try {
      const asked = await provider.interactionDetails(ctx.req, ctx.res)
      if (asked.uid !== uid) throw new errors.SessionNotFound('another sign-in was begun after this one')
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
      // a browser shows the page, which says it in the reader's language
      if (ctx.accepts('json', 'html') === 'html') return ctx.redirect(`${pagePath}?problem=over`)
      ctx.status = 400
      ctx.body = { error: 'invalid_request', error_description: 'This sign-in is over: begin it again on the page that you came from' }
    }
  }
}

/** @returns undefined for one that is too long */
async function formOf(request: IncomingMessage): Promise<URLSearchParams | undefined> {
  const parts: Buffer[] = []
  let bytes = 0
  for await (const part of request) {
    bytes += part.length
    if (bytes > maxBytes) return undefined
    parts.push(part)
  }
  return new URLSearchParams(Buffer.concat(parts).toString('utf8'))
}
