import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openReceiver, type Receiver } from '../../support/clients/callback-receiver.ts'
import { tokenOf } from '../../support/clients/content-client.ts'
import { VerificationClient } from '../../support/clients/verification-client.ts'
import { layouts } from '../../support/processes/platform.ts'
import { sharedPlatform } from '../../support/processes/shared-platform.ts'
import { jobOf } from '../../support/samples/people.ts'

interface Delivery {
  readonly id: string
  readonly url: string
  readonly state: string
  readonly job: { readonly id: string }
  readonly attempts: readonly { readonly statusCode: number | null; readonly reason: string | null }[]
}

describe.each(layouts)('callbacks, in layout %s', (layout) => {
  let system: Awaited<ReturnType<typeof sharedPlatform>>
  let client: VerificationClient
  let receiver: Receiver
  beforeAll(async () => {
    receiver = await openReceiver()
    system = await sharedPlatform(layout)
    client = new VerificationClient(system)
  })
  afterAll(() => receiver?.[Symbol.asyncDispose]())
  const send = async <Data>(query: string, credentials: Record<string, string> = { 'x-service-api-key': system.apiKey }): Promise<Data> => {
    const headers = { 'content-type': 'application/json', ...credentials }
    const response = await fetch(system.graphqlUrl, { method: 'POST', headers, body: JSON.stringify({ query }) })
    const { data, errors } = (await response.json()) as { data: Data; errors?: unknown }
    expect(errors).toBeUndefined()
    return data
  }
  const deliveries = async (filter: string) => {
    const fields = 'id url type state nextAttemptAt job { id } attempts { number statusCode reason }'
    const query = `{ callbackDeliveries(${filter}) { totalCount nodes { ${fields} } } }`
    const { totalCount, nodes } = (await send<{ callbackDeliveries: { totalCount: number; nodes: Delivery[] } }>(query)).callbackDeliveries
    expect(totalCount).toBe(nodes.length)
    return nodes
  }

  it('reach a receiver that verifies them with the public library, and are listed', async () => {
    const submitted = await client.submit({ ...(await jobOf(5)), cni_recto_b64: '?', callback_url: `${receiver.url}/civic` })
    const [delivery] = await receiver.until(1, 60_000)
    const event = new Webhook(system.callbackSecret).verify(delivery?.body ?? '', { ...delivery?.headers })
    const [result] = (await client.untilFinished([submitted.body.job_id])).values()
    expect(event).toMatchObject({
      type: 'verification.job.failed',
      data: { job_id: submitted.body.job_id, batch_id: null, status: 'error', outcome: 'error', completed_at: result?.completed_at },
    })
    // the receiver has the callback shortly before the delivery log
    const delivered = () => deliveries(`jobId: "${submitted.body.job_id}", state: DELIVERED`)
    await expect.poll(delivered).toHaveLength(1)
    const [logged] = await delivered()
    expect(logged).toMatchObject({ id: `msg_${submitted.body.job_id}`, url: `${receiver.url}/civic`, nextAttemptAt: null })
    expect(logged?.attempts).toEqual([{ number: 1, statusCode: 204, reason: null }])
    await send(`mutation { redeliverCallback(input: { id: "${logged?.id}" }) { delivery { state } } }`)
    const again = (await receiver.until(2))[1]
    expect([again?.headers['webhook-id'], again?.body]).toEqual([delivery?.headers['webhook-id'], delivery?.body])
    // a redelivery by a service is routine; one by an administrator is audited
    const person = { authorization: `Bearer ${await tokenOf(system)}` }
    await send(`mutation { redeliverCallback(input: { id: "${logged?.id}" }) { delivery { state } } }`, person)
    const trail = '{ auditTrail(first: 1, filter: { action: "verification.callback.redeliver" }) { nodes { target } } }'
    expect(await send(trail, person)).toEqual({ auditTrail: { nodes: [{ target: submitted.body.job_id }] } })
  })

  it('to forbidden addresses are accepted and recorded as refused, and the result is available', async () => {
    const urls = ['no url', 'https://10.0.0.1/x', 'ftp://a.example/']
    const { body } = await client.submitBatch(
      await Promise.all(urls.map(async (callback_url) => ({ ...(await jobOf(5)), selfie_b64: '?', callback_url }))),
    )
    await client.untilFinished(body.job_ids)
    await expect.poll(() => deliveries('state: REFUSED')).toHaveLength(3)
    const refused = await deliveries('state: REFUSED')
    const reasons = body.job_ids.map((id) => refused.find(({ job }) => job.id === id)?.attempts[0]?.reason?.split(':')[0])
    expect(reasons).toEqual(['invalid_url', 'inside_address', 'not_https'])
  })
})
