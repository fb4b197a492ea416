/** An engine is available but unusable until an operator changes it or its setting; a retry does not help. */
export class EngineRefusal extends Error {
  constructor(sentence: string) {
    super(sentence)
    this.name = 'EngineRefusal'
  }
}

/**
 * @param version - reported by the engine: "7.2.4"; accepted if it does not begin with a number
 * @param oldest - minimum major version
 * @throws {EngineRefusal} one sentence
 */
export function refuseOld(engine: string, version: string, oldest: number): void {
  if (Number.parseInt(version, 10) < oldest)
    throw new EngineRefusal(`${engine} ${version} is too old: version ${oldest} or newer is required`)
}
