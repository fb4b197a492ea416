import { type Holder, makeHolder } from '../../../demonstration/documents/holder.ts'
import { drawIdentityCard } from '../../../demonstration/documents/identity-card.ts'
import { drawFace } from '../../../demonstration/documents/selfie.ts'

/** Drawn once per process: the same seed is the same person. */
const drawn = new Map<
  number,
  Promise<{ readonly holder: Holder; readonly selfie: string; readonly front: string; readonly back: string }>
>()

function personOf(seed: number) {
  const made = drawn.get(seed) ?? draw(seed)
  drawn.set(seed, made)
  return made
}

async function draw(seed: number) {
  const holder = makeHolder(seed)
  const [selfie, card] = await Promise.all([drawFace(seed), drawIdentityCard(holder)])
  return { holder, selfie: selfie.toString('base64'), front: card.front.toString('base64'), back: card.back.toString('base64') }
}

/** A selfie of a drawn person, base64. */
export const selfieOf = async (seed: number): Promise<string> => (await personOf(seed)).selfie

/** The body of a genuine submission: a drawn person with both sides of an identity card of its own. */
export async function jobOf(seed: number, more: Readonly<Record<string, unknown>> = {}): Promise<Record<string, unknown>> {
  const { holder, selfie, front, back } = await personOf(seed)
  return {
    citizen_code: `CIT-${seed}`,
    document_type: 'NATIONAL_ID',
    country_code: holder.issuingCountry,
    selfie_b64: selfie,
    cni_recto_b64: front,
    cni_verso_b64: back,
    declared_identity: {
      first_name: holder.firstName,
      last_name: holder.lastName,
      date_of_birth: holder.dateOfBirth,
      gender: holder.sex,
      nationality: holder.nationality,
    },
    ...more,
  }
}
