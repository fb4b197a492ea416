/** Steps of a challenge; left and right are the citizen's. */
export const LivenessStep = {
  TURN_LEFT: 'turn_left',
  TURN_RIGHT: 'turn_right',
  LOOK_UP: 'look_up',
  BLINK: 'blink',
  MOVE_CLOSER: 'move_closer',
} as const

export type Step = (typeof LivenessStep)[keyof typeof LivenessStep]

/** Maximum of frames: enough to show three steps there and back. */
export const maxFrames = 20
/** Minimum of frames: the face before the first step, and one per step. */
export const leastFrames = 4
/** Seconds from the start of a challenge to the submission of its frames, by the database clock. */
export const challengeSeconds = 60
