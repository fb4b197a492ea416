const rightToLeft = new Set(['ar', 'arc', 'ckb', 'dv', 'fa', 'he', 'khw', 'ks', 'nqo', 'ps', 'sd', 'syr', 'ug', 'ur', 'yi'])
const scripts = new Set(['arab', 'hebr', 'nkoo', 'adlm', 'syrc', 'thaa'])

/** Returns the direction of a language; `auto` without one. @param locale - BCP 47 */
export function directionOf(locale: string | null): 'auto' | 'ltr' | 'rtl' {
  if (locale === null || locale === '') return 'auto'
  const [tongue = '', script = ''] = locale.toLowerCase().split('-')
  if (scripts.has(script)) return 'rtl'
  return rightToLeft.has(tongue) && script !== 'latn' ? 'rtl' : 'ltr'
}

/** Returns the attributes for a text's language. */
export const written = ({ locale }: { readonly locale: string | null }) => ({ dir: directionOf(locale), lang: locale ?? undefined })

/**
 * Returns the name of a language.
 * @param tag - BCP 47; an invalid one is returned unchanged
 * @param language - of the page
 */
export function languageName(tag: string, language: string): string {
  try {
    const name = new Intl.DisplayNames([language], { type: 'language', fallback: 'code' }).of(tag) ?? tag
    return name.charAt(0).toLocaleUpperCase(language) + name.slice(1)
  } catch {
    return tag
  }
}

export const dayText = (moment: string, language: string): string =>
  new Intl.DateTimeFormat(language, { dateStyle: 'long' }).format(new Date(moment))
export const momentText = (moment: string, language: string): string =>
  new Intl.DateTimeFormat(language, { dateStyle: 'long', timeStyle: 'short' }).format(new Date(moment))
