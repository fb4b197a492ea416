import { redactionWords } from './redaction-words.ts'
import { matchesOf, type Rule } from './rule.ts'

const { email: words } = redactionWords
const at = '(?:[ \\n]?\\\\?@{1,3}[ \\n]?| -(?:@|at|arobase)- | ?[[({<*|/"«~] ?(?:@|at|arobase|a|à) ?[\\])}>*|/"»~] ?| arobase |%40)'
const label = '[\\p{L}\\p{N}-]{1,63}'
const dot = `(?:[.·]{1,3}| -(?:dot|point)- | ?[[({<*|] ?(?:\\.|dot|point) ?[\\])}>*|] ?)`
/** A dot with a blank or line break beside it, a comma or a semicolon: the end of an address when a known domain follows. */
export const spacedEnd = `(?:(?:[ \\n]?\\. ?\\n?| ?[,;])(?:${words.knownDomains})(?![\\p{L}\\p{N}]))`
const name = '[\\p{L}\\p{N}._%+·-]{1,64}'
// linear: every repeat is bounded; hostile-text.test.ts measures it
const shape = new RegExp(
  `${name}(?:${at}${label}(?:${dot}${label}){1,8}|@(?:${words.webmail})(?: (?:${words.endings}))?(?![\\p{L}\\p{N}.-])|@${label}(?=${spacedEnd}))${spacedEnd}?`,
  'giu',
)

/** Addresses with signs, one of which may be spelled out. */
export const email: Rule = { type: 'email', find: (text) => matchesOf(text, shape) }
