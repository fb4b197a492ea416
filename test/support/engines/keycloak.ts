import { setTimeout as sleep } from 'node:timers/promises'
import { people } from './embedded-identity.ts'

/** within the limits of hooks */
const warmUpMs = 50_000

/**
 * Waits until a real issuer issues a token. One that has just been started answers to discovery at once and needs many seconds for its first
 * login, while it loads what that takes; the platform gives an issuer 5.
 */
export async function untilIssues(url: string): Promise<void> {
  const over = AbortSignal.timeout(warmUpMs)
  // not whom the faults are run with: Keycloak refuses a second login of a person beside one that it has not answered yet
  const { email, password } = people.groupAdmin
  const body = new URLSearchParams({
    grant_type: 'password',
    client_id: 'administration',
    username: email,
    password,
    scope: 'openid profile email',
  })
  let lastError = 'nothing'
  while (!over.aborted) {
    const answer = await fetch(`${url}/protocol/openid-connect/token`, { method: 'POST', body, signal: over }).catch(String)
    if (typeof answer !== 'string' && answer.status === 200) return
    lastError = typeof answer === 'string' ? answer : `${answer.status} ${await answer.text()}`
    await sleep(250)
  }
  throw new Error(`${url} issued no token in ${warmUpMs} ms; it said ${lastError}`)
}
