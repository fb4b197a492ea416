import { elementAt } from '../shared/frame/element.ts'
import examples from './examples.json' with { type: 'json' }
import { word } from './words/words.ts'

interface Example {
  readonly query: string
  readonly variables?: object
}

/** Links that open an example each. */
export function mountExamples(): void {
  elementAt('#examples ul', HTMLUListElement).append(
    ...(Object.entries(examples) as [keyof typeof examples, Example][]).map(([name, example]) => itemOf(word(`example.${name}`), example)),
  )
}

function itemOf(title: string, { query, variables }: Example): HTMLLIElement {
  const link = document.createElement('a')
  const asked = new URLSearchParams({ query, ...(variables && { variables: JSON.stringify(variables, undefined, 2) }) })
  link.href = `/graphiql?${asked}`
  link.textContent = title
  const item = document.createElement('li')
  item.append(link)
  return item
}
