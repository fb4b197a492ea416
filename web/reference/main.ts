import '../shared/look/look.css'
import 'swagger-ui-dist/swagger-ui.css'
import './reference.css'
import { elementAt } from '../shared/frame/element.ts'
import { describedInterface, developmentCredentials } from './interface.ts'
import { plainer } from './plainer.ts'
import { sayWhatIsLeftOut } from './said.ts'
import { mountSignIn } from './sign-in.ts'
import { SwaggerUIBundle } from './swagger-ui.ts'
import { word } from './words/words.ts'

/** The OpenAPI document of this listener in Swagger UI; what is tried there is asked of this listener. */
const dark = matchMedia('(prefers-color-scheme: dark)')
const { theme } = document.documentElement.dataset
const followColours = (): void =>
  void document.documentElement.classList.toggle('dark-mode', theme === undefined ? dark.matches : theme === 'dark')
dark.addEventListener('change', followColours)
followColours()

const [spec, { key, account }] = await Promise.all([describedInterface(), developmentCredentials()])
const { accessToken, serviceKey } = spec.components.securitySchemes ?? {}
const login = spec.paths['/auth/login']?.post?.requestBody?.content['application/json']
// it is kept nowhere, neither by `persistAuthorization`, which is for all tabs and for good, nor in this tab, as a session that ends is
if (serviceKey !== undefined) serviceKey.description = `${serviceKey.description}. ${word('key-forgotten')}`
if (login !== undefined && account !== undefined) login.example = account

const place = elementAt('#content', HTMLElement)
sayWhatIsLeftOut(place)

const shown = SwaggerUIBundle({
  spec,
  domNode: place,
  deepLinking: true,
  plugins: [plainer],
  defaultModelsExpandDepth: 0,
  displayRequestDuration: true,
  // nothing of this page goes to another host
  validatorUrl: null,
  syntaxHighlight: { activated: false },
  onComplete() {
    if (key !== undefined && serviceKey !== undefined) shown.preauthorizeApiKey('serviceKey', key)
    if (accessToken !== undefined)
      mountSignIn(account, (token) =>
        token === undefined ? shown.authActions.logout(['accessToken']) : shown.preauthorizeApiKey('accessToken', token),
      )
  },
})
