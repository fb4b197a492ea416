import { type BuiltPage, builtPage } from '../serving/built-page.ts'
import type { QueryFacts } from './facts.ts'

/** `GET /query` of the gateway: the query editor. */
export const queryPage = (facts: QueryFacts): BuiltPage =>
  builtPage('query', { path: '/query', summary: 'Query editor: a page to write operations in and run them', facts })
