/** A service answers, and work that goes by it does not get done. The sentence is shown in health. */
export class Stalled extends Error {
  constructor(sentence: string) {
    super(sentence)
    this.name = 'Stalled'
  }
}
