import { type BuiltPage, builtPage } from '../serving/built-page.ts'
import type { ConsoleFacts } from './sign-in/facts.ts'

export interface ConsoleSettings {
  /** OIDC_ISSUER_URL; undefined: the embedded issuer */
  readonly issuerUrl: string | undefined
  readonly embeddedIssuerUrl: string
  readonly client: { readonly id: string; readonly secret: string | undefined }
}

/** `GET /`: the console for administrators and reviewers. @param idleMinutes - CONSOLE_IDLE_MINUTES */
export function consolePage({ issuerUrl, embeddedIssuerUrl, client }: ConsoleSettings, idleMinutes: number): BuiltPage {
  const issuer = issuerUrl ?? embeddedIssuerUrl
  const redirectUri = issuerUrl === undefined ? `${new URL(embeddedIssuerUrl).origin}/` : null
  const facts: ConsoleFacts = {
    idleMinutes,
    signIn: client.secret === undefined ? { issuer, clientId: client.id, redirectUri } : null,
  }
  return builtPage('console', {
    summary: 'The console: health, reviews, verifications, citizens, expressions, delegations and the audit trail',
    facts,
    // only below the issuer's address: its discovery document and token endpoint
    sources: facts.signIn === null ? {} : { 'connect-src': `${issuer.replace(/\/$/, '')}/` },
  })
}
