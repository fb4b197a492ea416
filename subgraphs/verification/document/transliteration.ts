/** Pairs `letter=replacement`, separated by white space. */
const table = (pairs: string): ReadonlyMap<string, string> =>
  new Map(
    pairs
      .trim()
      .split(/\s+/)
      .map((pair): [string, string] => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)]),
  )

/** Latin letters that do not fall apart into a letter and an accent; ICAO Doc 9303 part 3, section 6 A. */
const latin = table('Æ=AE Œ=OE Ø=OE ẞ=SS ß=SS Þ=TH Ð=D Đ=D Ħ=H Ł=L Ŀ=L Ŧ=T Ŋ=N ı=I Ĳ=IJ ĸ=Q Ɓ=B Ɗ=D Ƙ=K Ƴ=Y Ɛ=E Ɔ=O Ɲ=N')
/** Letters for which the standard names two letters, while many write only the bare one. */
const widened = table('Ä=AE Ö=OE Ü=UE Å=AA')

/** Section 6 B, Cyrillic. */
const cyrillic = table(`
  А=A Б=B В=V Г=G Д=D Е=E Ё=E Ж=ZH З=Z И=I Й=I К=K Л=L М=M Н=N О=O П=P Р=R С=S Т=T У=U Ф=F Х=KH Ц=TS Ч=CH Ш=SH Щ=SHCH Ъ=IE
  Ы=Y Ь= Э=E Ю=IU Я=IA І=I Ї=I Є=IE Ґ=G Ў=U Ј=J Љ=LJ Њ=NJ Ћ=C Ђ=D Џ=DZ Ѓ=G Ќ=K Ѕ=DZ`)

/** Section 6 C, Arabic script as it appears in a machine readable zone. Vowel signs are not written. */
const arabic = table(`
  ء=XE آ=XAA أ=XAE ؤ=U إ=I ئ=XI ا=A ب=B ة=XTA ت=T ث=XTH ج=J ح=XH خ=XKH د=D ذ=XDH ر=R ز=Z س=S ش=XSH ص=XSS ض=XDZ ط=XTT ظ=XZZ
  ع=E غ=G ف=F ق=Q ك=K ل=L م=M ن=N ه=H و=W ى=XAY ي=Y ٱ=XXA پ=P چ=XC ژ=XJ ڤ=XV ک=XKK گ=XG ی=XYH`)

const marks = /[\u0300-\u036f]/g
const arabicMarks = /[\u0610-\u061a\u064b-\u065f\u0670\u0640\u200c-\u200f]/g

export const isArabic = (text: string): boolean => /\p{Script=Arabic}/u.test(text)

/**
 * A name in the letters A-Z with single spaces, as a machine readable zone would write it.
 * @param umlauts - wide: Ä becomes AE as the standard names it; bare: A, as many documents and forms do
 */
