/** A service answers, but work that depends on it makes no progress. Health shows the message. */
export class Stalled extends Error {
  constructor(sentence: string) {
    super(sentence)
    this.name = 'Stalled'
  }
}
