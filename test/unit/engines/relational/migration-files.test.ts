import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { lastWithoutHeader, parseMigration, readMigrations } from '../../../../engines/relational/migrations/migration-files.ts'
import { projectFolder } from '../../../../foundation/process/build-info.ts'

const folder = join(projectFolder, 'schema/sql')

/** Changes that break a process of the previous release, or block all others while they run. */
const forbidden: readonly (readonly [problem: string, pattern: RegExp])[] = [
  ['drops what older processes use', /\bdrop (table|column|schema|view|type|function|trigger|sequence|index(?! concurrently))\b/],
  ['renames', /\brename\b/],
  ['changes a type, which rewrites the table', /\balter column \w+ (set data )?type\b/],
  ['requires values that older processes do not write', /\bset not null\b/],
  [
    'requires values that older processes do not write',
    /\badd column (?:if not exists )?\w+ (?![^,;]*\b(default|generated)\b)[^,;]*\bnot null\b/,
  ],
  ['empties a table', /\btruncate\b/],
]

/** Returns the indices of tables that other files create; an index of a table of the same file blocks no process. */
const indicesOfOthers = (statements: string): readonly string[] =>
  [...statements.matchAll(/\bcreate (?:unique )?index (?!concurrently)(\w+) on (\w+)/g)].flatMap(([, index = '', table = '']) =>
    new RegExp(`\\bcreate (?:unlogged )?table (?:if not exists )?${table}\\b`).test(statements)
      ? []
      : [`builds ${index} while writers wait`],
  )

/** Returns the constraints that a file drops permanently; a check that it adds again in a wider form refuses nothing that it accepted. */
const droppedConstraints = (statements: string): readonly string[] =>
  [...statements.matchAll(/\bdrop constraint (?:if exists )?(\w+)/g)].flatMap(([, name = '']) =>
    new RegExp(`\\badd constraint ${name} check \\(`).test(statements) ? [] : ['drops what older processes use'],
  )

function problemsOf(content: string): readonly string[] {
  // the body of a function runs when it is called, not in the migration
  const statements = content.replace(/--.*$/gm, '').replace(/\$\$.*?\$\$/gs, '')
  return [
    ...forbidden.flatMap(([problem, pattern]) => (pattern.test(statements) ? [problem] : [])),
    ...droppedConstraints(statements),
    ...indicesOfOthers(statements),
  ]
}

describe('migrations', () => {
  it('that expand do not break the processes of the previous release', async () => {
    const files = (await readMigrations(folder)).filter(({ number, phase }) => number > lastWithoutHeader && phase === 'expand')
    expect(files.map(({ name, content }) => [name, problemsOf(content)])).toEqual(files.map(({ name }) => [name, []]))
  })

  it.each([
    'alter table a drop column b;',
    'alter table a rename column b to c;',
    'alter table a alter column b type bigint;',
    'alter table a alter column b set not null;',
    'alter table a add column b text not null;',
    'alter table a add column c int default 1, add column b text not null;',
    'create index b on a (c);',
    'drop function a;',
    'alter table a drop constraint b;',
    'alter table a drop constraint b; alter table a add constraint b unique (c);',
  ])('that expand must not contain: %s', (statement) => {
    expect(problemsOf(statement)).toHaveLength(1)
  })

  it.each([
    "alter table a add column b text not null default '';",
    'alter table a alter column b drop not null;',
    'create table a (b text not null); create index b on a (b);',
    'create index concurrently if not exists b on a (c);',
    'alter table a drop constraint b; alter table a add constraint b check (c in (1, 2)) not valid;',
  ])('that expand may contain: %s', (statement) => {
    expect(problemsOf(statement)).toEqual([])
  })

  it('state their kind in their first line', () => {
    expect(() => parseMigration('0016-new.sql', 'create table a ();')).toThrow(
      '0016-new.sql must begin with "-- migration: expand" or "-- migration: contract", optionally with ", concurrently"',
    )
    expect(parseMigration('0016-new.sql', '-- migration: contract\ndrop table a;')).toMatchObject({ number: 16, phase: 'contract' })
    expect(parseMigration('0015-old.sql', 'drop table a;')).toMatchObject({ number: 15, phase: 'expand' })
  })

  it('outside a transaction contain only repeatable statements', () => {
    const content =
      '-- migration: expand, concurrently\n-- why\ncreate unique index concurrently if not exists a on b (c)\n  where d;\ndrop index concurrently if exists e;\n'
    expect(parseMigration('0016-index.sql', content).concurrently).toEqual([
      { text: 'create unique index concurrently if not exists a on b (c)\n  where d', verb: 'create', index: 'a' },
      { text: 'drop index concurrently if exists e', verb: 'drop', index: 'e' },
    ])
    expect(() => parseMigration('0016-index.sql', '-- migration: expand, concurrently\ncreate index concurrently a on b (c);\n')).toThrow(
      /^0016-index\.sql may contain only /,
    )
  })

  it('have distinct numbers', async () => {
    const names = (await readdir(folder)).filter((name) => name.endsWith('.sql'))
    expect(new Set(names.map((name) => name.slice(0, 4))).size).toBe(names.length)
    await expect(readFile(join(folder, '0001-engines.sql'), 'utf8')).resolves.toContain('create table event')
  })
})
