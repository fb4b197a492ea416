import { z } from 'zod'
import { healthRoutes } from '../route/health-route.ts'
import { one } from '../route/operation-route.ts'
import type { Route } from '../route/route.ts'
import { laxInteger } from '../route/value-schemas.ts'

/** A password is no megabyte. */
const loginBytes = 16 * 1024

const LoginRequest = z.object({ email: z.string(), password: z.string() }).meta({ id: 'LoginRequest' })

const TokenResponse = z
  .object({
    access_token: z.string(),
    token_type: z.literal('Bearer'),
    expires_in: z.int().meta({ description: 'seconds' }),
    refresh_token: z.string(),
    refresh_expires_in: z.int().meta({ description: 'seconds; 0: not by itself' }),
    scope: z.string(),
  })
  .meta({ id: 'TokenResponse' })

const AdministratorProfile = z
  .object({
    sub: z.string(),
    email: z.string().nullable(),
    email_verified: z.boolean(),
    name: z.string().nullable(),
    given_name: z.string().nullable(),
    family_name: z.string().nullable(),
    locale: z.string().nullable(),
    roles: z.array(z.string()),
    groups: z.array(z.string()),
    permissions: z.array(z.string()),
    iat: z.int().meta({ description: 'seconds since 1970-01-01T00:00:00Z' }),
    exp: z.int().meta({ description: 'seconds since 1970-01-01T00:00:00Z' }),
  })
  .meta({ id: 'AdministratorProfile' })

const statuses = ['active', 'pending', 'revoked', 'expired'] as const
const Citizen = z.object({ code: z.string() })
const Delegation = z
  .object({
    id: z.string(),
    delegator: Citizen,
    delegate: Citizen,
    group_id: z.string(),
    domain: z.string().nullable(),
    scope: z.string(),
    status: z.enum(statuses),
    starts_at: z.string(),
    ends_at: z.string().nullable(),
    created_at: z.string(),
    updated_at: z.string(),
  })
  .meta({ id: 'Delegation' })

const DelegationPage = z
  .object({ items: z.array(Delegation), total: z.int(), page: z.int(), size: z.int(), pages: z.int() })
  .meta({ id: 'DelegationPage' })

/** no code or id holds U+0000, and no database takes it */
const word = z.string().regex(/^[^\0]*$/)
const seconds = z.string().transform((moment) => Math.floor(Date.parse(moment) / 1000))

/** The documented operations of component D. Simulations, and managing delegations, are planned and not offered. */
export function administrationRoutes(): readonly Route[] {
  return [
    ...healthRoutes('administration'),
    one({
      method: 'POST',
      path: '/auth/login',
      summary: 'Logs an administrator in with e-mail address and password',
      wantsToken: true,
      body: LoginRequest,
      bodyBytes: loginBytes,
      operation: `mutation RestLogin($input: LoginInput!) {
        session: login(input: $input) {
          access_token: accessToken token_type: tokenType expires_in: expiresIn
          refresh_token: refreshToken refresh_expires_in: refreshExpiresIn scope
        }
      }`,
      variables: ({ body: { email, password } }) => ({ input: { email, password } }),
      from: z.object({ session: TokenResponse }).transform(({ session }) => session),
      answer: TokenResponse,
    }),
    one({
      method: 'GET',
      path: '/auth/me',
      summary: 'The profile of the administrator whose access token this is',
      wantsToken: true,
      credentials: ['accessToken'],
      operation: `query RestMe {
        me {
          sub: id email email_verified: emailVerified name given_name: givenName family_name: familyName locale
          roles groups permissions iat: issuedAt exp: expiresAt
        }
      }`,
      from: z.object({ me: AdministratorProfile.extend({ iat: seconds, exp: seconds }) }).transform(({ me }) => me),
      answer: AdministratorProfile,
    }),
    one({
      method: 'GET',
      path: '/delegations',
      summary: 'Delegations in the caller’s scope, a page at a time',
      wantsToken: true,
      credentials: ['accessToken'],
      query: z.object({
        page: laxInteger(1, 100_000).optional().meta({ type: 'integer', minimum: 1, default: 1 }),
        size: laxInteger(1, 100).optional().meta({ type: 'integer', minimum: 1, maximum: 100, default: 20 }),
        status: z.enum(statuses).optional(),
        delegator: word.optional().meta({ description: 'code of the citizen who gives the right' }),
        delegate: word.optional().meta({ description: 'code of the citizen who acts' }),
        group: word.optional(),
        domain: word.optional(),
        sort: z.enum(['-created_at', 'created_at']).optional().meta({ default: '-created_at' }),
      }),
      operation: `query RestDelegations($first: Int!, $offset: Int!, $filter: DelegationFilterInput, $orderBy: DelegationOrder!) {
        delegations(first: $first, offset: $offset, filter: $filter, orderBy: $orderBy) {
          total: totalCount
          items: nodes {
            id delegator { code } delegate { code } group_id: groupId domain { id } scope status
            starts_at: startsAt ends_at: endsAt created_at: createdAt updated_at: updatedAt
          }
        }
      }`,
      variables: ({ query: { page = 1, size = 20, sort, status, ...filter } }) => ({
        first: size,
        offset: (page - 1) * size,
        filter: { ...filter, ...(status === undefined ? {} : { status: status.toUpperCase() }) },
        orderBy: sort === 'created_at' ? 'OLDEST_FIRST' : 'NEWEST_FIRST',
      }),
      from: z
        .object({
          variables: z.object({ first: z.int(), offset: z.int() }),
          delegations: z.object({
            total: z.int(),
            items: z.array(
              Delegation.extend({
                domain: z.object({ id: z.string() }).nullable(),
                status: z.string().toLowerCase().pipe(z.enum(statuses)),
              }),
            ),
          }),
        })
        .transform(({ delegations: { total, items }, variables: { first: size, offset } }) => ({
          items: items.map((item) => ({ ...item, domain: item.domain?.id ?? null })),
          total,
          page: offset / size + 1,
          size,
          pages: Math.ceil(total / size),
        }))
        // once more through the documented shape, which has the documented order
        .pipe(DelegationPage),
      answer: DelegationPage,
      headers: ({ total, page, pages }, query) => ({ 'x-total-count': String(total), link: linksOf('/delegations', query, page, pages) }),
    }),
  ]
}

/** The pages around this one, as relations of RFC 8288. */
function linksOf(path: string, query: string, page: number, pages: number): string {
  const last = Math.max(1, pages)
  const places = [
    ['first', 1],
    ...(page > 1 ? [['prev', Math.min(page - 1, last)] as const] : []),
    ...(page < last ? [['next', page + 1] as const] : []),
    ['last', last],
  ] as const
  return places
    .map(([relation, number]) => {
      const target = new URLSearchParams(query)
      target.set('page', String(number))
      return `<${path}?${target}>; rel="${relation}"`
    })
    .join(', ')
}
