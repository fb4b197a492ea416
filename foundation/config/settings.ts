import { contentSettings, expressionSettings, verificationSettings } from './settings/components.ts'
import { engineSettings } from './settings/engines.ts'
import { gatewaySettings } from './settings/gateway.ts'
import { peopleSettings } from './settings/people.ts'
import { processSettings } from './settings/process.ts'

/** Every setting of the platform, in the order in which `npm start -- help` and docs/settings.md print them. */
export const settingChapters = {
  'The process': processSettings,
  'What clients call': gatewaySettings,
  'Backing services': engineSettings,
  'People who administer': peopleSettings,
  Verification: verificationSettings,
  'Expressions and their exploration': expressionSettings,
  Content: contentSettings,
}

/** The same in one tree: the shape of what `parseConfig` gives. */
export const settings = {
  ...processSettings,
  ...gatewaySettings,
  ...engineSettings,
  ...peopleSettings,
  ...verificationSettings,
  ...expressionSettings,
  ...contentSettings,
}
