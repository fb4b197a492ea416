import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { createClient } from 'graphql-ws'
import { beforeAll, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { tokenOf } from '../../support/clients/content-client.ts'
import { VerificationClient } from '../../support/clients/verification-client.ts'
import { layouts, type Platform } from '../../support/processes/platform.ts'
import { sharedPlatform } from '../../support/processes/shared-platform.ts'
import { jobOf } from '../../support/samples/people.ts'

interface Finished {
  readonly verificationFinished: {
    readonly position: number
    readonly job: {
      readonly id: string
      readonly citizen: { readonly code: string; readonly delegationsGiven?: { readonly totalCount: number } }
    } | null
  }
}

describe.each(layouts)('finished verifications over graphql-ws, in layout %s', (layout) => {
  let system: Platform
  beforeAll(async () => {
    system = await sharedPlatform(layout)
  })

  /** Collects events until `stop`. @param credentials - the connectionParams */
  const follow = (credentials: Record<string, string>, query: string) => {
    const client = createClient({
      url: system.graphqlUrl.replace('http', 'ws'),
      webSocketImpl: WebSocket,
      connectionParams: credentials,
      retryAttempts: 0,
    })
    const events: (Finished['verificationFinished'] | undefined)[] = []
    const errors: unknown[] = []
    const stream = client.iterate<Finished>({ query })
    void (async () => {
      for await (const { data, errors: failed } of stream) {
        events.push(data?.verificationFinished)
        errors.push(...(failed ?? []))
      }
    })().catch((error: unknown) => errors.push(error))
    return {
      events,
      errors,
      async until(count: number) {
        for (const end = Date.now() + 60_000; events.length + errors.length < count && Date.now() < end; ) await sleep(50)
      },
      async stop() {
        await stream.return?.()
        await client.dispose()
      },
    }
  }
  const broken = async (code: string) => ({ ...(await jobOf(5)), citizen_code: code, selfie_b64: '?' })

  it('reach the service that submitted them, and are repeated from the last received position', async () => {
    const key = { 'X-Service-API-Key': system.apiKey }
    const first = follow(key, 'subscription { verificationFinished(afterPosition: 0) { position job { id citizen { code } } } }')
    const client = new VerificationClient(system)
    const { body } = await client.submitBatch([await broken('S-1'), await broken('S-2')])
    await first.until(2)
    await first.stop()
    expect(first.errors).toEqual([])
    expect(new Set(first.events.map((event) => event?.job?.id))).toEqual(new Set(body.job_ids))
    const firstPosition = first.events[0]?.position ?? 0

    const second = follow(
      key,
      `subscription { verificationFinished(afterPosition: ${firstPosition}) { position job { id citizen { code } } } }`,
    )
    await second.until(1)
    await second.stop()
    expect(second.events[0]).toEqual(first.events[1])
  })

  it('include the citizen’s fields of administration, for permitted callers', async () => {
    const query = 'subscription { verificationFinished { position job { id citizen { code delegationsGiven(first: 1) { totalCount } } } } }'
    const allowed = follow({ authorization: `Bearer ${await tokenOf(system)}` }, query)
    const service = follow({ 'X-Service-API-Key': system.apiKey }, query)
    const code = `CIT-${randomUUID()}`
    const [client, job] = [new VerificationClient(system), await broken(code)]
    const submitted: string[] = []
    // a super_admin receives those of all services
    const mine = () => allowed.events.filter((event) => event?.job?.citizen.code === code)
    // a subscription has no response that shows its start
    await expect
      .poll(
        async () => {
          submitted.push((await client.submit(job)).body.job_id)
          return mine().length + allowed.errors.length > 0 && service.events.length + service.errors.length > 0
        },
        { interval: 500 },
      )
      .toBe(true)
    await Promise.all([allowed.stop(), service.stop()])
    expect(allowed.errors).toEqual([])
    expect(mine()[0]?.job).toMatchObject({
      id: expect.toBeOneOf(submitted),
      citizen: { code, delegationsGiven: { totalCount: expect.any(Number) } },
    })
    expect(service.errors[0]).toMatchObject({ extensions: { code: 'FORBIDDEN' } })
  })

  it('are refused to anonymous clients', async () => {
    const anonymousStream = follow({}, 'subscription { verificationFinished { position } }')
    await anonymousStream.until(1)
    await anonymousStream.stop()
    expect(JSON.stringify(anonymousStream.errors)).toContain('UNAUTHENTICATED')
  })
})
