import { escapeHtml as escaped } from '../../web/shared/page-file.ts'
import { page } from './html.ts'
import type { OpenApi, OpenApiOperation } from './openapi-document.ts'

/** An OpenAPI document as a page that needs no script and no network. */
export function documentationPage({ info, paths, components }: OpenApi): string {
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => operationSection(method.toUpperCase(), path, operation)),
  )
  const schemas = Object.entries(components.schemas).map(
    ([name, schema]) => `<h3 id="${escaped(name)}">${escaped(name)}</h3>\n${code(schema)}`,
  )
  return page(
    info.title,
    `<h1>${escaped(info.title)} ${escaped(info.version)}</h1>
<p>${escaped(info.description)} <a href="/openapi.json">OpenAPI document</a>.</p>
<h2>Operations</h2>
${operations.join('\n')}
<h2>Schemas</h2>
${schemas.join('\n')}`,
  )
}

function operationSection(method: string, path: string, operation: OpenApiOperation): string {
  const { summary, description, parameters = [], requestBody, responses, security = [] } = operation
  const needed = security.flatMap((each) => Object.keys(each)).map((name) => escaped(name))
  const rows = [
    ...(needed.length === 0 ? [] : [row('needs', needed.join(' or '))]),
    ...parameters.map(({ in: where, name, required, schema, description: about = '' }) =>
      row(`${where} <code>${escaped(name)}</code>`, `${required ? 'required, ' : ''}${typeOf(schema)} ${escaped(about)}`),
    ),
    ...Object.values(requestBody?.content ?? {}).map(({ schema }) => row('body', typeOf(schema))),
    ...Object.entries(responses).map(([status, { description: sentence, content = {} }]) =>
      row(
        escaped(status),
        `${escaped(sentence)} ${Object.entries(content)
          .map(([type, { schema }]) => `${escaped(type)} ${typeOf(schema)}`)
          .join(', ')}`,
      ),
    ),
  ]
  const extension = operation['x-civigraph-extension'] ? ' (addition to the interface specification)' : ''
  return `<h3><code>${method} ${escaped(path)}</code></h3>
<p>${escaped(summary)}${extension}. ${escaped(description ?? '')}</p>
<table>
${rows.join('\n')}
</table>`
}

const row = (name: string, value: string): string => `<tr><th>${name}<td>${value}`
const code = (value: unknown): string => `<pre>${escaped(JSON.stringify(value, undefined, 2))}</pre>`

function typeOf(schema: Readonly<Record<string, unknown>>): string {
  const { $ref, type } = schema
  if (typeof $ref === 'string') {
    const name = $ref.split('/').at(-1) ?? $ref
    return `<a href="#${escaped(name)}">${escaped(name)}</a>`
  }
  return typeof type === 'string' ? escaped(type) : ''
}
