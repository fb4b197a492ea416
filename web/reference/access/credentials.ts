import type { OpenApi, Requirement, SecurityScheme } from '../interface/openapi.ts'

/** Secrets by the name of their scheme. */
export type Secrets = Readonly<Record<string, string>>

/** Where in a request a credential stands. */
export interface Credential {
  readonly in: 'header' | 'query' | 'cookie'
  readonly name: string
  /** before the secret */
  readonly prefix: string
  /** that stands for it in a command */
  readonly variable: string
  /** undefined: nobody has typed it */
  readonly secret: string | undefined
}

/** Those of the first alternative of which every secret is there; where there is none, of the first. */
export function credentialsFor(document: OpenApi, security: readonly Requirement[], secrets: Secrets): readonly Credential[] {
  const schemes = document.components?.securitySchemes ?? {}
  const opening = security.find((each) => hasAll(each, secrets)) ?? security[0] ?? {}
  return Object.keys(opening).flatMap((name) => {
    const scheme = schemes[name]
    return scheme === undefined ? [] : [credentialOf(name, scheme, secrets[name])]
  })
}

/** Whether what is there opens an operation. */
export const opens = (security: readonly Requirement[], secrets: Secrets): boolean =>
  security.length === 0 || security.some((each) => hasAll(each, secrets))

const hasAll = (requirement: Requirement, secrets: Secrets): boolean =>
  Object.keys(requirement).every((name) => secrets[name] !== undefined)

function credentialOf(name: string, scheme: SecurityScheme, secret: string | undefined): Credential {
  const variable = name
    .replace(/([a-z])([A-Z])/g, '$1_$2')
    .replace(/\W/g, '_')
    .toUpperCase()
  if (scheme.type === 'apiKey') return { in: scheme.in ?? 'header', name: scheme.name ?? name, prefix: '', variable, secret }
  const isBasic = scheme.scheme?.toLowerCase() === 'basic'
  return { in: 'header', name: 'Authorization', prefix: isBasic ? 'Basic ' : 'Bearer ', variable, secret }
}

/** The scheme that an account's token is for. */
export const tokenScheme = (document: OpenApi): string | undefined =>
  Object.entries(document.components?.securitySchemes ?? {}).find(
    ([, { type, scheme }]) => type === 'http' && scheme?.toLowerCase() === 'bearer',
  )?.[0]
