import { buildSubgraphSchema } from '@apollo/subgraph'
import { type GraphQLSchema, parse } from 'graphql'
import type { RequestContext } from '../../../foundation/graphql/request-context.ts'

const link =
  'extend schema @link(url: "https://specs.apollo.dev/federation/v2.9", import: ["@key", "@shareable", "@override", "@external"])'

/** A library of two subgraphs with numbered lendings: loan events include readers' opinions of the book. */
export const librarySdl = {
  shelves: `${link}
    type Query { book(id: ID!): Book  slow: Book  catalogue: String }
    type Mutation { lend(id: ID!): Book }
    type Subscription { lent(after: Int): Lending!  opened: Book! }
    type Lending { seq: Int!  kind: String!  book: Book! }
    type Book @key(fields: "id") { id: ID!  title: String! }`,
  readers: `${link}
    type Query { reader(id: ID!): Reader }
    type Reader { name: String! }
    type Book @key(fields: "id") { id: ID!  stars: Int! }`,
}
export type LibraryName = keyof typeof librarySdl

export interface Library {
  readonly schemas: Readonly<Record<LibraryName, GraphQLSchema>>
  /** One entry per started stream of lendings: its start position. */
  readonly streams: unknown[]
  /** Emits one more lending. */
  lend(book?: string): void
  /** Number of the last lending. */
  lent(): number
  /** Prunes the lendings up to a number: subscribers from before it receive a lag error. */
  forget(upTo: number): void
  /** Resolvers of `slow` and of lendings wait for this. */
  wait: Promise<void>
}

const bookOf = (id: string) => ({ id, title: `Book ${id}` })

/** @param sdl - replaces the library's schemas */
export function library(sdl: Partial<Record<LibraryName, string>> = {}): Library {
  const lendings: { readonly seq: number; readonly kind: string; readonly book: object }[] = []
  const listeners = new Set<() => void>()
  let forgotten = 0
  const made = {
    streams: [] as unknown[],
    wait: Promise.resolve(),
    lend(book = '1') {
      lendings.push({ seq: lendings.length + 1, kind: 'lent', book: bookOf(book) })
      for (const listener of [...listeners]) listener()
    },
    lent: () => lendings.length,
    forget(upTo: number) {
      forgotten = upTo
    },
  }
  async function* lent(_: unknown, { after }: { after?: number | null }, { signal }: RequestContext): AsyncGenerator {
    made.streams.push(after ?? undefined)
    let next = after ?? lendings.length
    if (next < forgotten) {
      next = forgotten
      yield { lent: { seq: forgotten, kind: 'lagged', book: bookOf('0') } }
    }
    while (!signal.aborted) {
      const lending = lendings[next]
      if (lending !== undefined) {
        next += 1
        yield { lent: lending }
        continue
      }
      await new Promise<void>((resolve) => {
        const done = (): void => {
          listeners.delete(done)
          signal.removeEventListener('abort', done)
          resolve()
        }
        listeners.add(done)
        signal.addEventListener('abort', done, { once: true })
      })
    }
  }
  async function* opened(_: unknown, __: unknown, { signal }: RequestContext): AsyncGenerator {
    yield { opened: bookOf('1') }
    await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))
  }
  const resolvers: Record<LibraryName, object> = {
    shelves: {
      Query: {
        book: (_: unknown, { id }: { id: string }) => bookOf(id),
        slow: async () => {
          await made.wait
          return bookOf('7')
        },
        catalogue: () => 'a catalogue',
      },
      Mutation: {
        lend: async (_: unknown, { id }: { id: string }) => {
          await made.wait
          made.lend(id)
          return bookOf(id)
        },
      },
      Subscription: { lent: { subscribe: lent }, opened: { subscribe: opened } },
      Book: { __resolveReference: ({ id }: { id: string }) => bookOf(id) },
    },
    readers: {
      Query: { reader: (_: unknown, { id }: { id: string }) => ({ name: `Reader ${id}` }) },
      Book: {
        __resolveReference: ({ id }: { id: string }) => ({ id, title: `Read ${id}` }),
        stars: ({ id }: { id: string }) => Number(id),
      },
    },
  }
  const build = (name: LibraryName) =>
    buildSubgraphSchema([{ typeDefs: parse(sdl[name] ?? librarySdl[name]), resolvers: resolvers[name] as never }])
  return Object.assign(made, { schemas: { shelves: build('shelves'), readers: build('readers') } })
}
