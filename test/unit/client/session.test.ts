import { ApolloClient, gql, HttpLink, InMemoryCache } from '@apollo/client'
import { GraphQLWsLink } from '@apollo/client/link/subscriptions'
import { parse } from 'graphql'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { WebSocket } from 'ws'
import {
  InvalidCredentialsError,
  NoAnswerError,
  UnauthenticatedError,
} from '../../../packages/civigraph-client/src/errors/civigraph-error.ts'
import { follow } from '../../../packages/civigraph-client/src/graphql/follow.ts'
import type { SessionEnd, SessionOptions, SessionTokens } from '../../../packages/civigraph-client/src/graphql/http-session.ts'
import { createSession, signIn } from '../../../packages/civigraph-client/src/graphql/session.ts'
import { type Library, library, librarySdl } from '../../support/gateway/library.ts'
import { startServed } from '../../support/gateway/town.ts'

const url = 'http://graph.test/graphql'
const refusal = (code: string, path?: readonly string[]) => ({ message: 'Refused', path, extensions: { code } })

interface Refresh {
  readonly accessToken: string
  readonly refreshToken: string
  readonly expiresIn?: number
}

/** A gateway that accepts its latest access token only. @param next - what a refresh returns; undefined refuses it */
function gateway(next: (used: string) => Refresh | undefined) {
  let accepted = 'token 1'
  const seen: string[] = []
  const answer: typeof fetch = async (_, init) => {
    const { query, variables } = JSON.parse(String(init?.body))
    if (/refreshSession/.test(query)) {
      seen.push('refresh')
      const session = next(variables.input.refreshToken)
      if (session === undefined)
        return Response.json({ data: { refreshSession: null }, errors: [refusal('INVALID_CREDENTIALS', ['refreshSession'])] })
      accepted = session.accessToken
      return Response.json({ data: { refreshSession: session } })
    }
    if (/login|logout/.test(query)) {
      seen.push(/login/.test(query) ? 'login' : 'logout')
      return Response.json({ data: { login: null, logout: null }, errors: [refusal('INVALID_CREDENTIALS', ['login'])] })
    }
    const token = new Headers(init?.headers).get('Authorization')
    seen.push(String(token))
    if (token === `Bearer ${accepted}`) return Response.json({ data: { me: { id: 'awa' } } })
    return Response.json({ errors: [refusal('UNAUTHENTICATED')] }, { status: 401 })
  }
  return { answer, seen }
}

const stale = { accessToken: 'token 0', refreshToken: 'refresh 0' }
const renewed = { accessToken: 'token 2', refreshToken: 'refresh 2', expiresIn: 300 }

function pageOf(answer: typeof fetch, tokens: SessionTokens = stale, options: Partial<SessionOptions> = {}) {
  const kept: (SessionTokens | undefined)[] = []
  const session = createSession(tokens, { url, fetch: answer, keep: (each) => kept.push(each), ...options })
  const client = new ApolloClient({ cache: new InMemoryCache(), link: new HttpLink({ uri: url, fetch: session.fetch }) })
  const me = () =>
    client.query({ query: gql`{ me { id } }`, fetchPolicy: 'no-cache', errorPolicy: 'all', context: { queryDeduplication: false } })
  return { kept, session, me }
}

afterEach(() => vi.useRealTimers())

