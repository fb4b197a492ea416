import { redactionWords } from './redaction-words.ts'
import { matchesOf, type Rule } from './rule.ts'

const { email: words } = redactionWords
const at = '(?:[ \\n]?\\\\?@{1,3}[ \\n]?| -(?:@|at|arobase)- | ?[[({<*|/"«~] ?(?:@|at|arobase|a|à) ?[\\])}>*|/"»~] ?| arobase |%40)'
const label = '[\\p{L}\\p{N}-]{1,63}'
const dot = `(?:[.·]{1,3}| -(?:dot|point)- | ?[[({<*|] ?(?:\\.|dot|point) ?[\\])}>*|] ?)`
/** A dot with a blank or line break beside it, a comma or a semicolon: the end of an address when a known domain follows. */
const spacedEnd = `(?:(?:[ \\n]?\\. ?\\n?| ?[,;])(?:${words.knownDomains})(?![\\p{L}\\p{N}]))`
const name = '[\\p{L}\\p{N}._%+·-]{1,64}'
// linear: every repeat is bounded; hostile-text.test.ts measures it
const shape = new RegExp(
  `${name}(?:${at}${label}(?:${dot}${label}){1,8}|@(?:${words.webmail})(?: (?:${words.endings}))?(?![\\p{L}\\p{N}.-])|@${label}(?=${spacedEnd}))${spacedEnd}?`,
  'giu',
)

/** Addresses with signs, one of which may be spelled out. */
export const email: Rule = { type: 'email', find: (text) => matchesOf(text, shape) }

const spokenWord = '[\\p{L}\\p{N}._%+-]{1,64}'
const inBrackets = (signs: string): string => ` ?[[({<*|/] ?(?:${signs}) ?[\\])}>*|/] ?`
const spokenName = `${spokenWord}(?:(?: (?:${words.dot}|${words.otherSigns}) |${inBrackets(words.dot)})${spokenWord}){0,5}`
/** excludes a point of sale, or where something hurts */
const noLabel = `(?!(?:${words.noLabels}) \\p{L})`
const dotted = `(?:\\.| \\. | (?:${words.dot}) ${noLabel}|${inBrackets(words.dot)})${label}`
/** with marks instead of spaces: awa_at_mail_dot_sn */
const marked = `[\\p{L}\\p{N}]{1,40}(?:[._-][\\p{L}\\p{N}]{1,40}){0,4}?[_-](?:at|${words.at})(?:[_-][\\p{L}\\p{N}]{1,40}){1,3}?(?:[_-](?:${words.dot})[_-][\\p{L}\\p{N}]{2,40}){1,3}`
const spokenAt = `(?: ?@ ?|${inBrackets(`at|a|à|${words.at}`)}| (?:${words.at}) )`

// linear: every repeat is bounded; hostile-text.test.ts measures it
const spokenShape = new RegExp(
  `(?<![\\p{L}\\p{N}])(?:${[
    // jean point dupont arobase exemple point fr, jean[dot]dupont@exemple . fr
    `${spokenName}${spokenAt}${label}(?:${dotted}){1,4}${spacedEnd}?`,
    // john dot doe at example dot com; not a sentence about a place
    `(?!(?:${words.noNames}) at )${spokenName} (?:at|آت|ات) ${label}(?:(?: (?:dot|دوت|نقطة) ${label}){1,4}|(?: point ${label}){0,3} point (?:${words.endings})(?![\\p{L}\\p{N}]))`,
    // john.doe at example.org, awa.diop chez gmail point com, awa at gmail.com
    `(?=[\\p{L}\\p{N}]{1,64}[._])[\\p{L}\\p{N}._-]{2,64} (?:at|chez) ${label}(?:(?:\\.| (?:dot|point) ${noLabel})${label}){1,4}`,
    `(?!(?:${words.noNames}) at )${spokenWord} at (?:${words.webmail})(?:\\.${label}){1,2}`,
    // jean.dupont à exemple point fr, awa7 à gmail.com
    `(?=[\\p{L}\\p{N}]{1,64}[._])[\\p{L}\\p{N}._-]{2,64} à ${label}(?:(?:\\.| (?:dot|point) )${label}){0,2}(?:\\.| (?:dot|point) )(?:${words.endings})(?![\\p{L}\\p{N}])`,
    `(?=\\p{L}{1,64}[\\p{N}._])${spokenWord} à (?:gmail|hotmail|yahoo|outlook)(?:\\.| (?:dot|point) )${label}`,
    // awa.diop arobase gmail
    `${spokenName} (?:${words.at}) (?:${words.webmail})(?![\\p{L}\\p{N}])`,
    marked,
  ].join('|')})`,
  'giu',
)

/** A dictated address, whose sign is a word; `email` finds those with the sign itself. */
export const spokenEmail: Rule = { type: 'email', find: (text) => matchesOf(text, spokenShape) }
