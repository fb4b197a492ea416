/** Facts that the server embeds in the page. */
export interface ConsoleFacts {
  /** minutes without input after which the console locks; 0: never */
  readonly idleMinutes: number
  /** null where the platform's OIDC client has a secret, which a browser cannot keep */
  readonly signIn: SignInFacts | null
}

export interface SignInFacts {
  readonly issuer: string
  readonly clientId: string
  /** registered redirect address; null: the address of this page */
  readonly redirectUri: string | null
}