describe('a session over HTTP', () => {
  it('refreshes a refused token once for concurrent requests, and sends them again', async () => {
    const { answer, seen } = gateway(() => renewed)
    const { me, kept } = pageOf(answer)
    for (const { data } of await Promise.all([me(), me(), me()])) expect(data).toMatchObject({ me: { id: 'awa' } })
    expect(seen.filter((each) => each === 'refresh')).toHaveLength(1)
    expect(kept.at(-1)).toMatchObject({ accessToken: 'token 2', refreshToken: 'refresh 2', expiresAt: expect.any(Number) })
  })

  it('refreshes a token shortly before its expiry, with a clock that is ten minutes wrong', async () => {
    for (const offsetMs of [-600_000, 0, 600_000]) {
      vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + offsetMs })
      const { answer, seen } = gateway(() => renewed)
      const { session } = pageOf(answer, { ...stale, expiresIn: 300 })
      vi.advanceTimersByTime(265_000)
      expect(await session.token()).toBe('token 0')
      vi.advanceTimersByTime(10_000)
      expect(await Promise.all([session.token(), session.token()])).toEqual(['token 2', 'token 2'])
      expect(seen).toEqual(['refresh'])
      vi.useRealTimers()
    }
  })

  it('ends when the platform refuses the refresh or the session has no refresh token', async () => {
    for (const refreshToken of ['refresh 0', null]) {
      const { answer, seen } = gateway(() => undefined)
      const { me, kept, session } = pageOf(answer, { accessToken: 'token 0', refreshToken })
      const ends: SessionEnd[] = []
      session.onEnd((end) => ends.push(end))
      expect((await me()).error).toMatchObject({ message: expect.stringContaining('401') })
      expect([kept.at(-1), ends]).toEqual([undefined, ['expired']])
      await expect(session.token()).rejects.toThrow(UnauthenticatedError)
      const refreshes = refreshToken === null ? [] : ['refresh']
      expect(seen).toEqual(['Bearer token 0', ...refreshes])
      // public data
      await me()
      expect(seen).toEqual(['Bearer token 0', ...refreshes, 'null'])
    }
  })

  it('continues when the platform cannot be reached for the refresh', async () => {
    let isAway = true
    const { answer } = gateway(() => renewed)
    const { session, kept } = pageOf((input, init) => (isAway ? Promise.reject(new TypeError('fetch failed')) : answer(input, init)), {
      ...stale,
      expiresAt: 0,
    })
    await expect(session.token()).rejects.toThrow(NoAnswerError)
    await expect(session.fetch(url, { method: 'POST', body: '{"query":"{ me { id } }"}' })).rejects.toThrow(NoAnswerError)
    isAway = false
    expect(await session.token()).toBe('token 2')
    expect(kept).not.toContain(undefined)
  })

  it('sends a mutation again only if none of its fields was executed', async () => {
    const answers = [
      { data: { castVote: { recorded: true }, me: null }, errors: [refusal('UNAUTHENTICATED', ['me'])] },
      { data: { castVote: { expression: { authorRef: null } } }, errors: [refusal('UNAUTHENTICATED', ['castVote', 'expression'])] },
      { data: { castVote: null }, errors: [refusal('UNAUTHENTICATED', ['castVote', 'expression', 'votes'])] },
      { data: { first: null, second: null }, errors: [refusal('UNAUTHENTICATED', ['second'])] },
    ]
    for (const body of answers) {
      let sent = 0
      const { session } = pageOf(async () => {
        sent += 1
        return Response.json(body)
      })
      const response = await session.fetch(url, { method: 'POST', body: '{}' })
      expect(await response.json()).toEqual(JSON.parse(JSON.stringify(body)))
      expect(sent).toBe(1)
    }
  })

  it('sends the body of a Request again', async () => {
    const bodies: string[] = []
    const { session } = pageOf(async (input, init) => {
      if (!(input instanceof Request)) return Response.json({ data: { refreshSession: renewed } })
      bodies.push(`${new Headers(init?.headers).get('Authorization')} ${await input.text()}`)
      return new Response(null, { status: bodies.length === 1 ? 401 : 204 })
    })
    expect((await session.fetch(new Request('http://files.test/a', { method: 'PUT', body: 'content' }))).status).toBe(204)
    expect(bodies).toEqual(['Bearer token 0 content', 'Bearer token 2 content'])
  })

  it('refuses a wrong password with InvalidCredentialsError, over GraphQL and REST, and never repeats the sign-in', async () => {
    const { answer, seen } = gateway(() => renewed)
    await expect(signIn({ email: 'a@b.c', password: 'wrong' }, { url, fetch: answer })).rejects.toThrow(InvalidCredentialsError)
    const { session } = pageOf(answer)
    await session.fetch(url, { method: 'POST', body: JSON.stringify({ query: 'mutation { login(input: {}) { accessToken } }' }) })
    expect(seen).toEqual(['login', 'login'])
    let sent = 0
    const rest = pageOf(async () => {
      sent += 1
      return Response.json({ detail: 'Invalid credentials', error: 'invalid_grant' }, { status: 401 })
    })
    expect((await rest.session.fetch('http://rest.test/auth/login', { method: 'POST' })).status).toBe(401)
    expect(sent).toBe(1)
  })

  it('is shared by the tabs of a browser: one refreshes it, the other adopts its tokens, and both are signed out', async () => {
    let stored: SessionTokens | undefined
    const keep = (tokens: SessionTokens | undefined): void => {
      stored = tokens
    }
    const tabs = { load: () => stored, keep }
    const { answer, seen } = gateway(() => renewed)
    const [first, second] = [pageOf(answer, stale, tabs), pageOf(answer, stale, tabs)]
    for (const { data } of await Promise.all([first.me(), second.me()])) expect(data).toMatchObject({ me: { id: 'awa' } })
    expect(seen.filter((each) => each === 'refresh')).toHaveLength(1)
    await first.session.signOut()
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 300_000 })
    await expect(second.session.token()).rejects.toThrow(UnauthenticatedError)
    expect(seen.filter((each) => each === 'refresh')).toHaveLength(1)
  })
})

