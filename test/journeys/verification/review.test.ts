import { randomBytes, randomUUID } from 'node:crypto'
import { createClient } from 'graphql-ws'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { openReceiver, type Receiver } from '../../support/clients/callback-receiver.ts'
import { groupAdminToken, reviewerToken } from '../../support/clients/content-client.ts'
import { VerificationClient } from '../../support/clients/verification-client.ts'
import { layouts } from '../../support/processes/platform.ts'
import { sharedPlatform } from '../../support/processes/shared-platform.ts'
import { jobOf } from '../../support/samples/people.ts'

interface Result {
  // biome-ignore lint/suspicious/noExplicitAny: each test states the shape of the response that it expects
  readonly data?: any
  readonly errors?: readonly { readonly extensions: { readonly code: string } }[]
}

describe.each(layouts)('a job that is left to review, in layout %s', (layout) => {
  let system: Awaited<ReturnType<typeof sharedPlatform>>
  let client: VerificationClient
  let receiver: Receiver
  let awa: string
  let bineta: string
  beforeAll(async () => {
    receiver = await openReceiver()
    system = await sharedPlatform(layout)
    client = new VerificationClient(system)
    ;[awa, bineta] = await Promise.all([reviewerToken(system), reviewerToken(system)])
  })
  afterAll(() => receiver?.[Symbol.asyncDispose]())

  const send = async (query: string, variables: object, token: string): Promise<Result> => {
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` }
    const response = await fetch(system.graphqlUrl, { method: 'POST', headers, body: JSON.stringify({ query, variables }) })
    return (await response.json()) as Result
  }
  const codeOf = ({ errors }: Result): string | undefined => errors?.[0]?.extensions.code
  const claim = (jobId: string, token: string) =>
    send(
      'mutation ($jobId: ID!) { claimReview(input: {jobId: $jobId}) { review { job { id } reasons claim { isMine } } } }',
      { jobId },
      token,
    )
  const decide = (jobId: string, token: string, note: string) =>
    send(
      'mutation ($input: DecideReviewInput!) { decideReview(input: $input) { settled } }',
      { input: { jobId, decision: 'REJECTED', reason: 'DOCUMENT_UNUSABLE', note } },
      token,
    )

  it('is decided by one of two reviewers, and reaches the client that had acknowledged it again: by poll, callback and subscription', async () => {
    const note = `Note${randomBytes(12).toString('hex')}`
    const job = await jobOf(5, { citizen_code: `CIT-${randomUUID()}`, callback_url: receiver.url })
    const { cni_verso_b64: _, ...frontAlone } = job
    const { body } = await client.submit(frontAlone)
    const id = body.job_id
    const first = (await client.untilFinished([id])).get(id)
    expect(first).toMatchObject({ status: 'completed', outcome: 'pending_review' })
    expect((await client.acknowledge([id])).body).toEqual({ acked: 1, not_found: 0 })

    const claims = await Promise.all([awa, bineta].map((token) => claim(id, token)))
    expect(claims.map(codeOf).sort()).toEqual(['CONFLICT', undefined])
    const [holder, other] = codeOf(claims[0] ?? {}) === undefined ? [awa, bineta] : [bineta, awa]
    const { data } = await send(
      'query ($jobId: ID!) { reviewImages(jobId: $jobId) { images { image path url face { height turn } } declaredIdentity { lastName } crossValidations { reasons } } }',
      { jobId: id },
      holder,
    )
    expect(data.reviewImages.declaredIdentity.lastName).toBe((job.declared_identity as { last_name: string }).last_name)
    expect(data.reviewImages.crossValidations.reasons).toEqual(first?.cross_validations.reasons?.map((reason) => reason.toUpperCase()))
    expect(data.reviewImages.images.map(({ image }: { image: string }) => image)).toEqual(['SELFIE', 'DOCUMENT_FRONT'])
    for (const { face } of data.reviewImages.images) expect([face.turn, face.height > 0.05, face.height < 1]).toEqual([0, true, true])
    const [{ path, url }] = data.reviewImages.images
    expect(new URL(url)).toMatchObject({ pathname: path, protocol: 'http:' })
    const address = system.rest.verification + path
    const image = await fetch(address, { headers: { authorization: `Bearer ${holder}` } })
    expect([image.status, image.headers.get('cache-control'), image.headers.get('content-type')]).toEqual([
      200,
      'no-store',
      expect.stringMatching(/^image\/(jpeg|png|webp)$/),
    ])
    expect(Buffer.from(await image.arrayBuffer()).toString('base64')).toBe(job.selfie_b64)
    expect((await fetch(address)).status).toBe(401)
    expect((await fetch(address, { headers: { authorization: `Bearer ${other}` } })).status).toBe(403)

    const stream = createClient({
      url: system.graphqlUrl.replace('http', 'ws'),
      webSocketImpl: WebSocket,
      connectionParams: { 'X-Service-API-Key': system.apiKey },
      retryAttempts: 0,
    })
    const events = stream.iterate<{ verificationFinished: { job: { outcome: string } } }>({
      query: 'subscription { verificationFinished(after: 0) { job { id outcome } } }',
    })
    const outcomes: (string | undefined)[] = []
    const following = (async () => {
      for await (const event of events) outcomes.push(event.data?.verificationFinished.job.outcome)
    })()
    await expect.poll(() => outcomes.length, { timeout: 60_000 }).toBeGreaterThan(0)
    const before = outcomes.length
    expect(codeOf(await decide(id, other, note))).toBe('CONFLICT')
    expect((await decide(id, holder, note)).data).toEqual({ decideReview: { settled: true } })
    expect((await decide(id, holder, note)).data).toEqual({ decideReview: { settled: true } })

    await expect.poll(() => outcomes.slice(before), { timeout: 60_000 }).toEqual(['REJECTED'])
    await events.return?.()
    await stream.dispose()
    await following
    const callbacks = await receiver.until(2, 60_000)
    const bodies = callbacks.map((delivery) => new Webhook(system.callbackSecret).verify(delivery.body, { ...delivery.headers }))
    expect(callbacks.map(({ headers }) => headers['webhook-id'])).toEqual([`msg_${id}`, `msg_${id}_2`])
    expect(bodies[1]).toMatchObject({ type: 'verification.job.completed', data: { job_id: id, status: 'completed', outcome: 'rejected' } })

    const second = (await client.untilFinished([id])).get(id)
    expect(second).toMatchObject({
      status: 'completed',
      outcome: 'rejected',
      cross_validations: first?.cross_validations,
      scores: first?.scores,
    })
    expect((second?.completed_at ?? '') > (first?.completed_at ?? '')).toBe(true)
    expect((await client.acknowledge([id])).body).toEqual({ acked: 1, not_found: 0 })
    expect((await fetch(address, { headers: { authorization: `Bearer ${holder}` } })).status).toBe(403)
    for (const { output } of system.processes) expect(output()).not.toContain(note)
  })

  it('is hidden from a group_admin, and a reviewer sees nothing else', async () => {
    const groupAdmin = await groupAdminToken(system, 'review')
    expect(codeOf(await send('{ reviewQueue { nodes { job { id } } } }', {}, groupAdmin))).toBe('FORBIDDEN')
    expect(codeOf(await send('{ verificationJob(id: "x") { id } }', {}, awa))).toBe('FORBIDDEN')
    expect(codeOf(await send('{ delegations { nodes { id } } }', {}, awa))).toBe('FORBIDDEN')
    expect((await send('{ me { roles permissions } }', {}, awa)).data).toEqual({
      me: { roles: ['REVIEWER'], permissions: ['VERIFICATIONS_REVIEW'] },
    })
  })
})
