import type { FastifyInstance } from 'fastify'
import { graphiqlFiles, graphiqlPolicy } from '../graphiql/page.ts'
import { fileSender } from '../serving/file-sender.ts'
import { type PageFile, pageHeaders, sharedPageFiles } from '../serving/page-file.ts'
import type { LandingFacts } from './facts.ts'
import { landingPage } from './page.ts'

/** Serves the landing page at /, GraphiQL at /graphiql, and what they load under /pages. */
export function mountPages(server: FastifyInstance, facts: LandingFacts): void {
  const { page, files } = landingPage(facts)
  mount(server, page, page.policy)
  for (const file of [...sharedPageFiles(), ...files]) mount(server, file)
  for (const file of graphiqlFiles(facts.components.length > 0)) mount(server, file, file.path === '/graphiql' ? graphiqlPolicy : undefined)
}

function mount(server: FastifyInstance, file: PageFile, policy?: string): void {
  const send = fileSender(file)
  const headers = pageHeaders(policy)
  server.get(file.path, async (request, reply) => send(request, reply.headers(headers)))
}
