import type { StoredSession } from './stored-session.ts'

const maxMs = 15_000

/** The platform's message about a refusal. */
export class LoginRefused extends Error {}

/**
 * Returns an account's session.
 * @throws {LoginRefused} when the platform refuses the account; any other error: it did not respond
 */
export async function login(email: string, password: string): Promise<StoredSession> {
  const response = await fetch('/docs/login', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ email, password }),
    signal: AbortSignal.timeout(maxMs),
  })
  const answer = await response.json()
  if (!response.ok) throw new LoginRefused(typeof answer.detail === 'string' ? answer.detail : '')
  return { email, accessToken: answer.access_token, endsAt: Date.now() + answer.expires_in * 1000 }
}
