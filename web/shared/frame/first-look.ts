/**
 * Runs in the head of every page, before anything is painted: language, direction and colours are those that were chosen on any page.
 * A classic script by itself, so it imports nothing. The pages read what it found from the root element.
 */
{
  const known = ['fr', 'en', 'ar']
  // linear: a constant name; the repeat is the last part
  const chosen = (choice: string): string | undefined => new RegExp(`(?:^|; )civigraph\\.${choice}=(\\w+)`).exec(document.cookie)?.[1]

  const root = document.documentElement
  // asked for in the address, chosen before, or what the browser prefers
  const wishes = [
    new URLSearchParams(location.search).get('lang'),
    chosen('language'),
    ...navigator.languages.map((each) => each.slice(0, 2)),
  ]
  root.lang = wishes.find((each) => known.includes(each ?? '')) ?? 'en'
  root.dir = root.lang === 'ar' ? 'rtl' : 'ltr'
  const theme = chosen('theme')
  if (theme === 'light' || theme === 'dark') root.dataset.theme = theme
}
