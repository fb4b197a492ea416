/** What a citizen may be asked to do before the camera; left and right are their own. */
export const LivenessStep = {
  TURN_LEFT: 'turn_left',
  TURN_RIGHT: 'turn_right',
  LOOK_UP: 'look_up',
  BLINK: 'blink',
  MOVE_CLOSER: 'move_closer',
} as const

export type Step = (typeof LivenessStep)[keyof typeof LivenessStep]

/** The most that a challenge takes. Enough for three steps seen on their way there and back. */
export const maxFrames = 20
/** One of the face before the first step, and one for each step. */
export const leastFrames = 4
/** Seconds from the start of a challenge to the submission of its frames, by the clock of the database. */
export const challengeSeconds = 60
