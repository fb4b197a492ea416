export interface Place {
  readonly lat: number
  readonly lon: number
  /** how exact the position is */
  readonly precision: 'address' | 'street' | 'city' | 'region' | 'country'
  /** as the source calls it */
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

/** Finds where something is. */
export interface Geocoder {
  /** says where positions come from, such as "gazetteer" */
  readonly source: string
  /** @returns undefined when it knows no such place   @throws {EngineUnavailable} */
  locate(address: Address, signal: AbortSignal): Promise<Place | undefined>
  /** The place that a text speaks of, if it names one. */
  find(text: string, signal: AbortSignal): Promise<Place | undefined>
}
