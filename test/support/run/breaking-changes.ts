import { messageOf } from '../../../foundation/fault.ts'
import previous from '../../faults/previous-release.json' with { type: 'json' }
import { unannouncedBreaks } from './unannounced-breaks.ts'

/** Part of `npm run check`: the changelog is well-formed and announces every change since the last release that breaks clients. */
try {
  const breaks = unannouncedBreaks(process.cwd(), previous.release)
  for (const description of breaks)
    process.stderr.write(`${description} Announce it in CHANGELOG.md below [Unreleased] by an entry that starts with "**Breaking:**".\n`)
  process.exitCode = breaks.length === 0 ? 0 : 1
} catch (error) {
  process.stderr.write(`${messageOf(error)}\n`)
  process.exitCode = 1
}
