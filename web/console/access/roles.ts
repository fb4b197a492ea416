import type { AdministratorRole } from '@civigraph/client/documents'

/** Those that mean something here, the mightiest first. */
export const roles: readonly AdministratorRole[] = ['SUPER_ADMIN', 'GROUP_ADMIN', 'REVIEWER']
