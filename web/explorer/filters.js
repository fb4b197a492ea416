/** What the reader wants to see, kept in the form and in the address, so that a view can be sent to somebody. */
import { byId, element } from '/pages/element.js'
import { followLanguages, labelOf, languageText, word } from './words.js'

const names = ['domain', 'sentiment', 'written', 'period']
const form = byId('filters')

/** @returns {{ domain: string, sentiment: string, written: string, period: string }} empty: any */
export const chosen = () => Object.fromEntries(names.map((name) => [name, form.elements[name].value]))

/** The first day of the chosen period, as the service takes it; undefined: since the beginning. */
export function firstDay({ period }) {
  if (period === '') return undefined
  return new Date(Date.now() - (Number(period) - 1) * 86_400_000).toISOString().slice(0, 10)
}

/** Fills the form from the address and calls `onChange` for every change of it, with whether it was cleared. */
export function followFilters(onChange) {
  const asked = new URLSearchParams(location.search)
  for (const name of names) {
    const value = asked.get(name)
    if (value === null) continue
    // choices that come with the data are not there yet
    if (['domain', 'written'].includes(name)) option(form.elements[name], value, value)
    form.elements[name].value = value
  }
  followLanguages(addressOf)
  form.addEventListener('submit', (event) => event.preventDefault())
  form.addEventListener('change', () => changed(() => onChange(false)))
  form.addEventListener('reset', () => setTimeout(() => changed(() => onChange(true))))
}

export function chooseDomain(id) {
  form.elements.domain.value = id
  form.dispatchEvent(new Event('change'))
}

function changed(onChange) {
  history.replaceState(null, '', addressOf(new URLSearchParams(location.search).get('lang')) || location.pathname)
  onChange()
}

function addressOf(lang) {
  const parameters = new URLSearchParams(
    Object.entries({ ...(lang === null ? {} : { lang }), ...chosen() }).filter(([, value]) => value !== ''),
  )
  return parameters.size === 0 ? '' : `?${parameters}`
}

function option(select, value, text) {
  const made = element('option', { value }, text)
  select.append(made)
  return made
}

export function offerDomains(domains) {
  const select = form.elements.domain
  const { value } = select
  select.replaceChildren(element('option', { value: '' }, word('allDomains')))
  for (const domain of domains) {
    option(select, domain.id, labelOf(domain))
    for (const part of domain.sub_domains) option(select, part.id, `\u2003${labelOf(part)}`)
  }
  keep(select, value)
}

/** @param {Record<string, number>} counts - expressions by language */
export function offerLanguages(counts) {
  const select = form.elements.written
  const { value } = select
  const codes = Object.keys(counts).toSorted((a, b) => counts[b] - counts[a])
  const known = [...select.options].map((each) => each.value).filter((each) => each !== '')
  const all = new Set([...codes, ...known])
  if (select.options.length === all.size + 1 && known.length === all.size) return
  select.replaceChildren(element('option', { value: '' }, word('allLanguages')))
  for (const code of all) option(select, code, languageText(code))
  keep(select, value)
}

function keep(select, value) {
  if (value !== '' && ![...select.options].some((each) => each.value === value)) option(select, value, value)
  select.value = value
}
