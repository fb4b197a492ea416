import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type pg from 'pg'

/** Secrets that must not appear anywhere, in every encoding. */
export class PlantedSecrets {
  readonly #spellings: readonly (readonly [name: string, bytes: Buffer])[]

  /** @param secrets - by name, each long enough not to appear by chance */
  constructor(secrets: Readonly<Record<string, string | Buffer>>) {
    this.#spellings = Object.entries(secrets).flatMap(([name, secret]) =>
      [secret, Buffer.from(secret).toString('hex'), ...base64Cores(Buffer.from(secret))].map(
        (spelling) => [name, Buffer.from(spelling)] as const,
      ),
    )
  }

  /** @returns names of the secrets in the text */
  in(content: Buffer | string): readonly string[] {
    const bytes = typeof content === 'string' ? Buffer.from(content) : content
    return [...new Set(this.#spellings.filter(([, spelling]) => bytes.includes(spelling)).map(([name]) => name))]
  }

  /** Reads every table of a database as text. @returns "table: secret" for each find */
  async inTables(client: pg.Client): Promise<readonly string[]> {
    const { rows: tables } = await client.query<{ name: string }>(
      `select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname not in ('pg_catalog', 'information_schema')`,
    )
    const places: string[] = []
    for (const { name } of tables) {
      const rows = await rowsOf(client, name)
      places.push(...this.in(rows.map(({ row }) => row).join('\n')).map((secret) => `${name}: ${secret}`))
    }
    return places
  }

  /** Reads every file below a folder: tables, indexes and the write-ahead log of a database among them. @returns "file: secret" */
  async inFiles(folder: string, matches: (name: string) => boolean = () => true): Promise<readonly string[]> {
    const files = (await readdir(folder, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile() && matches(entry.name))
    const places: string[] = []
    for (const file of files) {
      const path = join(file.parentPath, file.name)
      // a file that was just removed holds nothing
      const content = await readFile(path).catch(() => Buffer.alloc(0))
      places.push(...this.in(content).map((secret) => `${path}: ${secret}`))
    }
    return places
  }
}

/** Substrings that every base64 text with the secret contains, at each offset of the secret in the encoded bytes. */
function base64Cores(secret: Buffer): readonly string[] {
  return [0, 1, 2].map((before) => {
    const text = Buffer.concat([Buffer.alloc(before), secret]).toString('base64')
    return text.slice(before === 0 ? 0 : 4, -4)
  })
}

/** Every row as text; none of a table that was removed since it was listed, such as those of a rebuild. */
async function rowsOf(client: pg.Client, table: string): Promise<readonly { readonly row: string }[]> {
  try {
    return (await client.query<{ row: string }>(`select t::text as row from ${table} t`)).rows
  } catch (error) {
    const wasRemoved = error instanceof Error && 'code' in error && ['3F000', '42P01'].includes(String(error.code))
    if (wasRemoved) return []
    throw error
  }
}
