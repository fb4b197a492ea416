/** The part that we use: the package has no types of its own. */
declare module 'negotiator' {
  export default class Negotiator {
    constructor(request: { readonly headers: { readonly accept: string } | { readonly 'accept-encoding': string } })
    /** Those of the available ones that are accepted, the best first. */
    mediaTypes(available: readonly string[]): readonly string[]
    /** The best of the available ones that is accepted; `preferred` decides among those that the client likes alike. */
    encoding(available: readonly string[], options: { readonly preferred: readonly string[] }): string | undefined
  }
}
