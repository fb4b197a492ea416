import { resolve } from 'node:path'
import { z } from 'zod'
import { authoritiesIn } from '../../engine-start/authorities.ts'
import { messageOf } from '../../fault.ts'
import { isTenant } from '../../validation/values.ts'

// The description of a rule states its syntax; the settings page prints it.

export const text = z.string().min(1).describe('text')
export const folder = z.string().min(1).describe('folder')

/** A file that is read when the process starts. */
export const file = z
  .string()
  .min(1)
  .transform((name) => resolve(name))
  .describe('file')

/** A map source: a template of tile URLs, a style or an archive. */
export const tilesUrl = z
  .string()
  .refine(
    (text) =>
      URL.canParse(text) &&
      /^https?:\/\/[^\s;,'"]+$/.test(text) &&
      (['{z}', '{x}', '{y}'].every((part) => text.includes(part)) || /\.(?:json|pmtiles)$/.test(new URL(text).pathname)),
    'must be a URL that contains {z}, {x} and {y}, or one that ends in .json or .pmtiles',
  )
  .describe('…/{z}/{x}/{y}.png, ….json or ….pmtiles')

/** A file of CA certificates (PEM), read again for each connection. */
export const authorities = z
  .string()
  .transform((file, context) => {
    try {
      return authoritiesIn(file)
    } catch (error) {
      context.addIssue({ code: 'custom', message: messageOf(error) })
      return z.NEVER
    }
  })
  .describe('file')

/** A whole number within bounds. @param unit - what it counts, if not obvious from the name */
export const integer = (min: number, max: number, unit = '') =>
  z
    .string()
    .regex(/^-?\d+$/, 'must be a whole number')
    .transform(Number)
    .pipe(z.number().min(min, `must be at least ${min}`).max(max, `must be at most ${max}`))
    .describe(`${min} to ${max}${unit && ` ${unit}`}`)

/** A decimal number from 0 to 1. */
export const fraction = z
  .string()
  .regex(/^(?:0|1|0\.\d+|1\.0+)$/, 'must be a number from 0 to 1, such as 0.5')
  .transform(Number)
  .describe('number, 0 to 1')

export const milliseconds = (min: number, max: number) => integer(min, max, 'ms')

/** Written in MiB, parsed to bytes. */
export const mebibytes = (min: number, max: number) =>
  integer(min, max)
    .transform((count) => count * 1024 * 1024)
    .describe(`${min} to ${max} MiB`)

export const kibibytes = (min: number, max: number) =>
  integer(min, max)
    .transform((count) => count * 1024)
    .describe(`${min} to ${max} KiB`)

/** A text of allowed characters. @param signs - the allowed characters, for the error message */
export const textOf = (pattern: RegExp, signs: string) => z.string().regex(pattern, `may hold ${signs}`).describe(signs)

/** A URL with one of the protocols, such as `https:`. */
export const url = (...protocols: readonly string[]) =>
  z
    .string()
    .refine((text) => URL.canParse(text) && protocols.includes(new URL(text).protocol), `must be a URL (${protocols.join(' or ')}//…)`)
    .describe(protocols.map((protocol) => `${protocol}//…`).join(' or '))
export const webUrl = url('http:', 'https:')

/** Several URLs, comma separated, as they were written. */
export const webUrls = z
  .string()
  .transform((text) => itemsOf(text).join())
  .refine((text) => text.split(',').every((each) => webUrl.safeParse(each).success), 'must be comma-separated URLs (http:// or https://…)')
  .describe('https://host,…')

/** The servers of one PostgreSQL cluster, one URL each. */
export const databaseUrls = z
  .string()
  .transform((text, context) => {
    const urls = databaseUrlsOf(text)
    if (urls !== undefined) return urls
    context.addIssue({ code: 'custom', message: 'must be a URL (postgres://host,host/database)' })
    return z.NEVER
  })
  .describe('postgres://host,host/database')

/** Numbers of processes by role. */
export const processCounts = z
  .string()
  .transform((text, context) => {
    const pairs = itemsOf(text).map((item) => /^([a-z]+(?::[a-z]+)?)=(\d{1,4})$/.exec(item))
    if (pairs.every((pair) => pair !== null)) return new Map(pairs.map(([, role = '', count]) => [role, Number(count)]))
    context.addIssue({ code: 'custom', message: 'must be role=number,… (gateway=2,worker:verification=2)' })
    return z.NEVER
  })
  .describe('role=number,…')

/** Cassandra data centres with the number of replicas in each. */
export const replication = z
  .string()
  .transform((text, context) => {
    const pairs = itemsOf(text).map((item) => /^([\w-]{1,100}):([1-9])$/.exec(item))
    if (pairs.length > 0 && pairs.every((pair) => pair !== null)) return pairs.map(([, name = '', count]) => [name, Number(count)] as const)
    context.addIssue({ code: 'custom', message: 'must be name:number,… with numbers from 1 to 9' })
    return z.NEVER
  })
  .describe('name:number,…')

export const oneOf = <const Choice extends string>(...choices: readonly Choice[]) =>
  z.enum(choices, `must be one of ${choices.join(', ')}`).describe(choices.join(', '))

export const onOrOff = oneOf('on', 'off')
  .transform((choice) => choice === 'on')
  .describe('on, off')

/** Splits a comma-separated list; trims spaces and drops empty items. */
export const itemsOf = (text: string): string[] =>
  text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '')

