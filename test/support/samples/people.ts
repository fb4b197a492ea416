import { generateHolder, type Holder } from '../../../demonstration/documents/holder.ts'
import { drawIdentityCard } from '../../../demonstration/documents/identity-card.ts'
import { drawFace } from '../../../demonstration/documents/selfie.ts'
import { type DocumentImages, submissionOf } from '../../../demonstration/documents/submission.ts'

/** Drawn once per process: the same seed is the same person. */
const drawn = new Map<number, Promise<Person>>()

export interface Person extends DocumentImages {
  readonly holder: Holder
}

function personOf(seed: number) {
  const person = drawn.get(seed) ?? draw(seed)
  drawn.set(seed, person)
  return person
}

async function draw(seed: number): Promise<Person> {
  const holder = generateHolder(seed)
  const [selfie, card] = await Promise.all([drawFace(seed), drawIdentityCard(holder)])
  return { holder, selfie, ...card }
}

/** A selfie of a drawn person, base64. */
export const selfieOf = async (seed: number): Promise<string> => Buffer.from((await personOf(seed)).selfie).toString('base64')

/** A drawn person: identity data, and the images as files. */
export const drawnPerson = (seed: number): Promise<Person> => personOf(seed)

/** The body of a genuine submission: a drawn person with both sides of an identity card. */
export async function jobOf(seed: number, more: Readonly<Record<string, unknown>> = {}): Promise<Record<string, unknown>> {
  const { holder, ...images } = await personOf(seed)
  return submissionOf(holder, images, { citizen_code: `CIT-${seed}`, ...more })
}
