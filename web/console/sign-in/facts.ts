/** What the console is told at the start. */
export interface ConsoleFacts {
  /** where administrators sign in by code; null where the platform's client has a secret, which no browser can keep */
  readonly signIn: SignInFacts | null
}

export interface SignInFacts {
  readonly issuer: string
  readonly clientId: string
  /** the one that is registered; null: this page's own address */
  readonly redirectUri: string | null
}
