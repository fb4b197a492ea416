/** Red, green and blue bytes of each pixel, row by row from the top left. */
export interface Pixels {
  readonly width: number
  readonly height: number
  readonly data: Uint8Array
}
