import { fold } from '../../engines/text/fold.ts'

export type ToxicityFlag = 'insult' | 'threat' | 'hate' | 'shouting'

export interface ToxicityView {
  /** 0 to 1 */
  readonly score: number
  readonly flags: readonly ToxicityFlag[]
}

interface Pattern {
  readonly flag: ToxicityFlag
  readonly weight: number
  /** the only language in which these words hurt; absent: in any */
  readonly lang?: string
  readonly pattern: RegExp
}

/** Any of these, as whole words. */
const oneOf = (...expressions: readonly string[]): RegExp => new RegExp(`(?<!\\p{L})(?:${expressions.join('|')})(?!\\p{L})`, 'gu')
/** where a sentence begins: a wish there, what has happened elsewhere */
const opening = '(?<=(?:^|[.!?؟:])\\s{0,2})'
/** "mort au(x)" without them tells where somebody died */
const wishedDead =
  'juifs?|arabes?|noirs?|blancs?|etrangers?|migrants?|immigres?|musulmans?|chretiens?|homosexuels?|homos?|pedes?|flics?|policiers?|gendarmes?|juges?|maires?|ministres?|presidents?|deputes?|elus?|politiciens?|journalistes?|traitres?|voleurs?|corrompus?|tyrans?|dictateurs?'

/** Folded. Only what is meant to hurt people; hard words about a state of affairs are what citizens are here for. */
const patterns: readonly Pattern[] = [
  {
    flag: 'insult',
    weight: 0.6,
    pattern: oneOf(
      "(?<!c['’]est (?:\\p{L}+ )?)idiots?|imbeciles?|cretins?|abrutis?|ordures? humaines?|(?<!chiens? )batards?",
      'conn?ards?|conn?asses?|salauds?|salopes?|encules?|fils de pute',
      "stupid (?:people|persons?|m[ae]n|wom[ae]n|fools?|cows?|pigs?|mayor|officials?)|(?:you|he|she)(?: are| is|['’](?:re|s)) (?:\\p{L}+ )?stupid",
      'morons?|bastards?|assholes?|scumbags?|bitch(?:es)?|son of a bitch',
      '(?:يا|انت|انتم|انتي|ابن|بن|ولد|اولاد|ابناء) (?:ال)?(?:كلب|كلاب|حمار|حمير)|غبي|اغبياء|حقير|حثاله',
    ),
  },
  { flag: 'insult', weight: 0.6, lang: 'en', pattern: oneOf('retards?') },
  {
    flag: 'threat',
    weight: 0.8,
    pattern: oneOf(
      '(?:je|on|nous) (?:vais|va|allons) (?:(?:te|vous) (?:tuer|bruler|frapper|egorger)|(?:le|la|les) (?:tuer|frapper|egorger))',
      `mort aux? (?:sales? )?(?:${wishedDead})|${opening}a mort l(?:e|a|es)`,
      "(?:i|we)(?: will|['’]ll|(?: am| are|['’]m|['’]re)? (?:going to|gonna)) (?:(?:kill|burn|beat) you|(?:kill|beat) (?:them|him|her))",
      `${opening}death to`,
      `ساقتلك|سنقتلكم|ساحرقكم|${opening}الموت ل(?:ل\\p{L}+|ك|كم|ه|هم)`,
    ),
  },
  {
    flag: 'hate',
    weight: 0.8,
    pattern: oneOf(
      'sales? (?:arabes?|negres?|juifs?|etrangers?)|(?:un|des|les|ces|de) sales? (?:noirs?|blancs?)|negres?|bougnoules?|youpins?',
      '(?:dirty|filthy) (?:arabs?|jews?|foreigners?|blacks|whites)|niggers?|kikes?|go back to your country',
      `${opening}rentrez chez vous(?= *(?:!|$))|rentrez dans votre pays|عبيد قذرون|ارجعوا الي بلادكم`,
    ),
  },
]
/** what somebody else has said: "traité de …", "called me a …" */
const reported = /(?<!\p{L})(?:traite\p{L}* d(?:e |['’])|called (?:me|us|him|her|them) (?:an? )?)\p{L}+(?: \p{L}+)?/gu
const shoutedLetters = 20
const shoutedShare = 0.8

/**
 * A lexicon of insults, threats and hatred in French, English and Arabic. What is found is flagged for people to judge, never removed.
 * @param lang - of the text: some words hurt in one language alone
 */
export function toxicityOf(text: string, lang: string): ToxicityView {
  const folded = fold(text).replace(reported, ' ')
  const flags = new Set<ToxicityFlag>()
  let innocence = 1
  for (const each of patterns) {
    if (each.lang !== undefined && each.lang !== lang) continue
    const hits = folded.match(each.pattern)?.length ?? 0
    if (hits === 0) continue
    flags.add(each.flag)
    innocence *= (1 - each.weight) ** Math.min(hits, 3)
  }
  const letters = text.match(/\p{L}/gu)?.length ?? 0
  const capitals = text.match(/\p{Lu}/gu)?.length ?? 0
  if (letters >= shoutedLetters && capitals / letters > shoutedShare) {
    flags.add('shouting')
    innocence *= 0.85
  }
  return { score: Math.round((1 - innocence) * 1000) / 1000, flags: [...flags] }
}
