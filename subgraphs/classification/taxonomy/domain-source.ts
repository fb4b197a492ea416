/** The languages that the shipped taxonomy is written in. */
export type TaxonomyLanguage = 'fr' | 'en' | 'ar'
export type InEachLanguage<Value> = Readonly<Record<TaxonomyLanguage, Value>>

/** What citizens say of something, by the tone in which they say it: they teach the subject and the tone. */
export interface Voices {
  readonly negative: readonly string[]
  readonly neutral: readonly string[]
  readonly positive: readonly string[]
}

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
    readonly examples: InEachLanguage<Voices>
    readonly words: InEachLanguage<string>
  }[]
}
