import type { FastifyInstance } from 'fastify'
import { refusal } from '../response/fault-to-http.ts'
import { sendRefusal } from '../response/respond.ts'
import { documentedPath } from '../route/endpoint.ts'
import type { Route } from '../route/route.ts'

/** Answers requests without a route: 405 with Allow for a wrong method, 307 for trailing slashes, 404. */
export function answerUnrouted(server: FastifyInstance, routes: readonly Route[]): void {
  const places = routes.map(({ method, path }) => ({
    method,
    // linear: paths of defined routes, whose parameters exclude the slash
    pattern: new RegExp(
      `^${documentedPath(path)
        .replace(/\{\w+\}/g, '[^/]+')
        .replaceAll('.', '\\.')}$`,
    ),
  }))
  server.setNotFoundHandler(async (request, reply) => {
    const [path = '', ...query] = request.url.split('?')
    // the first route of that path decides, as in the reference implementation
    const place = places.find(({ pattern }) => pattern.test(path))
    if (place !== undefined) return sendRefusal(reply, refusal(405, 'Method Not Allowed', { allow: place.method }))
    const shorter = withoutLastSlashes(path)
    if (shorter !== path && places.some(({ pattern }) => pattern.test(shorter)))
      return reply
        .code(307)
        .header('location', [shorter, ...query].join('?'))
        .send()
    return sendRefusal(reply, refusal(404, 'Not Found'))
  })
}

/** Without a regular expression: one ending in `$` would take quadratic time for thousands of slashes. */
function withoutLastSlashes(path: string): string {
  let end = path.length
  while (path.charAt(end - 1) === '/') end--
  return path.slice(0, end)
}
