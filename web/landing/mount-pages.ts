import type { FastifyInstance } from 'fastify'
import { graphiqlPage } from '../graphiql/page.ts'
import { fileSender } from '../serving/file-sender.ts'
import { eachOnce, type PageFile, pageHeaders, sharedPageFiles } from '../serving/page-file.ts'
import type { LandingFacts } from './facts.ts'
import { landingPage } from './page.ts'

/** Serves the landing page at /, GraphiQL at /graphiql, and what they load under /pages. */
export function mountPages(server: FastifyInstance, facts: LandingFacts): void {
  const pages = [landingPage(facts), graphiqlPage({ hasComponents: facts.components.length > 0 })]
  for (const { page } of pages) mount(server, page, page.policy)
  for (const file of eachOnce([...sharedPageFiles(), ...pages.flatMap(({ files }) => files)])) mount(server, file)
}

function mount(server: FastifyInstance, file: PageFile, policy?: string): void {
  const send = fileSender(file)
  const headers = pageHeaders(policy)
  server.get(file.path, async (request, reply) => send(request, reply.headers(headers)))
}
