import { describe, expect, it } from 'vitest'
import { placeNamesIn } from '../../../../engines/geocoder/place-names.ts'
import { fold, foldLetters, foldName } from '../../../../engines/text/fold.ts'
import { isStopWord, wordsOf } from '../../../../engines/text/words.ts'

describe('folds', () => {
  it('makes one of what writers of French and English mix up', () => {
    expect(fold('L’ÉCOLE de Ñaël, ﬁn')).toBe('l’ecole de nael, fin')
    expect(foldLetters('Éﬁ')).toBe('eﬁ')
  })

  it('makes one of the shapes of Arabic letters in texts, and keeps them in names', () => {
    expect(fold('أُغْلِقَت المدرســـة إلى')).toBe('اغلقت المدرسه الي')
    expect(foldName('المدرسة')).toBe('المدرسة')
  })

  it('puts one space for the marks of a name', () => expect(foldName(' Saint-Louis (Sénégal) ')).toBe('saint louis senegal'))
})

describe('words', () => {
  it('leaves Arabic articles out', () => expect(wordsOf('والمدرسة بالقرية 2')).toEqual(['مدرسه', 'قريه', '2']))

  it('knows those that say nothing by themselves in each language', () =>
    expect(['les', 'the', 'del', 'هذا', 'route', 'طريق'].map(isStopWord)).toEqual([true, true, true, true, false, false]))
})

describe('names of places', () => {
  it('begins with those that a word announces', () =>
    expect(placeNamesIn('Le maire Moussa Diop est à Saint-Louis')).toEqual(['Saint-Louis', 'Moussa Diop']))

  it('finds Arabic ones behind their word', () => expect(placeNamesIn('انقطع الماء بمدينة طنجة')).toEqual(['طنجة']))
})
