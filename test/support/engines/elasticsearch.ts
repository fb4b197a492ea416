import { randomBytes } from 'node:crypto'
import { Client } from '@elastic/elasticsearch'

/** Index names of one test file on an Elasticsearch; disposal deletes what has these names. */
export function freshPrefix(url: string): AsyncDisposable & { readonly prefix: string; clear(): Promise<void> } {
  const prefix = `test-${randomBytes(6).toString('hex')}`
  const clear = async (): Promise<void> => {
    const client = new Client({ node: url })
    try {
      const names = Object.keys(await client.indices.get({ index: `${prefix}-*` }))
      if (names.length > 0) await client.indices.delete({ index: names })
    } finally {
      await client.close()
    }
  }
  return { prefix, clear, [Symbol.asyncDispose]: clear }
}
