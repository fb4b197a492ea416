import { ApolloClient, gql, HttpLink, InMemoryCache } from '@apollo/client'
import { expect, it } from 'vitest'
import { type Session, sessionFetch } from '../../packages/civigraph-client/src/graphql/session.ts'

/** A gateway that revokes an access token as soon as it issues the next one. */
function gateway(refusesRefresh = false) {
  let serial = 1
  const authorizations: string[] = []
  const answer: typeof fetch = async (_, init) => {
    const { query } = JSON.parse(String(init?.body))
    const token = new Headers(init?.headers).get('Authorization')
    authorizations.push(/refreshSession/.test(query) ? 'refresh' : String(token))
    const refused = { data: { me: null }, errors: [{ message: 'The token has ended', extensions: { code: 'UNAUTHENTICATED' } }] }
    if (!/refreshSession/.test(query)) return Response.json(token === `Bearer token ${serial}` ? { data: { me: { id: 'awa' } } } : refused)
    if (refusesRefresh) return Response.json({ ...refused, data: { refreshSession: null } })
    serial += 1
    return Response.json({ data: { refreshSession: { accessToken: `token ${serial}`, refreshToken: `refresh ${serial}` } } })
  }
  return { answer, authorizations }
}

function signedIn(answer: typeof fetch) {
  const stored: (Session | undefined)[] = []
  const session = { accessToken: 'token 0', refreshToken: 'refresh 1' }
  const url = 'http://graph.test/graphql'
  const link = new HttpLink({ uri: url, fetch: sessionFetch({ url, session, keep: (each) => stored.push(each), fetch: answer }) })
  const client = new ApolloClient({ cache: new InMemoryCache(), link })
  return {
    stored,
    me: () =>
      client.query({ query: gql`{ me { id } }`, fetchPolicy: 'no-cache', errorPolicy: 'all', context: { queryDeduplication: false } }),
  }
}

it('refreshes an expired session once for all concurrent requests, then sends them again', async () => {
  const { answer, authorizations } = gateway()
  const { me, stored } = signedIn(answer)
  const answers = await Promise.all([me(), me(), me()])
  for (const { data } of answers) expect(data).toMatchObject({ me: { id: 'awa' } })
  expect(authorizations.filter((each) => each === 'refresh')).toHaveLength(1)
  expect(stored).toEqual([{ accessToken: 'token 2', refreshToken: 'refresh 2' }])
})

it('ends a session that cannot be refreshed, and returns the original response to each request', async () => {
  const { answer, authorizations } = gateway(true)
  const { me, stored } = signedIn(answer)
  expect((await me()).data).toEqual({ me: null })
  expect(stored).toEqual([undefined])
  await me()
  expect(authorizations).toEqual(['Bearer token 0', 'refresh', 'null'])
})