export const list = z.string().transform(itemsOf).describe('list')

/**
 * A list whose items are parsed. @param read - returns undefined for an invalid item
 * @param refusal - the error message
 */
export const listOf = <Item>(read: (item: string) => Item | undefined, refusal: string) =>
  list.transform((items, context) =>
    items.flatMap((item) => {
      const value = read(item)
      if (value !== undefined) return [value]
      context.addIssue({ code: 'custom', message: refusal })
      return []
    }),
  )

/** Several PostgreSQL servers, one URL each. */
export const databaseReplicas = listOf((item) => {
  const [url, ...others] = databaseUrlsOf(item) ?? []
  return others.length === 0 ? url : undefined
}, 'must be comma-separated URLs (postgres://host/database)').describe('postgres://host/database,…')

/** Addresses of processes, each `host:port`; IPv6 addresses in brackets. */
export const hostsAndPorts = listOf((item) => {
  const [, host, name = host, port] = /^(?:\[([0-9a-fA-F:.]+)\]|([\w.-]+)):(\d{1,5})$/.exec(item) ?? []
  return name === undefined || Number(port) < 1 || Number(port) > 65_535 ? undefined : { host: name, port: Number(port) }
}, 'must be host:port,…')
  .refine((nodes) => nodes.length > 0, 'must be host:port,…')
  .describe('host:port,…')

function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}
export const timeZone = z
  .string()
  .refine(isTimeZone, 'must be an IANA time zone name, such as Africa/Dakar')
  .describe('IANA time zone name')

/** ISO 3166 alpha-2. */
export const countries = list.transform((codes) => codes.map((code) => code.toUpperCase())).describe('country codes')

/** Names of content tenants. */
export const tenants = listOf(
  (item) => (isTenant(item) ? item : undefined),
  'must be names of 1 to 63 characters of a-z, 0-9 and -',
).describe('tenant,…')

/** Numbers by name; the reader of the setting checks the names. */
export const numbersByName = listOf((item) => {
  const [, name, value] = /^([A-Za-z]+)=(\d+(?:\.\d+)?)$/.exec(item) ?? []
  return name === undefined ? undefined : ([name, Number(value)] as const)
}, 'must be name=number,…, such as faceSame=0.45,faceWidth=80')
  .transform((entries): Record<string, number> => Object.fromEntries(entries))
  .describe('name=number,…')

/** URLs by subgraph name. */
export const subgraphUrls = listOf((item) => {
  const [, name, address] = /^([\w-]+)=(https?:\/\/.+)$/.exec(item) ?? []
  return name === undefined || address === undefined || !URL.canParse(address) ? undefined : ([name, address] as const)
}, 'must be name=http://…,name=http://…')
  .transform((entries): Record<string, string> => Object.fromEntries(entries))
  .describe('name=http://…,…')

/** Hop-by-hop headers and body headers that the gateway sets itself cannot be forwarded (RFC 9110, section 7.6.1). */
const ownHeaders =
  /^(connection|host|upgrade|te|trailer|transfer-encoding|keep-alive|proxy-.*|content-.*|accept|accept-encoding|expect|x-request-id)$/

/** Header names in lower case. */
export const headerNames = list
  .transform((names) => names.map((name) => name.toLowerCase()))
  .refine(
    (names) => names.every((name) => /^[!#$%&'*+.^_`|~0-9a-z-]+$/.test(name) && !ownHeaders.test(name)),
    'must be names of headers that may be forwarded',
  )
  .describe('names')

/** values of libpq's target_session_attrs that mean the primary, the only kind supported here */
const wantsPrimary = ['read-write', 'primary']

/**
 * Splits a PostgreSQL URL that may name several servers, `postgres://user:password@one:5432,two:5432/database`. @returns one URL per server;
 * undefined if the URL is invalid
 * @see PostgreSQL manual, "Database Connection Control Functions", Specifying Multiple Hosts
 */
function databaseUrlsOf(text: string): readonly string[] | undefined {
  const [, scheme, who = '', hosts = '', rest = ''] = /^(postgres(?:ql)?:\/\/)([^/?#]*@)?([^/?#@]*)([/?#].*)?$/.exec(text) ?? []
  const urls = hosts.split(',').map((host) => `${scheme}${who}${host.trim()}${rest}`)
  if (scheme === undefined || !urls.every((url) => URL.canParse(url))) return undefined
  const wanted = urls.map((url) => new URL(url).searchParams.get('target_session_attrs'))
  return wanted.every((attribute) => attribute === null || wantsPrimary.includes(attribute)) ? urls : undefined
}
