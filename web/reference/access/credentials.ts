import type { OpenApi, Requirement, SecurityScheme } from '../interface/openapi.ts'

/** Secrets by scheme name. */
export type Secrets = Readonly<Record<string, string>>

/** A credential in a request. */
export interface Credential {
  readonly in: 'header' | 'query' | 'cookie'
  readonly name: string
  /** prefix of the secret */
  readonly prefix: string
  /** shell variable of the secret in the curl command */
  readonly variable: string
  /** undefined: not entered */
  readonly secret: string | undefined
}

/** Returns the credentials of the first alternative whose secrets are all entered, or of the first alternative. */
export function credentialsFor(document: OpenApi, security: readonly Requirement[], secrets: Secrets): readonly Credential[] {
  const schemes = document.components?.securitySchemes ?? {}
  const opening = security.find((each) => hasAll(each, secrets)) ?? security[0] ?? {}
  return Object.keys(opening).flatMap((name) => {
    const scheme = schemes[name]
    return scheme === undefined ? [] : [credentialOf(name, scheme, secrets[name])]
  })
}

/** Returns whether the entered secrets satisfy an operation's security requirement. */
export const isSatisfied = (security: readonly Requirement[], secrets: Secrets): boolean =>
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

/** Returns the scheme that accepts an account's token. */
export const tokenScheme = (document: OpenApi): string | undefined =>
  Object.entries(document.components?.securitySchemes ?? {}).find(
    ([, { type, scheme }]) => type === 'http' && scheme?.toLowerCase() === 'bearer',
  )?.[0]
