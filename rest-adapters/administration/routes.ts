import { z } from 'zod'
import { wordOfEnumName } from '../../foundation/graphql/enum-type.ts'
import { pageLinks } from '../response/page-links.ts'
import { healthRoutes } from '../route/health-route.ts'
import { type OperationRoute, operationRoute } from '../route/operation-route.ts'
import type { Route } from '../route/route.ts'
import { documentedValue } from '../route/value-schemas.ts'
import { delegationsQuery, LoginRequest } from './requests.ts'
import { AdministratorProfile, Delegation, DelegationPage, delegationStatuses, TokenResponse } from './responses.ts'

/** maximum size of a login body */
const loginBytes = 16 * 1024

/** Returns the id of a node. */
const id = z.object({ id: z.string() }).transform((node) => node.id)
const seconds = z.string().transform((moment) => Math.floor(Date.parse(moment) / 1000))

/** Returns the documented operations of component D. Simulations and the management of delegations are planned and not offered. */
export function administrationRoutes(): readonly Route[] {
  return [
    ...healthRoutes('administration'),
    loginRoute('/auth/login'),
    operationRoute({
      method: 'GET',
      path: '/auth/me',
      summary: 'Returns the profile of the signed-in administrator',
      wantsToken: true,
      credentials: ['accessToken'],
      operation: `query RestMe {
        me {
          sub: id email email_verified: emailVerified name given_name: givenName family_name: familyName locale
          roles groups { id } permissions iat: issuedAt exp: expiresAt
        }
      }`,
      from: z
        .object({
          me: AdministratorProfile.extend({
            roles: z.array(z.string().toLowerCase()),
            permissions: z.array(z.string().transform(wordOfEnumName)),
            ...{ groups: z.array(id), iat: seconds, exp: seconds },
          }),
        })
        .transform(({ me }) => me),
      answer: AdministratorProfile,
    }),
    operationRoute({
      method: 'GET',
      path: '/delegations',
      summary: 'Lists the delegations that the caller may read',
      wantsToken: true,
      credentials: ['accessToken'],
      query: delegationsQuery,
      operation: `query RestDelegations($first: Int!, $offset: Int!, $filter: DelegationFilterInput, $orderBy: DelegationOrder!) {
        delegations(first: $first, offset: $offset, filter: $filter, orderBy: $orderBy) {
          total: totalCount
          items: nodes {
            id delegator { code } delegate { code } group_id: group { id } domain { id } scope status
            starts_at: startsAt ends_at: endsAt created_at: createdAt updated_at: updatedAt
          }
        }
      }`,
      places: { groupId: ['query', 'group'], domainId: ['query', 'domain'] },
      variables: ({ query: { page = 1, size = 20, sort, status, group, domain, ...filter } }) => ({
        first: size,
        offset: (page - 1) * size,
        filter: {
          ...filter,
          ...(group !== undefined && { groupId: group }),
          ...(domain !== undefined && { domainId: domain }),
          ...(status !== undefined && { status: status.toUpperCase() }),
        },
        orderBy: sort === 'created_at' ? 'OLDEST_FIRST' : 'NEWEST_FIRST',
      }),
      from: z
        .object({
          variables: z.object({ first: z.int(), offset: z.int() }),
          delegations: z.object({
            total: z.int(),
            items: z.array(
              Delegation.extend({
                group_id: id,
                domain: id.nullable(),
                status: documentedValue(delegationStatuses, 'pending'),
              }),
            ),
          }),
        })
        .transform(({ delegations: { total, items }, variables: { first: size, offset } }) => ({
          items,
          total,
          page: offset / size + 1,
          size,
          pages: Math.ceil(total / size),
        }))
        // parsed again by the documented schema, for the documented order
        .pipe(DelegationPage),
      answer: DelegationPage,
      answerHeaders: { Link: 'Links to the other pages (RFC 8288)', 'X-Total-Count': 'Number of delegations on all pages' },
      headers: ({ total, page, pages }, query) => ({ 'x-total-count': String(total), link: linksOf(query, page, pages) }),
    }),
  ]
}

/** @param path - the documented one is `/auth/login` */
export function loginRoute(path: string): OperationRoute {
  return operationRoute({
    method: 'POST',
    path,
    summary: 'Signs an administrator in with e-mail address and password',
    wantsToken: true,
    hasSecrets: true,
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
  })
}

function linksOf(query: string, page: number, pages: number): string {
  const last = Math.max(1, pages)
  const to = (number: number) => ({ page: String(number) })
  return pageLinks('/delegations', query, [
    ['first', to(1)],
    ...(page > 1 ? [['prev', to(Math.min(page - 1, last))] as const] : []),
    ...(page < last ? [['next', to(page + 1)] as const] : []),
    ['last', to(last)],
  ])
}
