import { pathToFileURL } from 'node:url'
import { z } from 'zod'
import { messageOf } from '../../foundation/fault.ts'
import type { GrantedPolicies, PolicyContext } from '../../gateway/authorization/unmet.ts'

const Decision = z.array(z.string())

/**
 * A function that decides which of some names hold for a caller (policies, labels of overrides), from a module of whoever runs the gateway.
 * @param setting - that names the file
 * @throws {Error} naming the setting when the file cannot be loaded, or its default export is no function
 */
export async function decisionModule(setting: string, file: string): Promise<GrantedPolicies> {
  const module: unknown = await import(pathToFileURL(file).href).catch((error: unknown) => {
    throw new Error(`${setting} ${file} cannot be loaded: ${messageOf(error)}`, { cause: error })
  })
  const decide: unknown = typeof module === 'object' && module !== null && 'default' in module ? module.default : undefined
  if (typeof decide !== 'function') throw new Error(`${setting} ${file} must export a function by default`)
  return async (names, { principal, requestId, address, signal }: PolicyContext) => {
    const decided: unknown = await decide(names, { principal, requestId, address, signal })
    return Decision.parse(decided)
  }
}
