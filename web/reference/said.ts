import { word } from './words/words.ts'

const said: readonly (readonly [selector: string, attribute: string, value: string | ((element: Element) => string)])[] = [
  ['.opblock-tag', 'aria-level', '2'],
  ['.models h4', 'aria-level', '2'],
  ['.opblock h4', 'aria-level', '3'],
  ['.opblock h5', 'aria-level', '4'],
  ['.information-container', 'role', 'region'],
  ['.information-container', 'aria-label', word('about')],
  ['.scheme-container', 'role', 'region'],
  ['.scheme-container', 'aria-label', word('authorization')],
  ['textarea.body-param__text', 'aria-label', word('body')],
  ['.parameters select:not([aria-label]), .parameters input:not([aria-label])', 'aria-label', word('value')],
  ['.responses-table[role]', 'aria-label', (table) => word('responses').replace('{operation}', operationAround(table))],
  ['.microlight', 'tabindex', '0'],
]

function operationAround(element: Element): string {
  const operation = element.closest('.opblock')
  const method = operation?.querySelector('.opblock-summary-method')?.textContent
  return `${method} ${operation?.querySelector<HTMLElement>('[data-path]')?.dataset.path}`
}

/** Says what Swagger UI leaves out for a screen reader and the keyboard: names of fields, the levels of its headings, what its parts are, that they scroll. */
export function sayWhatIsLeftOut(place: Element): void {
  const say = (): void => {
    for (const [selector, name, value] of said)
      for (const element of document.querySelectorAll(`:is(${selector}):not([${name}])`))
        element.setAttribute(name, typeof value === 'string' ? value : value(element))
  }
  new MutationObserver(say).observe(place, { childList: true, subtree: true })
}
