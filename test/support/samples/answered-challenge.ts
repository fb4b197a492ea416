import type { LivenessEvidence } from '../../../subgraphs/verification/checks/evidence.ts'
import type { FrameEvidence } from '../../../subgraphs/verification/liveness/analyse-frames.ts'

/** A frame of the person on the selfie, who looks straight ahead and holds still by default. */
export const frameOf = (
  atMs: number,
  motion: Partial<NonNullable<FrameEvidence['motion']>> = {},
  more: Partial<FrameEvidence> = {},
): FrameEvidence => ({
  atMs,
  faces: 1,
  motion: { left: 0, up: 0, size: 1, ...motion },
  eyes: 1,
  toFirst: { distance: 0.2 },
  toSelfie: { distance: 0.3 },
  ...more,
})

/** A passed challenge: left, up, blink; the face is closer at the end. */
export const answered: LivenessEvidence = {
  steps: ['turn_left', 'look_up', 'blink'],
  elapsedMs: 20_000,
  isLate: false,
  repeated: 0,
  frames: [
    frameOf(0),
    frameOf(2000, { left: 0.2 }),
    frameOf(4000),
    frameOf(6000, { up: 0.15 }),
    frameOf(8000, {}, { eyes: 0.5 }),
    frameOf(9000, { size: 1.4 }),
  ],
}
