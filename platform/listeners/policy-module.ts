import { pathToFileURL } from 'node:url'
import { z } from 'zod'
import type { GrantedPolicies } from '../../gateway/authorization/unmet.ts'
import { messageOf } from '../../subgraphs/foundation/fault.ts'

const Granted = z.array(z.string())

/**
 * The function that decides on policies, from a module of whoever runs the gateway.
 * @throws {Error} naming POLICY_MODULE when it cannot be loaded, or its default export is no function
 */
export async function policyModule(file: string): Promise<GrantedPolicies> {
  const module: unknown = await import(pathToFileURL(file).href).catch((error: unknown) => {
    throw new Error(`POLICY_MODULE ${file} cannot be loaded: ${messageOf(error)}`, { cause: error })
  })
  const decide: unknown = typeof module === 'object' && module !== null && 'default' in module ? module.default : undefined
  if (typeof decide !== 'function') throw new Error(`POLICY_MODULE ${file} must export a function by default`)
  return async (policies, { principal, requestId, address, signal }) => {
    const granted: unknown = await decide(policies, { principal, requestId, address, signal })
    return Granted.parse(granted)
  }
}
