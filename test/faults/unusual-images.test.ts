import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Capture, capture } from '../../demonstration/capture/capture.ts'
import { shown } from '../../demonstration/capture/raster.ts'
import { generateHolder } from '../../demonstration/documents/holder.ts'
import { drawIdentityCard } from '../../demonstration/documents/identity-card.ts'
import { drawPassport } from '../../demonstration/documents/passport.ts'
import { drawFace, drawGroup } from '../../demonstration/documents/selfie.ts'
import { submissionOf } from '../../demonstration/documents/submission.ts'
import { renderPng, textLine } from '../../demonstration/drawing/drawing.ts'
import { type JobResult, VerificationClient } from '../support/clients/verification-client.ts'
import type { System } from '../support/processes/platform.ts'
import { startSystem } from '../support/processes/start-system.ts'
import { animatedPng, animatedWebp, bomb, cmyk, deep, huge, sideBySide } from '../support/samples/odd-images.ts'
import { withBarcode } from '../support/samples/printed-barcode.ts'

/** How each odd submission differs from a genuine one, and its expected result. */
interface OddSubmission {
  readonly images?: Partial<Record<'selfie_b64' | 'cni_recto_b64' | 'cni_verso_b64', Uint8Array | undefined>>
  readonly type?: string
  /** Start of the failure_reason. */
  readonly failure?: string
  readonly outcome?: 'verified' | 'pending_review' | 'rejected'
  readonly reason?: string
}

const onPhone: Capture = { blur: 0.6, noise: 8, noiseSeed: 5, jpegQuality: 80, margin: 30 }
const today = new Date().toISOString().slice(0, 10)
const holder = generateHolder(5, { today })

/** Lines of small print from edge to edge. @returns PNG */
function pageOfBook(): Promise<Buffer> {
  const line = 'Il etait une fois un roi qui ne savait pas lire, et dont les lettres restaient des annees sur sa table. '.repeat(2)
  const lines = Array.from({ length: 46 }, (_, at) => textLine(line, { x: 4, y: 6 + 2.6 * at, size: 1.6 }))
  return renderPng(
    `<svg xmlns="http://www.w3.org/2000/svg" width="180" height="128"><path d="M0,0H180V128H0Z" fill="#f4f1e6"/>${lines.join('')}</svg>`,
    2000,
  )
}

