import { type AnalysedImage, type DetectedFace, type FaceAnalyser, faceDistance, InvalidImage } from '../engines/models/face-analyser.ts'
import type { DocumentText, TextReader } from '../engines/models/text-reader.ts'
import type { Clock } from '../foundation/clock.ts'
import { DeadlineExceeded } from '../foundation/fault.ts'
import { assess } from './cross-validation.ts'
import type { Evidence, FaceEvidence, ImageEvidence } from './evidence.ts'
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

  /**
   * Looks for faces and reads text side by side. An image that is refused gives up the rest at once; when several are, the selfie's refusal is
   * told before the front's and that before the back's.
   */
  async #evidence(job: JobRow, { declaredIdentity, ...images }: Submission, signal: AbortSignal): Promise<Evidence> {
    const selfie = bytesOf('selfie', images.selfie)
    const front = bytesOf('documentFront', images.documentFront)
    const back = images.documentBack && bytesOf('documentBack', images.documentBack)
    const refused = new AbortController()
    const either = AbortSignal.any([signal, refused.signal])
    const reading = this.#readSides(front, back, either)
    const outcome = reading.then(
      (texts) => ({ texts }),
      (thrown: unknown) => ({ thrown }),
    )
    let faces: FacesFound
    try {
      faces = await this.#findFaces(selfie, front, back, either)
    } catch (thrown) {
      refused.abort(thrown)
      await outcome
      throw thrown
    }
    const read = await outcome
    if ('thrown' in read) throw read.thrown
    return {
      declared: declaredIdentity,
      documentType: job.documentType,
      countryCode: job.countryCode,
      ...faces,
      ...read.texts,
      now: this.#engines.clock.now(),
    }
  }

  /** The back is looked at only when the front shows no face: for sides that were mistaken for one another. */
  async #findFaces(selfie: Uint8Array, front: Uint8Array, back: Uint8Array | undefined, signal: AbortSignal): Promise<FacesFound> {
    const look = (member: ImageMember, image: Uint8Array): Promise<AnalysedImage> =>
      told(member, this.#engines.faces.analyse(image, imageKinds[member], signal))
    // one after the other: a job takes one thread of the models, not three
    const own = await look('selfie', selfie)
    const printed = await look('documentFront', front)
    const other = back !== undefined && printed.faces.length === 0 ? await look('documentBack', back) : undefined
    const [ownFace, documentFace] = [own.faces[0], printed.faces[0] ?? other?.faces[0]]
    return {
      selfie: imageEvidence(own),
      front: imageEvidence(printed),
      ...(back && { back: { faces: other?.faces.map(faceEvidence) ?? [] } }),
      ...(ownFace && documentFace && { faceDistance: faceDistance(ownFace.descriptor, documentFace.descriptor) }),
    }
  }

  async #readSides(front: Uint8Array, back: Uint8Array | undefined, signal: AbortSignal): Promise<TextsRead> {
    const frontText = await told('documentFront', this.#read(front, signal))
    const backText = back && (await told('documentBack', this.#read(back, signal)))
    return { ...(frontText && { frontText }), ...(backText && { backText }) }
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

type FacesFound = Pick<Evidence, 'selfie' | 'front' | 'back' | 'faceDistance'>
type TextsRead = Pick<Evidence, 'frontText' | 'backText'>

/** @throws {UnusableImage} in place of an engine's refusal, naming the member */
function told<Answer>(member: ImageMember, answer: Promise<Answer>): Promise<Answer> {
  return answer.catch((thrown: unknown) => {
    if (thrown instanceof InvalidImage) throw new UnusableImage(member, thrown.problem, thrown.message)
    throw thrown
  })
}

function bytesOf(member: ImageMember, image: SubmittedImage): Uint8Array {
  if ('bytes' in image) return image.bytes
  throw new UnusableImage(member, image.problem, notRead[image.problem])
}

const imageEvidence = ({ faces }: AnalysedImage): ImageEvidence => ({ faces: faces.map(faceEvidence) })

function faceEvidence({ box, score, sharpness, brightness, shareDark, shareBright }: DetectedFace): FaceEvidence {
  return { width: box.width, score, sharpness, brightness, shareDark, shareBright }
}
