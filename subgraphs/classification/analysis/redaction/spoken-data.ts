/** An address or a number as people dictate it: signs and digits in words. */

const atWord = 'arr?oba[sz]e?|arroba|chiocciola'
const dotWord = 'dot|point|punto|ponto|punkt|نقطة|دوت'
const otherSigns = "tiret(?: du (?:bas|haut|milieu|six|huit|[68]))?|trait d[’']union|underscore|dash|hyphen|guion(?: bajo)?|moins"
const word = '[\\p{L}\\p{N}._%+-]{1,64}'
const label = '[\\p{L}\\p{N}-]{1,63}'
/** of places that people speak of in French after an English "at": those that are words as well, such as de, are not among them */
const endings =
  'com|org|net|info|edu|gouv|gov|fr|sn|ci|bf|ml|ne|tg|bj|gn|cm|cd|cg|ga|td|mg|dj|km|rw|bi|mr|ht|ma|dz|tn|be|ch|ca|uk|eu|africa'
const webmail = 'gmail|googlemail|yahoo|ymail|hotmail|outlook|live|msn|icloud|proton(?:mail)?|gmx|aol|orange|wanadoo|laposte'
/** what stands before "at" without being anybody's name */
const noName =
  'us|me|you|him|her|them|it|is|are|was|were|be|been|look|looks|looked|looking|see|visit|available|online|site|website|page|found|find|here|there|order|register|apply|mail|e-?mail|contact|reach|live|book|and|or|only|read|more|up|out|stay|meet|arrive|pay|log|sign'
const inBrackets = (words: string): string => ` ?[[({] ?(?:${words}) ?[\\])}] ?`
const name = `${word}(?:(?: (?:${dotWord}|${otherSigns}) |${inBrackets(dotWord)})${word}){0,5}`
/** a point of sale, or where something hurts, is none */
const noLabel = '(?!(?:d[eu]s?|les?|la|où|ou|et|à|qui|que|sur|en) \\p{L})'
const dotted = `(?:\\.| \\. | (?:${dotWord}) ${noLabel}|${inBrackets(dotWord)})${label}`
/** with marks instead of spaces: awa_at_mail_dot_sn */
const marked = `[\\p{L}\\p{N}]{1,40}(?:[._-][\\p{L}\\p{N}]{1,40}){0,4}?[_-](?:at|${atWord})(?:[_-][\\p{L}\\p{N}]{1,40}){1,3}?(?:[_-](?:${dotWord})[_-][\\p{L}\\p{N}]{2,40}){1,3}`
const at = `(?: ?@ ?|${inBrackets(`at|a|${atWord}`)}| (?:${atWord}) )`

/** Where the sign is a word; the sign itself is another rule's. */
export const spokenEmail = new RegExp(
  `(?<![\\p{L}\\p{N}])(?:${[
    // jean point dupont arobase exemple point fr, jean[dot]dupont@exemple . fr
    `${name}${at}${label}(?:${dotted}){1,4}`,
    // john dot doe at example dot com; what is no sentence about a place
    `(?!(?:${noName}) at )${name} (?:at|آت|ات) ${label}(?:(?: (?:dot|دوت|نقطة) ${label}){1,4}|(?: point ${label}){0,3} point (?:${endings})(?![\\p{L}\\p{N}]))`,
    // john.doe at example.org, awa at gmail.com
    `[\\p{L}\\p{N}]+[._][\\p{L}\\p{N}._-]*\\p{L} at ${label}(?:\\.${label}){1,4}`,
    `(?!(?:${noName}) at )${word} at (?:${webmail})(?:\\.${label}){1,2}`,
    marked,
  ].join('|')})`,
  'giu',
)

/** in Arabic digit by digit only */
const zero = 'z[ée]ro|oh|nought|صفر'
const arabic = 'واحد|اثن(?:ان|ين)|ثلاثة?|[أا]ربعة?|خمسة?|ستة?|سبعة?|ثمانية?|ثماني|تسعة?'
const units = `${zero}|${arabic}|une?|deux|trois|quatre|cinq|six|sept|huit|neuf|one|two|three|four|five|seven|eight|nine`
const teens = 'dix|onze|douze|treize|quatorze|quinze|seize|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen'
const tens =
  'vingts?|trente|quarante|cinquante|soixante|septante|huitante|octante|nonante|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety'
const numberWord = `(?:${units}|${teens}|${tens}|cents?|double|triple)`
const between = '(?:[ ,.-]|, | - | et )'
const announced =
  't[ée]l|t[ée]l[ée]phone|portable|mobile|whatsapp|(?:r?appele[rz]|joindre|contacter|contactez|joignez)(?:[ -]\\p{L}{1,5}){0,2}|(?:mon|son|notre|votre|leur) num[ée]ro|phone|call(?: (?:me|us|him|her))?|text me|(?:my|his|her|our|your) number'

/** Many words for numbers, one after the other, that begin as a telephone number does or are announced as one. */
export const spokenPhone = new RegExp(
  `(?:(?<![\\p{L}\\p{N}-])(?=(?:plus|z[ée]ro|oh|صفر)[ ,-])|(?<=(?<!\\p{L})(?:${announced})(?: (?:est|is|c[’']est))?(?: (?:le|au|on|at|the|à))?[ :,]{1,3}(?:le )?))(?:plus )?${numberWord}(?:${between}${numberWord}){4,20}(?![\\p{L}\\p{N}])`,
  'giu',
)

const isOne = (kind: string): ((each: string) => boolean) => {
  const pattern = new RegExp(`^(?:${kind})$`, 'iu')
  return (each) => pattern.test(each)
}
const [isZero, isUnit, isTeen, isTen] = [isOne(zero), isOne(units), isOne(teens), isOne(tens)]

/** Whether the words say as many digits as a telephone number has; "soixante-dix-huit" are two, "double seven" as well. */
export function isSpokenPhone(candidate: string): boolean {
  let digits = 0
  /** what the number that is being said has room for: a unit after tens, anything below a hundred after "cent" */
  let room: 'none' | 'unit' | 'teen' | 'hundred' = 'none'
  let times = 1
  for (const each of candidate.toLowerCase().split(/[ ,.-]+/)) {
    if (each === 'double' || each === 'triple') times = each === 'double' ? 2 : 3
    else if (/^cents?$/.test(each)) {
      digits += room === 'none' ? 2 : 3
      room = 'hundred'
    } else if (isTen(each)) {
      // quatre-vingts
      const isOfFour = /^vingts?$/.test(each) && candidate.toLowerCase().includes('quatre-vingt')
      if (room !== 'hundred') digits += isOfFour ? 1 : 2
      room = each === 'soixante' || isOfFour ? 'teen' : 'unit'
    } else if (isTeen(each)) {
      if (room !== 'teen' && room !== 'hundred') digits += 2
      // dix-sept
      room = each === 'dix' ? 'unit' : 'none'
    } else if (isUnit(each)) {
      if (room === 'none' || isZero(each)) digits += times
      room = 'none'
      times = 1
    }
  }
  return digits >= 8 && digits <= 15
}
