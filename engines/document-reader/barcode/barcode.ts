/** A two-dimensional barcode that was found on a page. What it holds is data of whoever printed it: any character may stand in it. */
export interface Barcode {
  readonly symbology: 'PDF417' | 'QRCode' | 'DataMatrix'
  /** its bytes as UTF-8, or where they are none as the decoder takes them; at most 4,096 characters; a longer one is none that a document has */
  readonly text: string
  /** as they stand in it: what a seal signs */
  readonly bytes: Uint8Array
}

export const symbologies = ['PDF417', 'QRCode', 'DataMatrix'] as const satisfies readonly Barcode['symbology'][]
