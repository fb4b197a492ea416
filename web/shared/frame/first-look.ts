/**
 * Runs in the head of every page before the first paint: sets language, direction and colours to the user's last choice on any page. It is
 * a classic script and imports nothing. The pages read its result from the root element.
 */
{
  const languages = ['fr', 'en', 'ar']
  // linear: a constant name; the repeat is the last part
  const chosen = (choice: string): string | undefined => new RegExp(`(?:^|; )civigraph\\.${choice}=(\\w+)`).exec(document.cookie)?.[1]

  const root = document.documentElement
  // from the address, the last choice, or the browser's preference
  const wishes = [
    new URLSearchParams(location.search).get('lang'),
    chosen('language'),
    ...navigator.languages.map((each) => each.slice(0, 2)),
  ]
  root.lang = wishes.find((each) => languages.includes(each ?? '')) ?? 'en'
  root.dir = root.lang === 'ar' ? 'rtl' : 'ltr'
  const theme = chosen('theme')
  if (theme === 'light' || theme === 'dark') root.dataset.theme = theme
}
