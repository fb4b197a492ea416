import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

export interface FontFamily {
  /** as Typst knows it */
  readonly name: string
  /** its styles */
  readonly files: readonly string[]
}

const folderOf = (name: string): string => dirname(createRequire(import.meta.url).resolve(`${name}/package.json`))

/** A family of the packages of Google Fonts. @param styles - such as 700Bold */
function family(name: string, styles: readonly string[]): FontFamily {
  const folder = folderOf(`@expo-google-fonts/${name.toLowerCase().replaceAll(' ', '-')}`)
  return { name, files: styles.map((style) => join(folder, style, `${name.replaceAll(' ', '')}_${style}.ttf`)) }
}

const plainStyles = ['400Regular', '400Regular_Italic', '700Bold', '700Bold_Italic']

/**
 * The fonts of printed pages, all from packages, none of the system: Latin, Greek and Cyrillic, Arabic, code, then everything else that
 * DejaVu has (N’Ko, Tifinagh, Hebrew, signs) and emoji. Amiri, and not Noto, is the Arabic one because its letters are single glyphs: with
 * dots as glyphs of their own, a reader that copies or searches the text finds its letters torn apart and doubled.
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
