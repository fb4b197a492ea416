import previous from '../../faults/previous-release.json' with { type: 'json' }
import { unsaidBreaks } from './unsaid-breaks.ts'

/** Part of `npm run check`: what breaks clients since the last release, as `schema/released/` has it, must be said in the changelog. */
const unsaid = unsaidBreaks(process.cwd(), previous.release)
for (const description of unsaid) process.stdout.write(`${description} CHANGELOG.md does not say so.\n`)
process.exitCode = unsaid.length === 0 ? 0 : 1
