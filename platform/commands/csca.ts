import { readFile, stat } from 'node:fs/promises'
import { basename } from 'node:path'
import { countryCertificateUpkeep } from '../../subgraphs/verification/commands/country-certificates.ts'
import { type Command, CommandProblem, readWords } from './command.ts'
import { commandTrail } from './command-trail.ts'
import { withDatabase } from './database.ts'

/** limit of a file; the whole ICAO directory has about 100 MB */
const maxFileBytes = 256 * 1024 * 1024
const fingerprint = /^[0-9a-f]{64}$/i

/** `csca …`: manages the certificates with which countries sign travel documents. @returns 1 if something was refused */
export const manageCountryCertificates: Command = async (words, config, writeLine) => {
  const { values, positionals } = readWords(words, { trust: { type: 'string', multiple: true } })
  const [verb, ...names] = positionals
  const trusted = values.trust ?? []
  for (const each of trusted) if (!fingerprint.test(each)) throw new CommandProblem('--trust needs a SHA-256: 64 hexadecimal digits')
  if (verb === 'import' && names.length > 0) {
    const files = await Promise.all(names.map(fileOf))
    return withDatabase(
      config,
      async (database) => {
        await commandTrail(database)({ action: 'country-certificates.import', details: { files: files.map(({ name }) => name), trusted } })
        const { problems, ...done } = await countryCertificateUpkeep(database).import(files, trusted)
        for (const problem of problems) process.stderr.write(`${problem}\n`)
        writeLine(
          `certificates ${done.certificates}, revocation lists ${done.revocationLists}, unchanged ${done.unchanged}, signers skipped ${done.signers}, refused ${done.refused}`,
        )
        return done.refused === 0 ? 0 : 1
      },
      'imported certificates stay; run the command again to import the rest',
    )
  }
  if (verb === 'list' && names.length === 0) {
    return withDatabase(config, async (database) => {
      for (const { country, kind, until, detail } of await countryCertificateUpkeep(database).list())
        writeLine([country, kind, until?.toISOString().slice(0, 10) ?? '', detail].join('\t'))
      return 0
    })
  }
  const [name = ''] = names
  if (verb === 'remove' && names.length === 1 && fingerprint.test(name)) {
    return withDatabase(config, async (database) => {
      await commandTrail(database)({ action: 'country-certificate.remove', target: name })
      const isRemoved = await countryCertificateUpkeep(database).remove(name)
      writeLine(isRemoved ? `${name} removed: chips of documents under it can no longer be verified` : `No certificate ${name}`)
      return isRemoved ? 0 : 1
    })
  }
  throw new CommandProblem(`Unknown command: csca ${words.join(' ')}`)
}

async function fileOf(path: string): Promise<{ readonly name: string; readonly bytes: Buffer }> {
  const { size } = await stat(path)
  if (size > maxFileBytes) throw new Error(`${path} is larger than ${maxFileBytes / 1024 / 1024} MB`)
  return { name: basename(path), bytes: await readFile(path) }
}
