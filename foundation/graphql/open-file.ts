import type { RequestContext } from './request-context.ts'

/** Returns the content of a file that a field of a subgraph refers to. @throws {NotFound} for an unknown id */
export type OpenFile = (id: string, context: RequestContext) => Promise<Uint8Array>