const lent = parse('subscription { lent { seq } }')
let books: Library
let served: Awaited<ReturnType<typeof startServed>>
beforeAll(async () => {
  books = library()
  served = await startServed('in process', librarySdl, books.schemas)
})
afterAll(() => served[Symbol.asyncDispose]())

/** A page that follows loans over the gateway's WebSocket with the tokens that `next` returns. */
function followed(tokens: SessionTokens, next: () => Refresh | undefined) {
  const { session } = pageOf(gateway(next).answer, tokens)
  const client = session.subscriptions({ url: served.socket, webSocketImpl: WebSocket, maxWaitMs: 100 })
  const [seqs, errors]: [number[], [Error, boolean][]] = [[], []]
  let connections = 0
  client.on('connected', () => (connections += 1))
  const leave = follow<{ readonly lent: { readonly seq: number } }, Record<string, never>>(
    client,
    lent,
    {},
    {
      next: (data) => seqs.push(data.lent.seq),
      error: (error, isOver) => errors.push([error, isOver]),
    },
  )
  return { session, client, seqs, errors, leave, connections: () => connections }
}

describe('a session over WebSocket', () => {
  it('reconnects with a fresh token when its token expires, and misses no event', async () => {
    const page = followed({ accessToken: 'good-for-1s', refreshToken: 'r', expiresIn: 300 }, () => ({
      ...renewed,
      accessToken: 'good-token',
    }))
    await expect.poll(() => books.streams.length).toBe(1)
    books.lend()
    await expect.poll(() => page.seqs).toEqual([1])
    await expect.poll(() => page.connections()).toBe(2)
    books.lend()
    await expect.poll(() => page.seqs).toEqual([1, 2])
    expect(page.errors).toEqual([])
    page.leave()
  })

  it('replaces a refused token once, and otherwise ends with UnauthenticatedError', async () => {
    const recovered = followed({ accessToken: 'bad', refreshToken: 'r', expiresIn: 300 }, () => ({ ...renewed, accessToken: 'good-again' }))
    await expect.poll(() => recovered.connections()).toBe(1)
    await expect.poll(() => recovered.seqs.length > 0 || books.lend()).toBe(true)
    expect(recovered.errors).toEqual([])
    recovered.leave()
    let refreshes = 0
    const refused = followed({ accessToken: 'bad', refreshToken: 'r', expiresIn: 300 }, () => {
      refreshes += 1
      return { ...renewed, accessToken: `bad ${refreshes}` }
    })
    await expect.poll(() => refused.errors).toEqual([[expect.any(UnauthenticatedError), true]])
    expect(refreshes).toBe(1)
    const ended = followed({ accessToken: 'bad', refreshToken: 'r' }, () => undefined)
    await expect.poll(() => ended.errors).toEqual([[expect.any(UnauthenticatedError), true]])
  })

  it('ends with the same class in a link of Apollo Client, which passes on errors and not close events', async () => {
    for (const next of [() => undefined, () => ({ ...renewed, accessToken: 'bad again' })]) {
      const page = followed({ accessToken: 'bad', refreshToken: 'r', expiresIn: 300 }, next)
      const client = new ApolloClient({ cache: new InMemoryCache(), link: new GraphQLWsLink(page.client) })
      const errors: unknown[] = []
      client.subscribe({ query: lent }).subscribe({ next: ({ error }) => errors.push(error) })
      await expect.poll(() => errors).toEqual([expect.any(UnauthenticatedError)])
      await page.client.dispose()
    }
  })

  it('reconnects until the platform can refresh a refused token', async () => {
    let failures = 0
    const page = followed({ accessToken: 'bad', refreshToken: 'r', expiresIn: 300 }, () => {
      failures += 1
      if (failures < 3) throw new TypeError('fetch failed')
      return { ...renewed, accessToken: 'good-again' }
    })
    await expect.poll(() => page.connections()).toBe(1)
    expect([failures, page.errors]).toEqual([3, []])
    page.leave()
  })

  it('closes its sockets and calls its listeners when it is signed out', async () => {
    const page = followed({ accessToken: 'good-token', refreshToken: 'r', expiresIn: 300 }, () => undefined)
    await expect.poll(() => page.connections()).toBe(1)
    const [ends, closed]: [SessionEnd[], number[]] = [[], []]
    page.client.on('closed', (event) => closed.push((event as { readonly code: number }).code))
    page.session.onEnd((end) => ends.push(end))
    await page.session.signOut()
    await expect.poll(() => closed).toEqual([1000])
    expect([ends, page.errors]).toEqual([['signed out'], []])
  })
})
