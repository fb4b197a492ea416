/** Links that open an example each. @returns whether there are any: over a graph that is not the platform's there are none */
export async function mountExamples() {
  const examples = await (await fetch('/pages/examples.json')).json()
  const list = document.querySelector('#examples ul')
  for (const { title, query, variables } of examples) {
    const link = document.createElement('a')
    const asked = new URLSearchParams({ query, ...(variables && { variables: JSON.stringify(variables, undefined, 2) }) })
    link.href = `/graphiql?${asked}`
    link.textContent = title
    const item = document.createElement('li')
    item.append(link)
    list.append(item)
  }
  document.querySelector('#tools').hidden = examples.length === 0
  return examples.length > 0
}
