import { contentSettings, expressionSettings, verificationSettings } from './settings/components.ts'
import { contentStoreSettings, engineSettings, searchIndexSettings } from './settings/engines.ts'
import { gatewaySettings } from './settings/gateway.ts'
import { peopleSettings } from './settings/people.ts'
import { processSettings } from './settings/process.ts'

/** Every setting of the platform, in the order of `npm start -- help` and docs/settings.md. */
export const settingChapters = {
  'The process': processSettings,
  'What clients call': gatewaySettings,
  'Backing services': engineSettings,
  'The search index': searchIndexSettings,
  'The content store': contentStoreSettings,
  Administrators: peopleSettings,
  Verification: verificationSettings,
  'Expressions and their exploration': expressionSettings,
  Content: contentSettings,
}

/** All settings in one tree, the shape of the result of `parseConfig`. */
export const settings = {
  ...processSettings,
  ...gatewaySettings,
  ...engineSettings,
  ...searchIndexSettings,
  ...contentStoreSettings,
  ...peopleSettings,
  ...verificationSettings,
  ...expressionSettings,
  ...contentSettings,
}
