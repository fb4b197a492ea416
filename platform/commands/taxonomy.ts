import { readFile, stat, writeFile } from 'node:fs/promises'
import {
  type ComparedTaxonomy,
  maxTaxonomyFile,
  type TaxonomyDifference,
  type TaxonomyFormat,
  taxonomyFiles,
} from '../../subgraphs/classification/commands/taxonomy-files.ts'
import { type Command, CommandProblem, readWords, type WriteLine } from './command.ts'
import { commandTrail, operatorName } from './command-trail.ts'
import { unannouncedFeed, withDatabase } from './database.ts'

/** `taxonomy …`: imports, exports and lists versions of the taxonomy, with or without a running platform. @returns the exit code */
export const manageTaxonomy: Command = async (words, config, writeLine) => {
  const { positionals, values } = readWords(words, {
    note: { type: 'string' },
    'dry-run': { type: 'boolean' },
    draft: { type: 'boolean' },
    version: { type: 'string' },
  })
  const [verb, file, ...more] = positionals
  const { note, draft = false, 'dry-run': isDryRun = false, version } = values
  if (more.length > 0) throw new CommandProblem(`Unknown command: taxonomy ${words.join(' ')}`)
  if (verb === 'versions' && file === undefined)
    return withDatabase(config, async (database) => {
      for (const { number, at, author, note, change } of await taxonomyFiles({ database, feed: unannouncedFeed(database) }).versions())
        writeLine([number, at.toISOString(), author, `+${change.added} ~${change.updated} -${change.removed}`, note].join('\t'))
      return 0
    })
  if (verb === 'export') {
    const format = file === undefined ? 'json' : formatOf(file)
    const number = version === undefined ? undefined : Number(version)
    if (number !== undefined && !(Number.isSafeInteger(number) && number > 0))
      throw new CommandProblem('--version must be a number that "taxonomy versions" lists')
    return withDatabase(config, async (database) => {
      const content = await taxonomyFiles({ database, feed: unannouncedFeed(database) }).export(format, number)
      if (file === undefined) writeLine(content.trimEnd())
      else await writeFile(file, content)
      return 0
    })
  }
  if (verb !== 'import' || file === undefined) throw new CommandProblem(`Unknown command: taxonomy ${words.join(' ')}`)
  const format = formatOf(file)
  if (!isDryRun && !draft && !note?.trim()) throw new CommandProblem('Missing --note TEXT: what the version changes')
  const bytes = await contentOf(file)
  return withDatabase(
    config,
    async (database) => {
      const files = taxonomyFiles({ database, feed: unannouncedFeed(database) })
      const compared = await files.compare(bytes, format)
      report(compared, writeLine)
      if (isDryRun || compared.differences.length === 0) return 0
      const record = commandTrail(database)
      const author = operatorName()
      const details = { changes: compared.differences.length }
      if (draft) {
        const revision = await files.draft(compared, author, (tx) =>
          record({ action: 'taxonomy.import', details: { ...details, draft: true } }, tx),
        )
        writeLine(`The draft has these changes now (revision ${revision}); preview and publish it in the console`)
        return 0
      }
      const number = await files.publish(compared, { author, note: note?.trim() ?? '' }, (tx, version) =>
        record({ action: 'taxonomy.import', target: `taxonomy:${version}`, details }, tx),
      )
      writeLine(`Version ${number} is published; running processes follow within seconds`)
      return 0
    },
    'no version was published',
  )
}

function formatOf(file: string): TaxonomyFormat {
  const [, format] = /\.(json|csv)$/i.exec(file) ?? []
  if (format === undefined) throw new CommandProblem('Name a file that ends in .json or .csv')
  return format.toLowerCase() === 'csv' ? 'csv' : 'json'
}

async function contentOf(file: string): Promise<Buffer> {
  const { size } = await stat(file)
  if (size > maxTaxonomyFile) throw new Error(`${file} has ${size} bytes; at most ${maxTaxonomyFile} are read`)
  return readFile(file)
}

function report({ base, differences }: ComparedTaxonomy, writeLine: WriteLine): void {
  if (differences.length === 0) writeLine(`The file equals version ${base}`)
  for (const each of differences) writeLine(lineOf(each))
}

function lineOf({ kind, id, from, to, added, removed }: TaxonomyDifference): string {
  const under = to === null ? '' : ` under ${to}`
  switch (kind) {
    case 'added':
    case 'restored':
      return `${kind === 'added' ? '+' : '*'} ${id}${under}: ${kind}, ${added} phrases`
    case 'retired':
      return `- ${id}: retired, ${to === null ? 'without a successor' : `replaced by ${to}`}`
    case 'redirected':
      return `~ ${id}: retired, replaced by ${to ?? 'no domain'} instead of ${from ?? 'no domain'}`
    case 'moved':
      return `~ ${id}: moved from ${from ?? 'the top'} to ${to ?? 'the top'}`
    case 'reordered':
      return `~ ${id}: other place`
    default:
      return `~ ${id}: ${kind}, ${added} added, ${removed} removed`
  }
}
