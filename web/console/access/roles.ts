import type { AdministratorRole } from '@civigraph/client/documents'

/** Roles with permissions in the platform, most powerful first. */
export const roles: readonly AdministratorRole[] = ['SUPER_ADMIN', 'GROUP_ADMIN', 'REVIEWER']
