import { TenantForm, usualTenant } from '../../shared/content/tenant-form.tsx'
import { usePlace } from '../place/use-place.ts'

/** Selects the organisation. */
export function TenantChoice() {
  const { tenant, go } = usePlace()
  const open = (wanted: string): void => go(undefined, wanted === usualTenant ? '' : wanted)
  return <TenantForm tenant={tenant || usualTenant} className="tenant" onOpen={open} />
}
