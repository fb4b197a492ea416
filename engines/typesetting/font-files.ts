import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

export interface FontFamily {
  /** family name in Typst */
  readonly name: string
  /** font files of its styles */
  readonly files: readonly string[]
}

const folderOf = (name: string): string => dirname(createRequire(import.meta.url).resolve(`${name}/package.json`))

/** Returns a family of the Google Fonts packages. @param styles - such as 700Bold */
function family(name: string, styles: readonly string[]): FontFamily {
  const folder = folderOf(`@expo-google-fonts/${name.toLowerCase().replaceAll(' ', '-')}`)
  return { name, files: styles.map((style) => join(folder, style, `${name.replaceAll(' ', '')}_${style}.ttf`)) }
}

const plainStyles = ['400Regular', '400Regular_Italic', '700Bold', '700Bold_Italic']

/**
 * Returns the fonts of printed pages, all from packages: Latin, Greek and Cyrillic, Arabic, code, other scripts of DejaVu (N’Ko, Tifinagh, Hebrew,
 * symbols) and emoji. The Arabic font is Amiri because its letters are single glyphs; with separate glyphs for dots (Noto), copied or searched text
 * has split and doubled letters.
 */
export function fontFamilies(): readonly FontFamily[] {
  const dejavu = (name: string): string => join(folderOf('dejavu-fonts-ttf'), 'ttf', `${name}.ttf`)
  return [
    family('Noto Serif', plainStyles),
    family('Noto Sans', plainStyles),
    family('Amiri', plainStyles),
    // one style only: the others have far fewer characters
    { name: 'DejaVu Sans Mono', files: [dejavu('DejaVuSansMono')] },
    { name: 'DejaVu Sans', files: [dejavu('DejaVuSans')] },
    family('Noto Emoji', ['400Regular', '700Bold']),
  ]
}
