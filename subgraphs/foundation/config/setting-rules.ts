import { z } from 'zod'

/** A whole number within bounds. */
export const integer = (least: number, most: number) =>
  z
    .string()
    .regex(/^-?\d+$/, 'must be a whole number')
    .transform(Number)
    .pipe(z.number().min(least, `must be at least ${least}`).max(most, `must be at most ${most}`))
/** A URL with one of the protocols, such as `https:`. */
export const url = (...protocols: readonly string[]) =>
  z
    .string()
    .refine((text) => URL.canParse(text) && protocols.includes(new URL(text).protocol), `must be a URL (${protocols.join(' or ')}//…)`)
export const oneOf = <const Choice extends string>(...choices: readonly Choice[]) => z.enum(choices, `must be one of ${choices.join(', ')}`)
/** Items between commas; spaces around them and empty ones do not count. */
const itemsOf = (text: string): string[] =>
  text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '')
export const list = z.string().transform(itemsOf)
export const key32 = z
  .string()
  .refine((text) => Buffer.from(text, 'base64').length === 32, 'must be 32 bytes in base64 (openssl rand -base64 32)')
export const vaultKeyList = z.string().transform((text, context) =>
  itemsOf(text).map((entry) => {
    const key = Buffer.from(entry, 'base64')
    if (key.length !== 32) context.addIssue({ code: 'custom', message: 'must be keys of 32 bytes in base64, comma separated' })
    return key
  }),
)
export const apiKeys = z.string().transform((text, context) =>
  itemsOf(text).map((entry) => {
    const [, name, sha256, scopes] = /^([\w.-]{1,64}):([0-9a-f]{64})(?::([a-z:+]+))?$/.exec(entry) ?? []
    if (name === undefined || sha256 === undefined) context.addIssue({ code: 'custom', message: 'must be name:sha256hex[:scope+scope],…' })
    return { name: name ?? '', sha256: sha256 ?? '', scopes: scopes?.split('+') ?? ['submit', 'results'] }
  }),
)
/** The parts of a secret are joined by `+`, which base64 holds too; `whsec_` it cannot hold. */
export const callbackSecrets = z.string().transform((text, context) =>
  itemsOf(text).map((entry) => {
    const [, name = '', secrets = ''] = /^([\w.-]{1,64}):(whsec_\S+)$/.exec(entry) ?? []
    const keys = secrets.split(/\+(?=whsec_)/).map((part) => Buffer.from(part.replace(/^whsec_/, ''), 'base64'))
    if (name === '' || keys.length > 2 || keys.some(({ length }) => length < 24 || length > 64))
      context.addIssue({ code: 'custom', message: 'must be name:whsec_base64[+whsec_base64],… with secrets of 24 to 64 bytes' })
    return { name, secrets: keys }
  }),
)
/** Which names there are is for those to say who know them. */
export const numbersByName = z.string().transform((text, context) => {
  const entries = itemsOf(text).map((entry) => {
    const [, name = '', value = ''] = /^([A-Za-z]+)=(\d+(?:\.\d+)?)$/.exec(entry) ?? []
    if (name === '') context.addIssue({ code: 'custom', message: 'must be name=number,…, such as faceSame=0.45,faceWidth=80' })
    return [name, Number(value)] as const
  })
  return Object.fromEntries(entries)
})
/** Addresses by the name of the subgraph. */
export const subgraphUrls = z.string().transform((text, context) => {
  const urls: Record<string, string> = {}
  for (const entry of itemsOf(text)) {
    const [, name, address] = /^([\w-]+)=(https?:\/\/.+)$/.exec(entry) ?? []
    if (name === undefined || address === undefined || !URL.canParse(address))
      context.addIssue({ code: 'custom', message: 'must be name=http://…,name=http://…' })
    else urls[name] = address
  }
  return urls
})

/** Headers of one connection, or of the body that the gateway writes itself, cannot be handed on (RFC 9110, section 7.6.1). */
const ownHeaders =
  /^(connection|host|upgrade|te|trailer|transfer-encoding|keep-alive|proxy-.*|content-.*|accept|accept-encoding|expect|x-request-id)$/
export const headerNames = list.transform((names, context) => {
  const lower = names.map((name) => name.toLowerCase())
  if (lower.some((name) => !/^[!#$%&'*+.^_`|~0-9a-z-]+$/.test(name) || ownHeaders.test(name)))
    context.addIssue({ code: 'custom', message: 'must be names of headers that may be handed on' })
  return lower
})
function isTimezone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}
export const timeZone = z.string().refine(isTimezone, 'must be the IANA name of a time zone, such as Africa/Dakar')