async function oddSubmissions(): Promise<Readonly<Record<string, OddSubmission>>> {
  const [selfie, { front, back }, other, passport] = await Promise.all([
    drawFace(5),
    drawIdentityCard(holder),
    drawIdentityCard(generateHolder(23, { today })),
    drawPassport(holder),
  ])
  const sheet = await sharp({ create: { width: 900, height: 600, channels: 3, background: '#e4e4e0' } })
    .jpeg()
    .toBuffer()
  const recto = (image: Uint8Array): NonNullable<OddSubmission['images']> => ({ cni_recto_b64: image })
  const jpeg = await sharp(front).flatten().jpeg({ quality: 85 }).toBuffer()
  return {
    'a genuine card': { outcome: 'verified' },
    'a genuine passport, which has one side': {
      images: { cni_recto_b64: passport, cni_verso_b64: undefined },
      type: 'PASSPORT',
      outcome: 'verified',
    },
    'a front of four inks': { images: recto(await cmyk(front)), outcome: 'verified' },
    'a front of sixteen bits a colour': { images: recto(await deep(front)), outcome: 'verified' },
    'a front of forty million pixels': { images: recto(await huge(front)), outcome: 'verified' },
    'a front that is cut short': { images: recto(jpeg.subarray(0, jpeg.length / 2)), failure: 'truncated: .*cni_recto_b64' },
    'a back that is cut short': {
      images: { cni_verso_b64: jpeg.subarray(0, jpeg.length / 2) },
      failure: 'truncated: .*cni_verso_b64',
    },
    'an animated front, WebP': { images: recto(await animatedWebp(front)), failure: 'animated_image: .*cni_recto_b64' },
    'an animated front, PNG': { images: recto(await animatedPng(front)), failure: 'animated_image: .*cni_recto_b64' },
    'an animated back': { images: { cni_verso_b64: await animatedWebp(front) }, failure: 'animated_image: .*cni_verso_b64' },
    'a front of 60 pixels': {
      images: recto(await sharp(front).resize(100, 60).png().toBuffer()),
      failure: 'image_too_small: .*cni_recto_b64',
    },
    'a front of 160 pixels': {
      images: recto(await sharp(front).resize(160).png().toBuffer()),
      outcome: 'pending_review',
      reason: 'blurred_photo',
    },
    'a small file of 2,500 million pixels': { images: recto(bomb(50_000, 50_000)), failure: 'image_too_large: .*cni_recto_b64' },
    'a small file of 36 million black pixels': {
      images: recto(bomb(6000, 6000)),
      outcome: 'pending_review',
      reason: 'no_document_in_image',
    },
    'a front that is SVG': {
      images: recto(
        Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="900" height="600"><image href="file:///etc/passwd"/></svg>'),
      ),
      failure: 'unsupported_format: .*cni_recto_b64',
    },
    'a selfie that is HTML': {
      images: { selfie_b64: Buffer.from('<!doctype html><title>photo.jpg</title>') },
      failure: 'not_an_image: .*selfie_b64',
    },
    'a selfie without a byte': { images: { selfie_b64: Buffer.alloc(0) }, failure: 'empty_image: .*selfie_b64' },
    'a front without a byte': { images: recto(Buffer.alloc(0)), failure: 'empty_image: .*cni_recto_b64' },
    'front and back exchanged': {
      images: { cni_recto_b64: back, cni_verso_b64: front },
      outcome: 'pending_review',
      reason: 'wrong_side',
    },
    'the front twice': { images: { cni_verso_b64: front }, outcome: 'pending_review', reason: 'missing_back' },
    'two persons’ documents in one picture': {
      images: recto(await sideBySide(front, other.front)),
      outcome: 'pending_review',
      reason: 'two_documents',
    },
    'a blank sheet': { images: { cni_recto_b64: sheet, cni_verso_b64: sheet }, outcome: 'pending_review', reason: 'no_document_in_image' },
    'a second selfie for a document': {
      images: { cni_recto_b64: selfie, cni_verso_b64: selfie },
      outcome: 'pending_review',
      reason: 'no_document_in_image',
    },
    'no back': { images: { cni_verso_b64: undefined }, outcome: 'pending_review', reason: 'missing_back' },
    'no person on the selfie': { images: { selfie_b64: sheet }, outcome: 'pending_review', reason: 'no_face_selfie' },
    'two persons on the selfie': {
      images: { selfie_b64: await drawGroup([5, 23]) },
      outcome: 'pending_review',
      reason: 'multiple_faces_selfie',
    },
    'a dark selfie': {
      images: { selfie_b64: await drawFace(5, { brightness: 0.3 }) },
      outcome: 'pending_review',
      reason: 'dark_photo',
    },
    'a blurred selfie': { images: { selfie_b64: await drawFace(5, { blur: 6 }) }, outcome: 'pending_review', reason: 'blurred_photo' },
    'a dark card': {
      images: { cni_recto_b64: await capture(front, { brightness: 0.15, jpegQuality: 85 }) },
      outcome: 'pending_review',
      reason: 'dark_photo',
    },
    'a reflection on the card': {
      images: { cni_recto_b64: await capture(front, { glare: { x: 0.6, y: 0.4, radius: 0.2 }, jpegQuality: 85 }) },
      outcome: 'pending_review',
      reason: 'glare_on_photo',
    },
    'a copy of a card in black and white': {
      images: recto(await capture(front, { grey: true, jpegQuality: 85 })),
      outcome: 'pending_review',
      reason: 'copy_of_document',
    },
    'a front on its side': { images: recto(await sharp(front).rotate(90).png().toBuffer()), outcome: 'verified' },
    'an upside-down front with its EXIF orientation': {
      images: recto(
        await sharp(await sharp(front).flatten().rotate(180).toBuffer())
          .withMetadata({ orientation: 3 })
          .jpeg()
          .toBuffer(),
      ),
      outcome: 'verified',
    },
    'a card on a screen': {
      images: recto(await capture(await shown(front, { by: 'screen', points: 0.45, turned: 1.5 }), onPhone)),
      outcome: 'pending_review',
      reason: 'shown_on_screen',
    },
    'a screenshot of a card': {
      images: recto(
        await capture(front, { jpegQuality: 85 }).then((image) => sharp(image).extend({ top: 400, bottom: 400 }).jpeg().toBuffer()),
      ),
      outcome: 'pending_review',
      reason: 'shown_on_screen',
    },
    'a coarse print of a card in dots': {
      images: recto(await capture(await shown(front, { by: 'printer', points: 0.22, turned: 45 }), onPhone)),
      outcome: 'pending_review',
      reason: 'copy_of_document',
    },
    'a page of a book': { images: recto(await pageOfBook()), outcome: 'pending_review', reason: 'no_face_document' },
    'a barcode of another person': {
      images: { cni_verso_b64: await withBarcode(back, '@\n\x1e\rANSI 636000100001DL00310278DLDAQT64235789\nDCSSAMPLE\n') },
      outcome: 'pending_review',
      reason: 'barcode_mismatch',
    },
    'a barcode that is a script': {
      images: { cni_verso_b64: await withBarcode(back, '<script>alert(1)</script>') },
      outcome: 'verified',
    },
    'a card that runs out of the picture': {
      images: { cni_recto_b64: await capture(front, { keep: { left: 0.36, width: 0.64 }, jpegQuality: 85 }) },
      outcome: 'pending_review',
      reason: 'cut_off_document',
    },
    'another genuine card, after all of these': { outcome: 'verified' },
  }
}

