import type { Credential } from '../access/credentials.ts'
import { encoded } from '../interface/references.ts'
import type { MadeBody, MadeRequest } from './request.ts'

/** Returns a request as a POSIX shell command. It contains no secret: secrets come from variables named after their schemes. */
export function curlOf({ method, url, headers, credentials, body }: MadeRequest): string {
  const query = credentials.filter((each) => each.in === 'query').map((each) => `${encoded(each.name)}=$${each.variable}`)
  const separator = url.search === '' ? '?' : '&'
  const address = quoted(url.href) + (query.length === 0 ? '' : `"${separator}${query.join('&')}"`)
  return [
    `curl -X ${method} ${address}`,
    ...headers.map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    ...credentials.flatMap(headerOf),
    ...bodyOf(body),
  ].join(' \\\n  ')
}

const headerOf = ({ in: place, name, prefix, variable }: Credential): readonly string[] => {
  if (place === 'query') return []
  return [place === 'cookie' ? `-b "${literal(name)}=$${variable}"` : `-H "${literal(name)}: ${prefix}$${variable}"`]
}

function bodyOf(body: MadeBody | undefined): readonly string[] {
  if (body === undefined) return []
  if (body.kind === 'text') return [`--data-raw ${quoted(body.text)}`]
  if (body.kind === 'file') return [`--data-binary ${quoted(`@${body.file.name}`)}`]
  return body.fields.map(([name, value]) => {
    const isText = typeof value === 'string'
    const option = body.isEncoded ? '--data-urlencode' : isText ? '--form-string' : '-F'
    return `${option} ${quoted(`${name}=${isText ? value : `@${value.name}`}`)}`
  })
}

/** Quotes a text as one shell word. */
const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

/** Quotes a text inside double quotes, where the shell expands variables. */
const literal = (text: string): string => text.replace(/["$`\\]/g, '\\$&')
