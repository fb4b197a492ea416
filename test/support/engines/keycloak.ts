import { setTimeout as sleep } from 'node:timers/promises'
import { people } from './embedded-identity.ts'

/** Within the time limit of hooks. */
const warmUpMs = 50_000

/**
 * Waits until a real issuer issues a token. A newly started one answers discovery at once but needs many seconds for its first
 * login; the platform waits 5.
 */
export async function untilIssues(url: string): Promise<void> {
  const over = AbortSignal.timeout(warmUpMs)
  // not the account of the tests: Keycloak refuses a second login of a person during the first one
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
  throw new Error(`${url} issued no token in ${warmUpMs} ms; its last response: ${lastError}`)
}
