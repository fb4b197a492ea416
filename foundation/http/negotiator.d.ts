/** Types of the used part: the package has none. */
declare module 'negotiator' {
  export default class Negotiator {
    constructor(request: {
      readonly headers:
        | { readonly accept: string }
        | { readonly 'accept-encoding': string }
        | { readonly 'accept-language'?: string | undefined }
    })
    /** Returns the accepted ones of the available values, best first. */
    mediaTypes(available: readonly string[]): readonly string[]
    /** Returns the best accepted language; the first of equal ones. */
    language(available: readonly string[]): string | undefined
    /** Returns the accepted ones of the available values, best first; `preferred` decides between equal ones. */
    encodings(available: readonly string[], options: { readonly preferred: readonly string[] }): readonly string[]
  }
}
