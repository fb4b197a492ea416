/** What citizens might say about one domain, by tone. Whole sentences that can stand next to each other. */
export interface DomainSentences {
  readonly negative: readonly string[]
  readonly positive: readonly string[]
  readonly neutral: readonly string[]
}

/** What one language contributes: by domain, and what may stand before and after any of it. `{place}` stands for the name of a town. */
export interface LanguageSentences {
  readonly byDomain: Readonly<Record<string, DomainSentences>>
  readonly before: readonly string[]
  readonly after: DomainSentences
}
