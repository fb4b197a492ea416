import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { settingsIn } from '../../../foundation/config/settings/setting.ts'
import { settings } from '../../../foundation/config/settings.ts'
import { settingsPage } from '../../../platform/printed/settings-page.ts'

it('docs/settings.md matches the settings in the code (npm run schema)', () => {
  const page = settingsPage()
  expect(readFileSync(new URL('../../../docs/settings.md', import.meta.url), 'utf8')).toBe(page)
  for (const { name } of settingsIn(settings)) expect(page).toContain(`| \`${name}\``)
})
