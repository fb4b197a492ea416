import { SigningKeys } from '../../engines/identity/signing-keys.ts'
import type { Database } from '../../engines/relational/database.ts'
import { canRead, type HeldKey, type RotatableKey } from '../../engines/relational/processes/held-key.ts'
import { recordedKeys, sealedRecords } from '../../engines/relational/processes/key-agreement.ts'
import { type LiveProcess, liveProcesses } from '../../engines/relational/processes/live-processes.ts'
import { systemClock } from '../../foundation/clock.ts'
import type { WriteLine } from './command.ts'

/** The name of the embedded issuer's signing keys, which are in the database. */
export const issuerKeys = 'ISSUER_KEYS'

/** Exit code while a step is incomplete. */
const incomplete = 1

/**
 * Leads through the rotation of a platform key: prints the current step, whether every running process has completed it, and the next one. Re-encrypts
 * once every process uses the new key.
 * @param held - the key in the settings of this command; undefined if it is unset
 * @param rewrap - re-encrypts stored records; returns what was done
 * @returns the exit code: 0 if the step is complete
 */
export async function rotateKey(
  database: Database,
  name: RotatableKey,
  held: HeldKey | undefined,
  rewrap: () => Promise<string>,
  writeLine: WriteLine,
): Promise<number> {
  const users = (await liveProcesses(database.orm)).flatMap((process) => {
    const key = process.keys[name]
    return key === undefined ? [] : [{ process, key }]
  })
  if (users.length === 0) writeLine(`no running process uses ${name}`)
  for (const { process, key } of users) writeLine(`  ${labelOf(process)}  uses ${key.currentId}${alsoReads(key)}`)
  const currents = [...new Set(users.map(({ key }) => key.currentId))]
  const recorded = (await recordedKeys(database.orm)).find((key) => key.name === name)
  const inUse = currents.length === 1 ? currents[0] : undefined
  if (currents.length > 1) return inTheMiddle(name, users, held, writeLine)
  const former = new Set(recorded?.formerIds)
  const records = await sealedRecords(database.orm, name)
  const current = inUse ?? recorded?.keyId ?? held?.currentId
  if (held === undefined || current === undefined) {
    writeLine(`${name} is unset for this command: set it as the processes have it`)
    return incomplete
  }
  const old = [...records].filter(([id]) => id !== current)
  const prepared = [held.currentId, ...held.previousIds].find((id) => id !== current && !former.has(id) && !records.has(id))
  if (prepared !== undefined) return prepare(name, prepared, users, writeLine)
  if (old.length > 0) {
    if (held.currentId !== current) {
      writeLine(`Step 3: the processes use ${current}. Set ${name} and ${name}_PREVIOUS of this command as theirs, and run it again`)
      return incomplete
    }
    writeLine(await rewrap())
    const remaining = [...(await sealedRecords(database.orm, name))].filter(([id]) => id !== current)
    for (const [id, count] of remaining) writeLine(`${count} records need the key ${id}: set it in ${name}_PREVIOUS and run this again`)
    if (remaining.length > 0) return incomplete
  } else if (held.previousIds.length > 0) writeLine(await rewrap())
  const readsFormer = users.some(({ key }) => key.previousIds.length > 0)
  writeLine(
    readsFormer
      ? `Every record is under ${current}. Step 4: after 24 hours remove ${name}_PREVIOUS from every process. Keep the former key as long as any backup of its time`
      : `${current} is the only key in use. To rotate it, step 1: create a key (openssl rand -base64 32), set it as ${name}_PREVIOUS on every process beside the present ${name}, restart them one by one, and run this again with the same settings`,
  )
  return 0
}

type User = { readonly process: LiveProcess; readonly key: Pick<HeldKey, 'currentId' | 'previousIds'> }

/** Step 1 and 2: the new key is readable, and then used. */
function prepare(name: RotatableKey, newId: string, users: readonly User[], writeLine: WriteLine): number {
  const missing = users.filter(({ key }) => !canRead(key, newId))
  if (missing.length > 0) {
    writeLine(`Step 1 is incomplete: ${missing.length} of ${users.length} processes cannot read the new key ${newId}:`)
    for (const { process } of missing) writeLine(`  ${labelOf(process)}`)
    writeLine(`Set it as ${name}_PREVIOUS there, restart them, and run this again`)
    return incomplete
  }
  writeLine(
    `Step 1 is complete: every process can read the new key ${newId}. Step 2: exchange the values of ${name} and ${name}_PREVIOUS on every process, restart them one by one, and run this again with the same settings`,
  )
  return 0
}

/** Step 2 while some processes use the new key. */
function inTheMiddle(name: RotatableKey, users: readonly User[], held: HeldKey | undefined, writeLine: WriteLine): number {
  const other = users.filter(({ key }) => key.currentId !== held?.currentId)
  writeLine(
    `Step 2 is incomplete: processes use different keys as ${name}; both are readable, so nothing fails meanwhile. Restart those with the old one:`,
  )
  for (const { process, key } of other) writeLine(`  ${labelOf(process)}  uses ${key.currentId}`)
  return incomplete
}

/** Replaces the signing keys of the embedded issuer at once, for the case that one is known to others. */
export async function replaceIssuerKeys(
  database: Database,
  vaultKey: Uint8Array,
  record: () => Promise<void>,
  writeLine: WriteLine,
): Promise<number> {
  await record()
  await new SigningKeys(database, vaultKey, systemClock).replace()
  writeLine('The signing keys of the embedded issuer are replaced: processes sign with the new one within a minute and refuse tokens of')
  writeLine('the former ones; signed-in clients refresh their tokens, and no password changes')
  return 0
}

const labelOf = ({ roles, host, release, commit }: LiveProcess): string =>
  `${roles.join(' ')} on ${host} (${release}, ${commit.slice(0, 8)})`
const alsoReads = ({ previousIds }: Pick<HeldKey, 'previousIds'>): string =>
  previousIds.length === 0 ? '' : `, reads ${previousIds.join(', ')}`
