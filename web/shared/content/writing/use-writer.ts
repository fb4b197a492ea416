import { useMemo } from 'react'
import { type Administrator, useSession } from '../../session/session.tsx'
import { type Writer, writerFor } from './writer.ts'

/** Returns the writer of a tenant; undefined for users who may not write. */
export function useWriter(tenantId: string): Writer | undefined {
  const { signedIn, send } = useSession()
  const may = signedIn !== undefined && mayWrite(signedIn.administrator, tenantId)
  return useMemo(() => (may ? writerFor(send, tenantId) : undefined), [may, send, tenantId])
}

/** As the service decides: super administrators may change any tenant, others those of their groups. */
const mayWrite = ({ roles, groups }: Administrator, tenantId: string): boolean =>
  roles.includes('SUPER_ADMIN') || (roles.includes('GROUP_ADMIN') && groups.some(({ id }) => id === tenantId))
