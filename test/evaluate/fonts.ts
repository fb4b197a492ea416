import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { PrintStyle } from '../../demonstration/documents/drawn-document.ts'

const require = createRequire(import.meta.url)
const file = (name: string, path: string): string => join(dirname(require.resolve(`${name}/package.json`)), path)

const noto = '@expo-google-fonts/noto-sans'
const serif = '@expo-google-fonts/noto-serif'
const roboto = '@expo-google-fonts/roboto-condensed'
const fontFiles = [
  file(noto, '400Regular/NotoSans_400Regular.ttf'),
  file(noto, '700Bold/NotoSans_700Bold.ttf'),
  file(serif, '400Regular/NotoSerif_400Regular.ttf'),
  file(serif, '700Bold/NotoSerif_700Bold.ttf'),
  file(roboto, '400Regular/RobotoCondensed_400Regular.ttf'),
  file(roboto, '700Bold/RobotoCondensed_700Bold.ttf'),
  file('@expo-google-fonts/b612-mono', '400Regular/B612Mono_400Regular.ttf'),
  // a barcode library that includes OCR-B
  join(dirname(require.resolve('bwip-js')), '../fonts/OCRB7.ttf'),
]

/** OCR-B, which documents use, and common computer fonts for the other text. */
const zoneFonts = {
  ocrB: { family: 'OCRB', size: 3.5, advance: 0.703 },
  dejavu: { family: 'DejaVu Sans Mono', size: 3.6, advance: 0.602 },
  b612: { family: 'B612 Mono', size: 3.4, advance: 0.65 },
} as const

export const printings: Readonly<Record<string, PrintStyle>> = {
  'DejaVu Sans, OCR-B': { font: 'DejaVu Sans', zoneFont: zoneFonts.ocrB, fontFiles },
  'Noto Sans, OCR-B': { font: 'Noto Sans', zoneFont: zoneFonts.ocrB, fontFiles },
  'DejaVu Serif, DejaVu Mono': { font: 'DejaVu Serif', zoneFont: zoneFonts.dejavu, fontFiles },
  'Noto Serif, OCR-B': { font: 'Noto Serif', zoneFont: zoneFonts.ocrB, fontFiles },
  'Roboto Condensed, B612 Mono': { font: 'Roboto Condensed', zoneFont: zoneFonts.b612, fontFiles },
  'Noto Sans, DejaVu Mono': { font: 'Noto Sans', zoneFont: zoneFonts.dejavu, fontFiles },
}
