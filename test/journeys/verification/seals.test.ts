import { type KeyObject, sign } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { submissionOf } from '../../../demonstration/documents/submission.ts'
import { certificate, keysOf } from '../../support/chips/country.ts'
import { VerificationClient } from '../../support/clients/verification-client.ts'
import type { System } from '../../support/processes/platform.ts'
import { setups, startSystem } from '../../support/processes/start-system.ts'
import { base32 } from '../../support/samples/base32.ts'
import { drawnPerson } from '../../support/samples/people.ts'
import { withBarcode } from '../../support/samples/printed-barcode.ts'

const jobQuery = `query ($id: ID!) { verificationJob(id: $id) { outcome result { crossValidations { reasons
  barcodes { result properties { key number text } breakdown { name result properties { key text } } } } } } }`

interface Result {
  readonly outcome: string
  readonly result: {
    readonly crossValidations: {
      readonly reasons: readonly string[]
      readonly barcodes: { readonly result: string; readonly breakdown: readonly { readonly name: string; readonly result: string }[] }
    }
  }
}

/** A 2D-Doc like those of French authorities. @param named - authority and certificate that it names */
async function contentOf(named: string): Promise<string> {
  const { holder } = await drawnPerson(5)
  const latin = (name: string): string => name.normalize('NFD').replace(/\p{M}/gu, '').toUpperCase()
  const birth = holder.dateOfBirth.split('-').reverse().join('')
  const names = `60${latin(holder.firstName).replaceAll(' ', '/')}\x1d62${latin(holder.lastName)}`
  return `DC04${named}FFFF16360701FR${names}\x1d66${holder.documentNumber}\x1d69${birth}`
}

const sealedBy = (privateKey: KeyObject, content: string): string =>
  `${content}\x1f${base32(sign('sha256', Buffer.from(content), { key: privateKey, dsaEncoding: 'ieee-p1363' }))}`

describe.each(setups())('the seal of a barcode on a card, $name', ({ layout, engines }) => {
  let system: System
  let client: VerificationClient
  let folder: string
  const [authority, forger] = [keysOf('seal'), keysOf('forger of seals')]

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'seals-'))
    await writeFile(join(folder, 'FR03AV01.der'), certificate({ name: 'AV01', keys: authority }).der)
    system = await startSystem({ layout, engines, components: ['verification'], env: { VERIFICATION_SEAL_CERTIFICATES: folder } })
    client = new VerificationClient(system)
  })
  afterAll(async () => {
    await system?.stop()
    await rm(folder, { recursive: true })
  })

  async function judged(text: string): Promise<Result> {
    const { holder, selfie, front, back } = await drawnPerson(5)
    const sealed = back && (await withBarcode(back, text, { bcid: 'datamatrix', scale: 3 }))
    const { body } = await client.submit(submissionOf(holder, { selfie, front, back: sealed }, { citizen_code: 'SEAL' }))
    await client.untilFinished([body.job_id])
    const response = await fetch(system.graphqlUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-service-api-key': system.apiKey },
      body: JSON.stringify({ query: jobQuery, variables: { id: body.job_id } }),
    })
    const { data } = (await response.json()) as { data: { verificationJob: Result } }
    return data.verificationJob
  }
  const seal = (result: string, ...facts: readonly object[]) => ({
    name: 'seal',
    result,
    properties: [{ key: 'certificate', text: 'FR03AV01' }, ...facts],
  })

  it('is valid with a signature of the named certificate’s key', async () => {
    expect(await judged(sealedBy(authority.privateKey, await contentOf('FR03AV01')))).toMatchObject({
      outcome: 'VERIFIED',
      result: {
        crossValidations: {
          reasons: [],
          barcodes: {
            result: 'CLEAR',
            breakdown: expect.arrayContaining([seal('CLEAR'), { name: 'date_of_birth', result: 'CLEAR', properties: null }]),
          },
        },
      },
    })
  })

  it.each([
    ['another key has signed', async () => sealedBy(forger.privateKey, await contentOf('FR03AV01'))],
    ['a character of it was replaced', async () => changed(sealedBy(authority.privateKey, await contentOf('FR03AV01')))],
    ['its content was changed', async () => sealedBy(authority.privateKey, await contentOf('FR03AV01')).replace('FFFF', 'FFFE')],
  ])('is left to review when %s', async (_, text) => {
    expect(await judged(await text())).toMatchObject({
      outcome: 'PENDING_REVIEW',
      result: {
        crossValidations: {
          reasons: ['BARCODE_MISMATCH'],
          barcodes: { result: 'CONSIDER', breakdown: expect.arrayContaining([seal('CONSIDER')]) },
        },
      },
    })
  })

  it('changes nothing, and reports that it was not verified, without its certificate', async () => {
    const { outcome, result } = await judged(sealedBy(forger.privateKey, await contentOf('FR03AV99')))
    expect(outcome).toBe('VERIFIED')
    expect(result.crossValidations.barcodes.breakdown).toContainEqual({
      name: 'seal',
      result: 'UNIDENTIFIED',
      properties: [
        { key: 'certificate', text: 'FR03AV99' },
        { key: 'note', text: expect.stringMatching(/^not verified/) },
      ],
    })
  })
})

/** Replaces a character in the middle of the seal. */
function changed(sealed: string): string {
  const at = sealed.length - 40
  return sealed.slice(0, at) + (sealed.charAt(at) === 'A' ? 'B' : 'A') + sealed.slice(at + 1)
}
