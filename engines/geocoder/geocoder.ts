export interface Place {
  readonly lat: number
  readonly lon: number
  /** precision of the position */
  readonly precision: 'address' | 'street' | 'city' | 'region' | 'country'
  /** name at the source */
  readonly name: string
  /** ISO 3166-1 alpha-2 */
  readonly country: string | null
}

export interface Address {
  readonly address?: string | undefined
  readonly postcode?: string | undefined
  readonly city?: string | undefined
  /** alpha-2, alpha-3 or a name */
  readonly country?: string | undefined
}

/** Finds the position of places. */
export interface Geocoder {
  /** source of the positions, such as "gazetteer" */
  readonly source: string
  /**
   * @returns undefined if the place is unknown
   * @throws {EngineUnavailable}
   */
  locate(address: Address, signal: AbortSignal): Promise<Place | undefined>
  /** Returns the place that a text mentions, if any. */
  find(text: string, signal: AbortSignal): Promise<Place | undefined>
}
