import type { Benchmark, Variant } from '../support/harness.ts'
import { percentile } from '../support/percentile.ts'
import { type PlatformProcess, startPlatform } from '../support/platform-process.ts'
import { frenchSentences } from './sentences.ts'

const expressions = Number(process.env.EXPRESSIONS ?? 2000)
const requests = 50
const concurrentWrites = 8
const pageSize = 10
/** the pages by their numbers; the last one ends with the last result of a search */
const pages = [1, 10, 100]

interface Page {
  readonly nodes: readonly unknown[]
  readonly pageInfo: { readonly endCursor: string | null }
}

export const searchPages: Benchmark = {
  name: 'search-pages',
  about: `an ordinary search (first: 20) of ${expressions.toLocaleString('en')} expressions by meaning, and pages of ${pageSize} of a search that continues at cursors, ${requests} requests one after another; embedded engines, one process; milliseconds`,
  target: 'a later page takes no longer than an ordinary search',
  rounds: Number(process.env.ROUNDS ?? 3),
  async start(print) {
    const platform = await startPlatform()
    await fill(platform, print)
    const search = searchOn(platform)
    let open = pages.length + 1
    const variant = (name: string, measured: () => Promise<() => Promise<Page>>): Variant => ({
      name,
      async measure() {
        const request = await measured()
        const times: number[] = []
        for (let index = 0; index < requests; index++) {
          const from = performance.now()
          const { nodes } = await request()
          times.push(performance.now() - from)
          if (nodes.length === 0) throw new Error(`${name} is empty`)
        }
        times.sort((a, b) => a - b)
        return { p50: percentile(times, 0.5), p95: percentile(times, 0.95) }
      },
      async stop() {
        open -= 1
        if (open === 0) await platform.stop()
      },
    })
    let searched = 0
    // a text of its own for each search
    const textOf = (): string => `eau, école et route ${searched++}`
    return [
      variant('an ordinary search', async () => () => search(textOf(), 20)),
      ...pages.map((page) =>
        variant(`page ${page}`, async () => {
          if (page === 1) return () => search(textOf(), pageSize)
          const text = textOf()
          const after = await cursorAt((page - 1) * pageSize, (first, cursor) => search(text, first, cursor))
          return () => search(text, pageSize, after)
        }),
      ),
    ]
  },
}

async function fill({ post }: PlatformProcess, print: (line: string) => void): Promise<void> {
  const from = performance.now()
  let next = 0
  const write = async (): Promise<void> => {
    for (let index = next++; index < expressions; index = next++) {
      const status = await post({ text: `${frenchSentences[index % frenchSentences.length]} ${index}` })
      if (status !== 201) throw new Error(`an expression was answered with ${status}`)
    }
  }
  await Promise.all(Array.from({ length: concurrentWrites }, write))
  print(`${expressions} expressions ingested in ${((performance.now() - from) / 1000).toFixed(1)} s`)
}

type Search = (text: string, first: number, after?: string | null) => Promise<Page>

function searchOn({ url }: PlatformProcess): Search {
  const query = `query ($text: String!, $first: Int!, $after: String) {
    searchExpressions(input: {text: $text, mode: SEMANTIC}, first: $first, after: $after) { nodes { id text } pageInfo { endCursor } }
  }`
  return async (text, first, after = null) => {
    const response = await fetch(`${url(0)}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ query, variables: { text, first, after } }),
    })
    const { data, errors } = (await response.json()) as { data: { searchExpressions: Page | null } | null; errors?: unknown }
    if (data?.searchExpressions == null) throw new Error(`a search failed: ${JSON.stringify(errors)}`)
    return data.searchExpressions
  }
}

/** Returns the cursor of a result. @param count - results up to it, itself included */
async function cursorAt(count: number, search: (first: number, after: string | null) => Promise<Page>): Promise<string | null> {
  let cursor: string | null = null
  for (let left = count; left > 0; left -= 100) cursor = (await search(Math.min(left, 100), cursor)).pageInfo.endCursor
  return cursor
}
