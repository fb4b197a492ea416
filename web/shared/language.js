/** What a page says in several languages, and the links that change the language. */
const fallback = 'en'

/**
 * @param {Record<string, Record<string, string | Record<string, string>>>} all - words by language, English among them. `{name}` in a text
 *   stands for a value; plural forms are chosen by Intl.PluralRules.
 */
export function speak(all) {
  /** asked for in the address, chosen before, or what the browser prefers */
  const wishes = [askedLanguage(), remembered(), ...navigator.languages.map((each) => each.slice(0, 2))]
  const language = wishes.find((each) => each !== null && Object.hasOwn(all, each)) ?? fallback
  const words = all[language]
  const plural = new Intl.PluralRules(language)

  /** @param {string} key @param {Record<string, string | number>} values - a member `count` chooses among plural forms */
  const word = (key, values = {}) => {
    const found = words[key] ?? all[fallback][key] ?? key
    const text = typeof found === 'string' ? found : (found[plural.select(values.count)] ?? found.other)
    return text.replace(/\{(\w+)\}/g, (_, name) => String(values[name] ?? ''))
  }

  /** Puts the words into the page, which says where they go by `data-word` (its text) and `data-label` (its accessible name). */
  const translatePage = () => {
    document.documentElement.lang = language
    document.documentElement.dir = language === 'ar' ? 'rtl' : 'ltr'
    document.title = `${word('title')} · Civigraph`
    for (const each of document.querySelectorAll('[data-word]')) each.textContent = word(each.dataset.word)
    for (const each of document.querySelectorAll('[data-label]')) each.setAttribute('aria-label', word(each.dataset.label))
  }

  /** Makes the links lead to this very view in another language. @param {(code: string) => string} addressOf - the query of it */
  const followLanguages = (addressOf) => {
    for (const link of document.querySelectorAll('.languages a')) {
      if (link.lang === language) link.setAttribute('aria-current', 'true')
      link.addEventListener('click', () => {
        remember(link.lang)
        link.search = addressOf(link.lang)
      })
    }
  }
  return { language, word, translatePage, followLanguages }
}

export const askedLanguage = () => new URLSearchParams(location.search).get('lang')

const remembered = () => /(?:^|; )civigraph\.language=(\w+)/.exec(document.cookie)?.[1] ?? null

/** Keeps the choice for the next visit, of any page on this host. */
function remember(code) {
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is not in every browser
  document.cookie = `civigraph.language=${code}; Path=/; Max-Age=31536000; SameSite=Lax`
}
