/** A two-dimensional barcode found on a page. Its content is untrusted and may contain any character. */
export interface Barcode {
  readonly symbology: 'PDF417' | 'QRCode' | 'DataMatrix'
  /** bytes as UTF-8, or in the character set that the decoder guessed; at most 4,096 characters, more than any document barcode has */
  readonly text: string
  /** raw bytes, over which a seal is computed */
  readonly bytes: Uint8Array
}

export const symbologies = ['PDF417', 'QRCode', 'DataMatrix'] as const satisfies readonly Barcode['symbology'][]
