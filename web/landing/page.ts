import type { ComponentName } from '../../subgraphs/foundation/component-names.ts'
import { escapeHtml, textOf } from '../serving/page-file.ts'

/** A component as the landing page shows it. */
export interface ShownComponent {
  readonly name: ComponentName
  /** of its REST interface; undefined when that is not known here */
  readonly port: number | undefined
}

interface Described {
  readonly letter: string
  readonly title: string
  readonly about: string
  /** what its REST interface shows at / */
  readonly page?: string
}

const described = {
  verification: {
    letter: 'A',
    title: 'Biometric verification',
    about: 'Compares a selfie with an identity document and a declared identity, and says why it came to its outcome.',
    page: 'Try a verification',
  },
  exploration: {
    letter: 'B',
    title: 'Exploration',
    about: 'Shows what citizens express: on a map, by domain, and in global indicators, as it changes.',
    page: 'See what citizens say',
  },
  classification: {
    letter: 'C',
    title: 'Classification',
    about: 'Takes in citizens’ expressions, enriches and classifies them in several languages, and makes them searchable.',
  },
  administration: {
    letter: 'D',
    title: 'Administration',
    about: 'Signs administrators in, with their roles, and lists the delegations that they may see.',
  },
  content: {
    letter: 'E',
    title: 'Content',
    about: 'Keeps the tree of an interactive magazine for each tenant, and gives it out whole, in part, or as PDF.',
    page: 'Read the magazine',
  },
} as const satisfies Record<ComponentName, Described>

/**
 * The page at the gateway's root.
 * @param origin - of the gateway as the browser knows it; the components are other ports of the same host
 */
export function landingPage(components: readonly ShownComponent[], version: string, { origin, protocol, hostname }: URL): string {
  return textOf('web/landing/landing.html')
    .replace('<!-- components -->', () => components.map((component) => item(component, `${protocol}//${hostname}`)).join('\n        '))
    .replace('<!-- origin -->', () => escapeHtml(origin))
    .replace('<!-- version -->', () => escapeHtml(version))
}

/** @param host - of all components, with its protocol */
function item({ name, port }: ShownComponent, host: string): string {
  const { letter, title, about, page }: Described = described[name]
  const base = port === undefined ? undefined : escapeHtml(`${host}:${port}`)
  const link = (path: string, text: string): string => `<li><a href="${base}${path}">${text}<span class="unseen">: ${title}</span></a></li>`
  const links = [
    ...(page === undefined ? [] : [link('/', page)]),
    link('/docs', 'REST documentation'),
    link('/openapi.json', 'OpenAPI document'),
    link('/health', 'Health'),
  ]
  return `<li data-component="${name}">
          <span class="letter" aria-hidden="true">${letter}</span>
          <div>
            <h3><span class="name">${title}</span> <span class="state">Asking</span></h3>
            <p>${about}</p>
            <p class="quiet">${base === undefined ? 'REST on a port of its own' : `REST at <code>${base}</code>`}</p>
          </div>
          ${base === undefined ? '' : `<ul class="links">${links.join('')}</ul>`}
          <ul class="checks"></ul>
        </li>`
}
