import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { auditActions } from '../../../engines/audit/audit-actions.ts'

const words = join(import.meta.dirname, '../../../web/console/audit/action-words')

it.each(['fr', 'en', 'ar'])('the console has a %s name for every action of the audit trail, and for no other', (language) => {
  const texts = JSON.parse(readFileSync(join(words, `${language}.json`), 'utf8')) as Readonly<Record<string, unknown>>
  const named = Object.keys(texts).filter((key) => key.startsWith('audit-action.'))
  expect(named.toSorted()).toEqual(auditActions.map((action) => `audit-action.${action}`).toSorted())
})
