/** A two-dimensional barcode that was found on a page. What it holds is data of whoever printed it: any character may stand in it. */
export interface Barcode {
  readonly symbology: 'PDF417' | 'QRCode' | 'DataMatrix'
  /** at most 4,096 characters; a longer one is none that a document has */
  readonly text: string
}

export const symbologies = ['PDF417', 'QRCode', 'DataMatrix'] as const satisfies readonly Barcode['symbology'][]
