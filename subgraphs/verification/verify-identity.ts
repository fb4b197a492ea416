import { type AnalysedImage, type FaceAnalyser, faceDistance, InvalidImage } from '../engines/models/face-analyser.ts'
import type { DocumentText, TextReader } from '../engines/models/text-reader.ts'
import type { Clock } from '../foundation/clock.ts'
import { DeadlineExceeded } from '../foundation/fault.ts'
import { assess } from './cross-validation.ts'
import type { Evidence, ImageEvidence } from './evidence.ts'
import type { Verdict } from './process-job.ts'
import type { ImageMember, Submission, SubmittedImage } from './submission.ts'
import type { JobRow } from './tables.ts'

/** The members as the documented request names them: failure reasons point at these. */
const memberNames: Record<ImageMember, string> = { selfie: 'selfie_b64', documentFront: 'cni_recto_b64', documentBack: 'cni_verso_b64' }

const imageKinds = { selfie: 'selfie', documentFront: 'document', documentBack: 'back' } as const

const notRead: Record<Extract<SubmittedImage, { problem: string }>['problem'], string> = {
  invalid_base64: 'The content is not base64',
  image_too_large: 'The image is over 5 MB',
}

export interface VerifyIdentityEngines {
  readonly faces: FaceAnalyser
  readonly reader: TextReader
  readonly clock: Clock
}

/** An image that no verification can go on with: the job ends as an error that names the member. */
class UnusableImage extends Error {
  constructor(member: ImageMember, problem: string, sentence: string) {
    super(`${problem}: ${sentence} (${memberNames[member]})`)
  }
}

/** The verification itself: look at the images, compare the faces, read the document, then judge by rules alone. */
export class VerifyIdentity {
  readonly #engines: VerifyIdentityEngines

  constructor(engines: VerifyIdentityEngines) {
    this.#engines = engines
  }

  /** @returns an error verdict for images that cannot be looked at   @throws what an engine throws: the attempt is made again */
  async verify(job: JobRow, submission: Submission, signal: AbortSignal): Promise<Verdict> {
    try {
      const { outcome, crossValidations, scores } = assess(await this.#evidence(job, submission, signal))
      return { outcome, failureReason: null, crossValidations, scores }
    } catch (thrown) {
      if (!(thrown instanceof UnusableImage)) throw thrown
      return { outcome: 'error', failureReason: thrown.message, crossValidations: null, scores: null }
    }
  }

  async #evidence(job: JobRow, { declaredIdentity, ...images }: Submission, signal: AbortSignal): Promise<Evidence> {
    const { faces, clock } = this.#engines
    const bytes = { selfie: bytesOf('selfie', images.selfie), front: bytesOf('documentFront', images.documentFront) }
    const backBytes = images.documentBack && bytesOf('documentBack', images.documentBack)
    const look = (member: ImageMember, image: Uint8Array): Promise<AnalysedImage> =>
      faces.analyse(image, imageKinds[member], signal).catch((thrown: unknown) => {
        if (thrown instanceof InvalidImage) throw new UnusableImage(member, thrown.problem, thrown.message)
        throw thrown
      })
    // One after the other: the selfie's refusal is told first, and a job takes one thread of the models, not three.
    const selfie = await look('selfie', bytes.selfie)
    const front = await look('documentFront', bytes.front)
    const back = backBytes && (await look('documentBack', backBytes))
    const frontText = await this.#read(bytes.front, signal)
    const backText = backBytes && (await this.#read(backBytes, signal))
    const [selfieFace, documentFace] = [selfie.faces[0], front.faces[0] ?? back?.faces[0]]
    return {
      declared: declaredIdentity,
      documentType: job.documentType,
      countryCode: job.countryCode,
      selfie: imageEvidence(selfie),
      front: imageEvidence(front),
      ...(back && { back: imageEvidence(back) }),
      ...(selfieFace && documentFace && { faceDistance: faceDistance(selfieFace.descriptor, documentFace.descriptor) }),
      ...(frontText && { frontText }),
      ...(backText && { backText }),
      now: clock.now(),
    }
  }

  /** @returns undefined when the reader gave up: such a document waits for a person instead of being tried again and again */
  async #read(image: Uint8Array, signal: AbortSignal): Promise<DocumentText | undefined> {
    try {
      return await this.#engines.reader.readDocument(image, signal)
    } catch (thrown) {
      if (thrown instanceof DeadlineExceeded && !signal.aborted) return undefined
      throw thrown
    }
  }
}

function bytesOf(member: ImageMember, image: SubmittedImage): Uint8Array {
  if ('bytes' in image) return image.bytes
  throw new UnusableImage(member, image.problem, notRead[image.problem])
}

function imageEvidence({ width, height, faces }: AnalysedImage): ImageEvidence {
  return { width, height, faces: faces.map(({ box, ...measured }) => ({ width: box.width, ...measured })) }
}
