import { drawFace } from '../../../demonstration/documents/selfie.ts'
import type { Step } from '../../../subgraphs/verification/vocabulary.ts'
import { closedEyes, eyesOfDrawn, movedPhotograph, turnedHead } from './faces/moved-face.ts'

/** Frames of a drawn person: looking straight ahead, then each step followed by a straight look. @returns JPEGs in order */
export async function framesOf(seed: number, steps: readonly Step[]): Promise<readonly Buffer[]> {
  const eyes = eyesOfDrawn(seed)
  const frames: Buffer[] = []
  // frames of a camera are never identical
  const straight = (): Promise<Buffer> => drawFace(seed, { noise: 4 + frames.length })
  const movements: Readonly<Record<Step, (face: Buffer) => Promise<Buffer>>> = {
    turn_left: (face) => turnedHead(face, eyes, { left: 40 }),
    turn_right: (face) => turnedHead(face, eyes, { left: -40 }),
    look_up: (face) => turnedHead(face, eyes, { up: 26 }),
    blink: (face) => closedEyes(face, eyes),
    move_closer: (face) => movedPhotograph(face, { scale: 1.3 }),
  }
  frames.push(await straight())
  for (const step of steps) frames.push(await movements[step](await straight()), await straight())
  return frames
}

/** Frames of a photograph of a drawn person that is moved in front of the camera according to the steps. */
export async function photographOf(seed: number, steps: readonly Step[]): Promise<readonly Buffer[]> {
  const picture = await drawFace(seed)
  const frames = [await movedPhotograph(picture, { scale: 0.99 })]
  for (const step of steps) {
    const way = {
      turn_left: { squeeze: 0.8, tilt: 0.5, shear: 0.25 },
      turn_right: { squeeze: 0.8, tilt: -0.5, shear: -0.25 },
      look_up: { scale: 0.9, y: -0.05 },
      blink: { x: 0.02 },
      move_closer: { scale: 1.3 },
    }[step]
    frames.push(await movedPhotograph(picture, way), await movedPhotograph(picture, { scale: 0.98, x: frames.length / 500 }))
  }
  return frames
}
