import { capture } from './capture/capture.ts'
import { generateHolder } from './documents/holder.ts'
import { drawIdentityCard } from './documents/identity-card.ts'
import { drawPassport } from './documents/passport.ts'
import { differentPersons, drawFace } from './documents/selfie.ts'
import { submissionOf } from './documents/submission.ts'

/** A submission with the expected result. */
export interface Case {
  readonly title: string
  readonly job: Readonly<Record<string, unknown>>
  readonly outcome: 'verified' | 'rejected' | 'pending_review'
  /** a required reason; undefined: there must be no reason */
  readonly reason: string | undefined
}

/** A moving phone in poor light. */
const badlyHeld = { blur: 6, brightness: 0.6, noise: 20, noiseSeed: 1, jpegQuality: 40 } as const

/** Draws four citizens: a genuine one, an impostor, one with an expired passport, and one with an unreadable card. */
export async function drawCases(today: Date): Promise<readonly Case[]> {
  const day = today.toISOString().slice(0, 10)
  const [awa, impostor, traveller] = differentPersons
  const holder = generateHolder(awa, { today: day })
  const card = await drawIdentityCard(holder)
  const lastYear = `${today.getUTCFullYear() - 1}-06-30`
  const expired = generateHolder(traveller, { today: day, issued: `${today.getUTCFullYear() - 11}-07-01`, expires: lastYear })
  const [blurredFront, blurredBack] = await Promise.all([capture(card.front, badlyHeld), capture(card.back, badlyHeld)])
  const [ownFace, otherFace, travellerFace, passport] = await Promise.all([
    drawFace(awa),
    drawFace(impostor),
    drawFace(traveller),
    drawPassport(expired),
  ])
  return [
    {
      title: 'a genuine citizen with her own card',
      job: submissionOf(holder, { ...card, selfie: ownFace }, { citizen_code: 'DEMO-GENUINE', priority: 'high' }),
      outcome: 'verified',
      reason: undefined,
    },
    {
      title: 'another person with the same card',
      job: submissionOf(holder, { ...card, selfie: otherFace }, { citizen_code: 'DEMO-IMPOSTOR', priority: 'high' }),
      outcome: 'rejected',
      reason: 'face_mismatch',
    },
    {
      title: `a traveller whose passport expired on ${lastYear}`,
      job: submissionOf(
        expired,
        { selfie: travellerFace, front: passport },
        { citizen_code: 'DEMO-EXPIRED', document_type: 'PASSPORT', priority: 'high' },
      ),
      outcome: 'pending_review',
      reason: 'document_expired',
    },
    {
      title: 'an unreadable photograph of a card',
      job: submissionOf(
        holder,
        { selfie: ownFace, front: blurredFront, back: blurredBack },
        { citizen_code: 'DEMO-UNREADABLE', priority: 'high' },
      ),
      outcome: 'pending_review',
      reason: 'ocr_unreadable',
    },
  ]
}
