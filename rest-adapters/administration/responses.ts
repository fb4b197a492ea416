import { z } from 'zod'

export const TokenResponse = z
  .object({
    access_token: z.string(),
    token_type: z.literal('Bearer'),
    expires_in: z.int().meta({ description: 'Seconds until the access token expires' }),
    refresh_token: z.string(),
    refresh_expires_in: z.int().meta({ description: 'Seconds until the refresh token expires; 0 when it has no expiry' }),
    scope: z.string(),
  })
  .meta({ id: 'TokenResponse' })

export const AdministratorProfile = z
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
    iat: z.int().meta({ description: 'Seconds since 1970-01-01T00:00:00Z' }),
    exp: z.int().meta({ description: 'Seconds since 1970-01-01T00:00:00Z' }),
  })
  .meta({ id: 'AdministratorProfile' })

export const delegationStatuses = ['active', 'pending', 'revoked', 'expired'] as const
const Citizen = z.object({ code: z.string() })
export const Delegation = z
  .object({
    id: z.string(),
    delegator: Citizen,
    delegate: Citizen,
    group_id: z.string(),
    domain: z.string().nullable(),
    scope: z.string(),
    status: z.enum(delegationStatuses),
    starts_at: z.string(),
    ends_at: z.string().nullable(),
    created_at: z.string(),
    updated_at: z.string(),
  })
  .meta({ id: 'Delegation' })

export const DelegationPage = z
  .object({ items: z.array(Delegation), total: z.int(), page: z.int(), size: z.int(), pages: z.int() })
  .meta({ id: 'DelegationPage' })
