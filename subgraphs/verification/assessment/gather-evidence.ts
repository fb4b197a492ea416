import type { DocumentReader, DocumentText, ReadingEffort } from '../../../engines/document-reader/document-reader.ts'
import { type AnalysedImage, type DetectedFace, type FaceAnalyser, faceLikeness } from '../../../engines/face-analyser/face-analyser.ts'
import { InvalidImage } from '../../../engines/inference/images/invalid-image.ts'
import { DeadlineExceeded } from '../../../foundation/fault.ts'
import type { Evidence, FaceEvidence, ImageEvidence, PortraitEvidence } from '../checks/evidence.ts'
import { verdictOfLikeness } from '../checks/face-comparison.ts'
import type { Thresholds } from '../checks/thresholds.ts'
import { type FaceTemplate, templateOf } from '../duplicates/face-template.ts'
import { analyseFrames, type FrameFindings } from '../liveness/analyse-frames.ts'
import type { ImageMember, SubmittedFrame } from '../submission/submission.ts'
import { type FaceAreas, faceAreaOf } from './face-area.ts'
import { withImageName } from './unusable-image.ts'

export interface ImageEngines {
  readonly faces: FaceAnalyser
  readonly reader: DocumentReader
}

export type ImageBytes = Readonly<Record<'selfie' | 'documentFront', Uint8Array>> & {
  readonly documentBack?: Uint8Array | undefined
  /** on a chip */
  readonly portrait?: Uint8Array | undefined
  /** frames of a challenge */
  readonly frames?: readonly SubmittedFrame[] | undefined
}

/** Findings in the images of a submission, the portrait of a chip and the frames of a challenge. */
export interface ImageFindings
  extends Pick<Evidence, 'selfie' | 'front' | 'hasBack' | 'back' | 'faceLikeness' | 'faceModel' | 'frontText' | 'backText'> {
  /** absent without a portrait */
  readonly portrait?: PortraitEvidence
  /** absent without a challenge */
  readonly frameFindings?: FrameFindings
  /** template of the selfie's face; absent unless there is exactly one */
  readonly template?: FaceTemplate
  /** places of the faces that were compared */
  readonly faces: FaceAreas
}

/**
 * Detects faces and reads text concurrently, since they use different threads. A refused image aborts the rest; if several are refused, the
 * order of reporting is selfie, front, back.
 * @throws {UnusableImage} @throws errors of the engines
 */
export async function gatherEvidence(
  engines: ImageEngines & { readonly thresholds: Thresholds },
  images: ImageBytes,
  signal: AbortSignal,
): Promise<ImageFindings> {
  const refused = new AbortController()
  const either = AbortSignal.any([signal, refused.signal])
  const reading = readSides(engines, images, either).then(
    (texts) => ({ texts }),
    (thrown: unknown) => ({ thrown }),
  )
  const analyse = (member: ImageMember, image: Uint8Array, upright?: DetectedFace['turn']): Promise<AnalysedImage> =>
    withImageName(member, engines.faces.analyse(image, imageKinds[member], either, upright))
  let [selfie, front]: (AnalysedImage | undefined)[] = []
  let portrait: PortraitEvidence | undefined
  let frameFindings: FrameFindings | undefined
  try {
    // sequential: a job uses one thread of the models
    selfie = await analyse('selfie', images.selfie)
    front = await analyse('documentFront', images.documentFront)
    portrait = images.portrait && (await analysePortrait(engines.faces, images.portrait, selfie.faces[0], either))
    frameFindings = images.frames && (await analyseFrames(engines.faces, images.frames, selfie.faces[0], either))
  } catch (thrown) {
    refused.abort(thrown)
    await reading
    throw thrown
  }
  const read = await reading
  if ('thrown' in read) throw read.thrown
  const { frontText, backText } = read.texts
  // an upside-down face can resemble another one; text shows the orientation more reliably
  const upright = uprightRotation(frontText)
  if (upright !== undefined && upright !== (front.faces[0]?.turn ?? 0))
    front = await analyse('documentFront', images.documentFront, upright)
  // front and back may have been swapped
  const backImage = front.faces.length === 0 ? images.documentBack : undefined
  const back = backImage && (await analyse('documentBack', backImage, uprightRotation(backText)))
  const { thresholds } = engines
  const [own, printed] = [selfie.faces[0], front.faces[0] ?? back?.faces[0]]
  return {
    selfie: imageEvidence({ ...selfie, faces: withoutBystanders(selfie.faces) }, thresholds),
    front: imageEvidence(front, thresholds),
    hasBack: images.documentBack !== undefined,
    ...(back && { back: imageEvidence(back, thresholds) }),
    ...(own && printed && { faceLikeness: faceLikeness(own, printed) }),
    faceModel: engines.faces.comparisonModel,
    ...(portrait && { portrait }),
    ...(frameFindings && { frameFindings }),
    ...(own && selfie.faces.length === 1 && { template: templateOf(own) }),
    faces: facesOf({ selfie, documentFront: front, ...(back && { documentBack: back }) }),
    ...read.texts,
  }
}

