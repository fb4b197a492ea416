import { describe, expect, it } from 'vitest'
import { placeNamesIn } from '../../../../engines/geocoder/place-names.ts'
import { fold, foldLetters, foldName } from '../../../../foundation/text/fold.ts'
import { isStopWord, wordsOf } from '../../../../foundation/text/words.ts'

describe('folds', () => {
  it('unify what writers of French and English confuse', () => {
    expect(fold('L’ÉCOLE de Ñaël, ﬁn')).toBe('l’ecole de nael, fin')
    expect(foldLetters('Éﬁ')).toBe('eﬁ')
  })

  it('unify the shapes of Arabic letters in texts, and keep them in names', () => {
    expect(fold('أُغْلِقَت المدرســـة إلى')).toBe('اغلقت المدرسه الي')
    expect(foldName('المدرسة')).toBe('المدرسة')
  })

  it('replace the punctuation of a name by one space', () => expect(foldName(' Saint-Louis (Sénégal) ')).toBe('saint louis senegal'))
})

describe('words', () => {
  it('omit Arabic articles', () => expect(wordsOf('والمدرسة بالقرية 2')).toEqual(['مدرسه', 'قريه', '2']))

  it('omit the stop words of each language', () =>
    expect(['les', 'the', 'del', 'هذا', 'route', 'طريق'].map(isStopWord)).toEqual([true, true, true, true, false, false]))
})

describe('place names', () => {
  it('start with those that follow an announcing word', () =>
    expect(placeNamesIn('Le maire Moussa Diop est à Saint-Louis')).toEqual(['Saint-Louis', 'Moussa Diop']))

  it('are found in Arabic after their announcing word', () => expect(placeNamesIn('انقطع الماء بمدينة طنجة')).toEqual(['طنجة']))
})
