/** As much of an OpenAPI document as this page looks into. */
export interface Interface {
  readonly components: { readonly securitySchemes?: Readonly<Record<string, { description?: string }>> }
  readonly paths: Readonly<Record<string, { readonly post?: { readonly requestBody?: { readonly content: Contents } } }>>
}

type Contents = Readonly<Record<string, { example?: unknown }>>

export interface Account {
  readonly email: string
  readonly password: string
}

/** What a developer would type in. */
interface DevelopmentCredentials {
  readonly key?: string
  readonly account?: Account
}

export async function describedInterface(): Promise<Interface> {
  return (await fetch('/openapi.json')).json()
}

/** Only in development there are any. */
export async function developmentCredentials(): Promise<DevelopmentCredentials> {
  const response = await fetch('/docs/development.json')
  return response.ok ? response.json() : {}
}
