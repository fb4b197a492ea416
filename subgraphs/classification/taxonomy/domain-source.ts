/** The languages that the shipped taxonomy is written in. */
export type TaxonomyLanguage = 'fr' | 'en' | 'ar'
type InEachLanguage<Value> = Readonly<Record<TaxonomyLanguage, Value>>

/**
 * One domain of the shipped taxonomy, as written by us. `examples` are what a citizen might say; `words` are terms of the field, separated
 * by spaces, which teach the classifier but are shown to nobody.
 */
export interface DomainSource {
  readonly id: string
  readonly label: InEachLanguage<string>
  readonly subDomains: readonly {
    /** the id is `<domain>/<slug>` */
    readonly slug: string
    readonly label: InEachLanguage<string>
    readonly examples: InEachLanguage<readonly string[]>
    readonly words: InEachLanguage<string>
  }[]
}
