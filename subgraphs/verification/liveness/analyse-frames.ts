import { createHash } from 'node:crypto'
import { type DetectedFace, type FaceAnalyser, type FaceLikeness, faceLikeness } from '../../../engines/face-analyser/face-analyser.ts'
import { eyesLikeness } from '../../../engines/face-analyser/face-eyes.ts'
import { InvalidImage } from '../../../engines/inference/images/invalid-image.ts'
import type { SubmittedFrame } from '../submission/submission.ts'
import { type HeadMotion, headMotion } from './head-motion.ts'

/** A frame of a challenge. */
export interface FrameEvidence {
  /** milliseconds since the client received the challenge, by its clock */
  readonly atMs: number
  /** 0 also for an invalid image */
  readonly faces: number
  /** motion of the largest face relative to the first frame; absent without a face in either */
  readonly motion?: HeadMotion | undefined
  /** similarity of the eyes to those of the first frame, 0 to 1 */
  readonly eyes?: number | undefined
  readonly toFirst?: FaceLikeness | undefined
  /** similarity to the largest face of the selfie */
  readonly toSelfie?: FaceLikeness | undefined
}

/** Findings in the frames of a challenge. */
export interface FrameFindings {
  readonly frames: readonly FrameEvidence[]
  /** number of frames that are identical to an earlier one */
  readonly repeated: number
}

/**
 * Analyses each frame; an invalid image has no face. Motions are relative to the first frame.
 * @param selfie - its largest face  @throws errors of the analyser except refused images
 */
export async function analyseFrames(
  analyser: FaceAnalyser,
  frames: readonly SubmittedFrame[],
  selfie: DetectedFace | undefined,
  signal: AbortSignal,
): Promise<FrameFindings> {
  const seen: FrameEvidence[] = []
  let first: DetectedFace | undefined
  for (const { bytes, atMs } of frames) {
    const faces = await facesIn(analyser, bytes, signal)
    const [face] = faces
    if (seen.length === 0) first = face
    seen.push({
      atMs,
      faces: faces.length,
      motion: first && face && headMotion(first.landmarks, face.landmarks),
      eyes: first && face && eyesLikeness(first.eyes, face.eyes),
      toFirst: first && face && faceLikeness(first, face),
      toSelfie: selfie && face && faceLikeness(selfie, face),
    })
  }
  const digests = new Set(frames.map(({ bytes }) => createHash('sha256').update(bytes).digest('hex')))
  return { frames: seen, repeated: frames.length - digests.size }
}

async function facesIn(analyser: FaceAnalyser, image: Uint8Array, signal: AbortSignal): Promise<readonly DetectedFace[]> {
  try {
    return (await analyser.analyse(image, 'frame', signal)).faces
  } catch (thrown) {
    if (thrown instanceof InvalidImage) return []
    throw thrown
  }
}