/** Analyses the portrait; an invalid one leaves the chip without a face, and the images are still used. */
async function analysePortrait(
  faces: FaceAnalyser,
  image: Uint8Array,
  own: DetectedFace | undefined,
  signal: AbortSignal,
): Promise<PortraitEvidence> {
  try {
    const [face] = (await faces.analyse(image, 'chip', signal)).faces
    return {
      face: face && faceEvidence(face),
      likeness: own && face && faceLikeness(own, face),
    }
  } catch (thrown) {
    if (thrown instanceof InvalidImage) return { problem: thrown.problem }
    throw thrown
  }
}

const facesOf = (images: Partial<Readonly<Record<ImageMember, AnalysedImage>>>): FaceAreas =>
  Object.fromEntries(
    Object.entries(images).flatMap(([member, image]) => {
      const area = faceAreaOf(image)
      return area === undefined ? [] : [[member, area]]
    }),
  )

const imageKinds = { selfie: 'selfie', documentFront: 'document', documentBack: 'back' } as const

/** Returns the rotation that makes the page upright, if enough text was read. */
const uprightRotation = (text: DocumentText | undefined): DocumentText['rotation'] | undefined =>
  text !== undefined && (text.mrz !== undefined || text.confidence > 0.6) ? text.rotation : undefined

/**
 * Reads the sides again in more detail, for documents without a required item.
 * @returns the findings with the new text
 */
export async function readThoroughly(
  { reader }: ImageEngines,
  images: ImageBytes,
  findings: ImageFindings,
  signal: AbortSignal,
): Promise<ImageFindings> {
  const again = (image: Uint8Array | undefined, before: DocumentText | undefined): Promise<DocumentText | undefined> =>
    image === undefined || before === undefined ? Promise.resolve(before) : readSide(reader, image, signal, 'thorough')
  const [frontText, backText] = await Promise.all([
    again(images.documentFront, findings.frontText),
    again(images.documentBack, findings.backText),
  ])
  return { ...findings, ...(frontText && { frontText }), ...(backText && { backText }) }
}

/** Reads both sides, concurrently where the reader has two threads. */
async function readSides({ reader }: ImageEngines, { documentFront, documentBack }: ImageBytes, signal: AbortSignal) {
  const read = (member: ImageMember, image: Uint8Array | undefined): Promise<DocumentText | undefined> =>
    image === undefined ? Promise.resolve(undefined) : withImageName(member, readSide(reader, image, signal))
  const [front, back] = await Promise.allSettled([read('documentFront', documentFront), read('documentBack', documentBack)])
  if (front.status === 'rejected') throw front.reason
  if (back.status === 'rejected') throw back.reason
  return { ...(front.value && { frontText: front.value }), ...(back.value && { backText: back.value }) }
}

/** @returns undefined when the reader timed out: the document goes to review instead of being retried */
async function readSide(
  reader: DocumentReader,
  image: Uint8Array,
  signal: AbortSignal,
  effort: ReadingEffort = 'usual',
): Promise<DocumentText | undefined> {
  try {
    return await reader.readDocument(image, signal, effort)
  } catch (thrown) {
    if (thrown instanceof DeadlineExceeded && !signal.aborted) return undefined
    throw thrown
  }
}

const imageEvidence = ({ width, faces }: AnalysedImage, thresholds: Thresholds): ImageEvidence => ({
  width,
  faces: faces.map(faceEvidence),
  otherPersons: otherPersons(faces, thresholds),
})

function faceEvidence({
  box,
  score,
  sharpness,
  brightness,
  highlight,
  shareDark,
  shareBright,
  covering,
  apparentAge,
}: DetectedFace): FaceEvidence {
  return { width: box.width, score, sharpness, brightness, highlight, shareDark, shareBright, covering, apparentAge }
}

/** portraits of synthetic cards score 0.76 and more */
const clearScore = 0.7
/** px; a document with a smaller portrait is unreadable, and crests and patterns may look like faces */
const clearWidth = 40

/** share of the largest face's width below which a face is in the background */
const bystanderShare = 0.5
/** the same for low scores: 2 of 587 photographs have such a face with a score of at most 0.7 */
const besideShare = 0.75

/** Returns the largest face and those of comparable size, without persons in the background and face-like patterns. */
export function withoutBystanders([largest, ...rest]: readonly DetectedFace[]): readonly DetectedFace[] {
  if (largest === undefined) return []
  const isComparable = ({ score, box }: DetectedFace): boolean =>
    box.width >= (score > clearScore ? bystanderShare : besideShare) * largest.box.width
  return [largest, ...rest.filter(isComparable)]
}

/** Counts other persons of any size; a copy of the same portrait, as on many documents, is not counted. */
function otherPersons([first, ...rest]: readonly DetectedFace[], thresholds: Thresholds): number {
  if (first === undefined) return 0
  const clear = rest.filter(({ score, box }) => score > clearScore && box.width >= clearWidth)
  return clear.filter((face) => verdictOfLikeness(faceLikeness(face, first), thresholds) === 'another_person').length
}
