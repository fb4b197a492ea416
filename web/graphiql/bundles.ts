import type { GraphiQL as Component, GraphiQLProps } from 'graphiql'

/** What the scripts before this one have put into the window: GraphiQL and the React that it runs on come as bundles of their own. */
interface Bundles {
  readonly React: typeof import('react')
  readonly ReactDOM: typeof import('react-dom/client')
  readonly GraphiQL: typeof Component & { createFetcher(options: { readonly url: string }): GraphiQLProps['fetcher'] }
}

export const { React, ReactDOM, GraphiQL } = globalThis as unknown as Bundles
