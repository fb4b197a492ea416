import type { FastifyInstance } from 'fastify'
import { queryPage } from '../query/page.ts'
import { fileSender } from '../serving/file-sender.ts'
import { eachOnce, type PageFile, pageHeaders, sharedPageFiles } from '../serving/page-file.ts'
import type { LandingFacts } from './facts.ts'
import { landingPage } from './page.ts'

/** Serves the landing page at /, the query editor at /query, and their files under /pages. */
export function mountPages(server: FastifyInstance, facts: LandingFacts): void {
  const pages = [landingPage(facts), queryPage({ hasComponents: facts.components.length > 0 })]
  for (const { page } of pages) mount(server, page, page.policy)
  for (const file of eachOnce([...sharedPageFiles(), ...pages.flatMap(({ files }) => files)])) mount(server, file)
  // the usual address of a GraphQL editor, used by existing links
  server.get('/graphiql', async (request, reply) => reply.redirect(`/query${new URL(request.url, 'http://gateway').search}`, 308))
}

function mount(server: FastifyInstance, file: PageFile, policy?: string): void {
  const send = fileSender(file)
  const headers = pageHeaders(policy)
  server.get(file.path, async (request, reply) => send(request, reply.headers(headers)))
}
