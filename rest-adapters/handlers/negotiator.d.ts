/** The part that we use: the package has no types of its own. */
declare module 'negotiator' {
  export default class Negotiator {
    constructor(request: { readonly headers: { readonly accept: string } })
    /** Those of the available ones that are accepted, the best first. */
    mediaTypes(available: readonly string[]): readonly string[]
  }
}