export function toLatin(name: string, umlauts: 'wide' | 'bare' = 'bare'): string {
  const text = name.normalize('NFC').replace(/ß/g, 'SS').toUpperCase()
  const letters = [...(isArabic(text) ? text.replace(arabicMarks, '') : text)].map((letter) => {
    const known = (umlauts === 'wide' ? widened.get(letter) : undefined) ?? latin.get(letter) ?? cyrillic.get(letter) ?? arabic.get(letter)
    return known ?? letter.normalize('NFKD').replace(marks, '').toUpperCase()
  })
  return letters
    .join('')
    .replace(/['’`´ʼʻ‘]/g, '')
    .replace(/[^A-Z]+/g, ' ')
    .trim()
}

/** Arabic letters by the sound that Latin spellings give them; vowels and what is often dropped (h, w, y, ع, ء, ة) leave nothing. */
const arabicSound = table('ب=B پ=B ت=T ث=T ط=T ج=J چ=J ح= خ=X د=D ذ=D ض=D ظ=Z ر=R ز=Z س=S ص=S ش=C غ=G ف=F ڤ=F ق=K ك=K ک=K گ=G ل=L م=M ن=N')

/** The same sounds in French and English spellings of Arabic names; the longest first, C before what CH becomes. */
const latinSound: readonly (readonly [RegExp, string])[] = [
  [/KH/g, 'X'],
  [/Q|C(?=[AOUKLRT]|$)/g, 'K'],
  [/SH|CH/g, 'C'],
  [/DJ/g, 'J'],
  [/GH/g, 'G'],
  [/TH/g, 'T'],
  [/DH/g, 'D'],
  [/PH|V/g, 'F'],
  [/P/g, 'B'],
]

const undoubled = (text: string): string => text.replace(/(.)\1+/g, '$1')

/** The words of a name without vowel signs and articles. */
function arabicWords(name: string): string[] {
  const words = name
    .normalize('NFKC')
    .replace(arabicMarks, '')
    .split(/[\s\-<]+/)
  return words
    .map((word) => (isArabic(word) ? word.replace(/^ال(?=..)/, '') : toLatin(word).replace(/ /g, '')))
    .filter((word) => !/^(?:AL|EL|UL)?$/.test(word))
}

const latinSounds = (word: string): string => latinSound.reduce((text, [pattern, sound]) => text.replace(pattern, sound), word)

/**
 * What is left of an Arabic name when everything that spellings disagree about is taken away: vowels, doubled letters, h, w, y and the article.
 * محمد, MOHAMED, MUHAMMAD and MOHAMMED all give MD.
 */
export function arabicSkeleton(name: string): string {
  return arabicWords(name)
    .map((word) => {
      const sounds = isArabic(word)
        ? [...word].map((letter) => arabicSound.get(letter) ?? '').join('')
        : latinSounds(word).replace(/[AEIOUYWH]/g, '')
      return undoubled(sounds)
    })
    .join('')
}

/** Arabic letters that leave nothing in a skeleton, by the Latin letters one of which must stand in their place. */
const arabicVowel = table('ا=AE آ=AE أ=AE ٱ=AE ى=AEIY ة=AE و=OUW ي=IYE ی=IYE')
/** The same where a name begins with them; إ is often dropped. */
const arabicInitial = table('ا=AEIOU آ=AEIOU أ=AEIOU ٱ=AEIOU ع=AEIOU ح=H ه=H و=OUW ي=IY ی=IY')

/**
 * Whether a Latin spelling has its vowels where the Arabic name has room for them: long ones are always written (أكرم is AKRAM, not KARIM),
 * at most a short one is spoken where nothing is (حسن is HASSAN, not HUSSEIN).
 */
export function vowelsAgree(arabic: string, latin: string): boolean {
  let [pattern, last, between] = ['', '', '']
  for (const letter of arabicWords(arabic).join('')) {
    const sound = arabicSound.get(letter) ?? ''
    if (sound === '') between += letter
    else {
      if (sound !== last) pattern += `${vowelsOf(between, pattern === '')}${sound}(?:${anyVowels}${sound})*`
      ;[last, between] = [sound, '']
    }
  }
  // French spellings end in a silent E, West African ones in OU
  const end = between === '' ? '(?:E|OU)?' : vowelsOf(between, false)
  return new RegExp(`^${pattern}${end}$`).test(undoubled(latinSounds(arabicWords(latin).join(''))))
}

const anyVowels = '[AEIOUYWH]*'
/** A U before the last consonant is a long one: محمود is MAHMOUD, محمد is not. */
const shortVowel = '(?:[AEIO]|O?U(?!.$))?'

/** What Latin spellings can have for the letters between two consonants, or before the first. */
function vowelsOf(letters: string, initial: boolean): string {
  if (letters === '') return initial ? '' : shortVowel
  const wanted = [...letters].map((letter, at) => {
    const first = initial && at === 0
    const vowels = (first ? arabicInitial : arabicVowel).get(letter)
    return vowels === undefined ? '' : `(?=${first ? '' : anyVowels}[${vowels}])`
  })
  return [...new Set(wanted)].join('') + anyVowels
}
