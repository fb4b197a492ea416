import type { FastifyInstance } from 'fastify'
import { type LandingFacts, landingPage } from '../../web/landing/page.ts'
import { queryPage } from '../../web/query/page.ts'
import { fileSender } from '../../web/serving/file-sender.ts'
import { eachOnce, type PageFile, pageHeaders, sharedPageFiles } from '../../web/serving/page-file.ts'

/** Serves the landing page at /, the query editor at /query, and their files under /pages. */
export function mountPages(server: FastifyInstance, facts: LandingFacts): void {
  const pages = [landingPage(facts), queryPage({ hasComponents: facts.components.length > 0 })]
  for (const { page } of pages) mount(server, page, page.policy)
  for (const file of eachOnce([...sharedPageFiles(), ...pages.flatMap(({ files }) => files)])) mount(server, file)
  // keeps links to the former query editor working
  server.get('/graphiql', async (request, reply) => reply.redirect(`/query${new URL(request.url, 'http://gateway').search}`, 308))
}

function mount(server: FastifyInstance, file: PageFile, policy?: string): void {
  const send = fileSender(file)
  const headers = pageHeaders(policy)
  server.get(file.path, async (request, reply) => send(request, reply.headers(headers)))
}
