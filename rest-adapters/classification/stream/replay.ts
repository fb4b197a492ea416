type Frame = Buffer | string

const framesPerTurn = 100

/** Sends missed events to a client as fast as it reads. */
export class Replay {
  readonly #write: (frame: Frame) => void
  readonly #drained: () => Promise<boolean>
  #waiting: Frame[] = []
  #isRunning = false

  /** @param drained - waits until the client has read; resolves to whether it is connected */
  constructor(write: (frame: Frame) => void, drained: () => Promise<boolean>) {
    this.#write = write
    this.#drained = drained
  }

  /** whether frames are queued or were just written: new ones must follow them */
  get isRunning(): boolean {
    return this.#isRunning
  }

  get waiting(): number {
    return this.#waiting.length
  }

  add(frames: readonly Frame[]): void {
    for (const frame of frames) this.#waiting.push(frame)
    if (!this.#isRunning) void this.#run()
  }

  clear(): void {
    this.#waiting = []
  }

  async #run(): Promise<void> {
    this.#isRunning = true
    while (this.#waiting.length > 0) {
      for (const frame of this.#waiting.splice(0, framesPerTurn)) this.#write(frame)
      if (!(await this.#drained())) this.clear()
    }
    this.#isRunning = false
  }
}
