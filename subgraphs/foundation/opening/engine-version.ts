/** An engine is there and older than what we work with: nothing helps but its upgrade. */
export class EngineTooOld extends Error {
  constructor(sentence: string) {
    super(sentence)
    this.name = 'EngineTooOld'
  }
}

/**
 * @param version - as the engine says it: "7.2.4"; one that does not begin with a number is not refused
 * @param oldest - major version
 * @throws {EngineTooOld} one sentence
 */
export function refuseOld(engine: string, version: string, oldest: number): void {
  if (Number.parseInt(version, 10) < oldest)
    throw new EngineTooOld(`${engine} cannot be used: it is ${version}, and ${oldest} or newer is needed`)
}
