/** The OpenAPI document of this listener in Swagger UI; what is tried there is asked of this listener. */
import { mountSignIn } from './sign-in.js'

const dark = matchMedia('(prefers-color-scheme: dark)')
const followColours = () => document.documentElement.classList.toggle('dark-mode', dark.matches)
dark.addEventListener('change', followColours)
followColours()

/** What a developer would type in: only in development is there any. */
async function developmentCredentials() {
  const response = await fetch('/docs/development.json')
  return response.ok ? response.json() : {}
}

const [document_, { key, account }] = await Promise.all([(await fetch('/openapi.json')).json(), developmentCredentials()])
const { accessToken, serviceKey } = document_.components.securitySchemes ?? {}
const login = document_.paths['/auth/login']?.post.requestBody.content['application/json']
if (login !== undefined && account !== undefined) login.example = account

/** A PDF is no text to be read here: as nothing in particular it is offered as a file to save. */
const savedAs = (type) => (/^application\/pdf/.test(type) ? 'application/octet-stream' : type)

/** What of Swagger UI does not fit here: the only server is this one, and a link within a button reaches nobody who has no mouse. */
const plainer = () => ({
  wrapComponents: {
    ServersContainer: () => () => null,
    DeepLink:
      (_, { React }) =>
      ({ text }) =>
        React.createElement('span', {}, text),
    responseBody:
      (ResponseBody, { React }) =>
      (props) =>
        React.createElement(ResponseBody, { ...props, contentType: savedAs(props.contentType) }),
  },
})

/** What Swagger UI leaves out for a screen reader and the keyboard: names of fields, the levels of its headings, what its parts are, that they scroll. */
const said = [
  ['.opblock-tag', 'aria-level', '2'],
  ['.models h4', 'aria-level', '2'],
  ['.opblock h4', 'aria-level', '3'],
  ['.opblock h5', 'aria-level', '4'],
  ['.information-container', 'role', 'region'],
  ['.information-container', 'aria-label', 'About this interface'],
  ['.scheme-container', 'role', 'region'],
  ['.scheme-container', 'aria-label', 'Authorization'],
  ['textarea.body-param__text', 'aria-label', 'Body'],
  ['.parameters select:not([aria-label]), .parameters input:not([aria-label])', 'aria-label', 'Value'],
  ['.responses-table[role]', 'aria-label', (table) => `Responses of ${operationAround(table)}`],
  ['.microlight', 'tabindex', '0'],
]
const operationAround = (element) => {
  const operation = element.closest('.opblock')
  return `${operation.querySelector('.opblock-summary-method').textContent} ${operation.querySelector('[data-path]').dataset.path}`
}
const say = () => {
  for (const [selector, name, value] of said)
    for (const element of document.querySelectorAll(`:is(${selector}):not([${name}])`))
      element.setAttribute(name, typeof value === 'string' ? value : value(element))
}
new MutationObserver(say).observe(document.querySelector('#content'), { childList: true, subtree: true })

const { SwaggerUIBundle } = globalThis
const interface_ = SwaggerUIBundle({
  spec: document_,
  domNode: document.querySelector('#content'),
  deepLinking: true,
  plugins: [plainer],
  defaultModelsExpandDepth: 0,
  displayRequestDuration: true,
  // nothing of this page goes to another host
  validatorUrl: null,
  syntaxHighlight: { activated: false },
  onComplete() {
    if (key !== undefined && serviceKey !== undefined) interface_.preauthorizeApiKey('serviceKey', key)
  },
})

if (accessToken !== undefined)
  mountSignIn({ account, onToken: (token) => (token === undefined ? signOut() : interface_.preauthorizeApiKey('accessToken', token)) })

const signOut = () => interface_.authActions.logout(['accessToken'])