describe('images that are unusual, broken or of the wrong subject', () => {
  let system: System
  let client: VerificationClient
  let odd: Readonly<Record<string, OddSubmission>>
  const results = new Map<string, JobResult>()

  beforeAll(async () => {
    ;[system, odd] = await Promise.all([startSystem({ components: ['verification'] }), oddSubmissions()])
    client = new VerificationClient(system)
    const [selfie, { front, back }] = await Promise.all([drawFace(5), drawIdentityCard(holder)])
    const jobs = Object.values(odd).map(({ images = {}, type = 'NATIONAL_ID' }) =>
      submissionOf(
        holder,
        { selfie, front, back },
        {
          citizen_code: 'ODD',
          document_type: type,
          ...Object.fromEntries(Object.entries(images).map(([member, image]) => [member, image && Buffer.from(image).toString('base64')])),
        },
      ),
    )
    const { body } = await client.submitBatch(jobs)
    const finished = await client.untilFinished(body.job_ids)
    for (const [at, name] of Object.keys(odd).entries()) {
      const result = finished.get(body.job_ids[at] ?? '')
      if (result !== undefined) results.set(name, result)
    }
  }, 1_200_000)
  afterAll(() => system?.stop())

  it('end with the expected outcome and reason', () => {
    const judgements = Object.keys(odd).map((name) => {
      const result = results.get(name)
      return { name, outcome: result?.outcome, failure: result?.failure_reason, reasons: result?.cross_validations.reasons }
    })
    const wrong = judgements.filter(({ name, outcome, failure, reasons }) => {
      const expected = odd[name]
      if (expected?.failure !== undefined) return outcome !== 'error' || !new RegExp(`^${expected.failure}`).test(failure ?? '')
      if (expected?.reason !== undefined && !reasons?.includes(expected.reason)) return true
      return outcome !== expected?.outcome || failure !== null
    })
    expect(wrong).toEqual([])
  })

  it('leave the worker in working order', async () => {
    expect(results.get('another genuine card, after all of these')).toMatchObject({ status: 'completed', outcome: 'verified' })
    expect(system.processes.map(({ child }) => child.exitCode)).toEqual([null])
    await expect.poll(async () => (await client.request('GET', '/health')).body).toMatchObject({ status: 'ok' })
  })
})
