import { fold } from '../engines/models/text-classifier-features.ts'

export type ToxicityFlag = 'insult' | 'threat' | 'hate' | 'shouting'

export interface ToxicityView {
  /** 0 to 1 */
  readonly score: number
  readonly flags: readonly ToxicityFlag[]
}

/** Folded. Only what is meant to hurt people; hard words about a state of affairs are what citizens are here for. */
const patterns: readonly { readonly flag: ToxicityFlag; readonly weight: number; readonly pattern: RegExp }[] = [
  {
    flag: 'insult',
    weight: 0.6,
    pattern:
      /(?<!\p{L})(?:idiots?|imbeciles?|cretins?|connards?|connasses?|conn?ards?|salauds?|salopes?|encules?|batards?|abrutis?|ordures? humaines?|fils de pute|stupid|morons?|bastards?|assholes?|scumbags?|bitch(?:es)?|son of a bitch|retards?|حمار|كلاب|كلب|غبي|اغبياء|حقير|حثاله|ابن الكلب)(?!\p{L})/gu,
  },
  {
    flag: 'threat',
    weight: 0.8,
    pattern:
      /(?:(?:je|on|nous) (?:vais|va|allons) (?:te|vous|le|la|les) (?:tuer|bruler|frapper|egorger)|mort aux?|a mort les|i(?: wi|')ll (?:kill|burn|beat) (?:you|them|him|her)|(?:going to|gonna) (?:kill|burn|beat) (?:you|them|him|her)|death to|ساقتلك|سنقتلكم|ساحرقكم|الموت ل)/gu,
  },
  {
    flag: 'hate',
    weight: 0.8,
    pattern:
      /(?:sales? (?:arabes?|noirs?|negres?|juifs?|etrangers?|blancs?)|negres?|bougnoules?|youpins?|(?:dirty|filthy) (?:arabs?|blacks?|jews?|foreigners?|whites?)|niggers?|kikes?|go back to your country|rentrez chez vous|عبيد قذرون|ارجعوا الى بلادكم)/gu,
  },
]
const shoutedLetters = 20
const shoutedShare = 0.8

/** A lexicon of insults, threats and hatred in French, English and Arabic. What is found is flagged for people to judge, never removed. */
export function toxicityOf(text: string): ToxicityView {
  const folded = fold(text)
  const flags: ToxicityFlag[] = []
  let innocence = 1
  for (const { flag, weight, pattern } of patterns) {
    const hits = folded.match(pattern)?.length ?? 0
    if (hits === 0) continue
    flags.push(flag)
    innocence *= (1 - weight) ** Math.min(hits, 3)
  }
  const letters = text.match(/\p{L}/gu)?.length ?? 0
  const capitals = text.match(/\p{Lu}/gu)?.length ?? 0
  if (letters >= shoutedLetters && capitals / letters > shoutedShare) {
    flags.push('shouting')
    innocence *= 0.85
  }
  return { score: Math.round((1 - innocence) * 1000) / 1000, flags }
}
