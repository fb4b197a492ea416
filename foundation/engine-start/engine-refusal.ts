/** An engine is there and cannot be worked with until somebody changes it, or the setting that leads to it: waiting does not help. */
export class EngineRefusal extends Error {
  constructor(sentence: string) {
    super(sentence)
    this.name = 'EngineRefusal'
  }
}

/**
 * @param version - as the engine says it: "7.2.4"; one that does not begin with a number is not refused
 * @param oldest - major version
 * @throws {EngineRefusal} one sentence
 */
export function refuseOld(engine: string, version: string, oldest: number): void {
  if (Number.parseInt(version, 10) < oldest)
    throw new EngineRefusal(`${engine} cannot be used: it is ${version}, and ${oldest} or newer is needed`)
}
