/**
 * Small words that every sentence is held together by, of the languages that are written with Latin letters and have little text for
 * statistics to learn from. Of our own gathering; words that neighbours share (`na`, `ya`, `ba`) are listed for each that has them.
 */
const lists: Readonly<Record<string, string>> = {
  sw: 'ya wa na kwa ni za la cha vya katika kwenye hii hizi huyu hiyo yetu wetu zetu wangu yangu sana tangu hakuna haina hana hawana bado lakini kama pia jana leo kesho mwaka watu watoto maji barabara serikali tunahitaji tunaomba wala bei kila siku hatuna tuna ana wana asante',
  wo: 'bi ci yi gi ji wi mi li ñi ak te la na nga mu ñu dafa dañu amul amuñu am lool ren tey démb suñu seen sama bu ba leegi léegi du kenn xale ndox yoon jërëjëf rekk bari nit waaye fi ndax lu nu',
  ha: 'da ba ya ta an sun mun muna yana suna ne ce ga na mu su shi ita wannan wanda wadanda kuma sosai tun jiya yau gobe daga cikin a ruwa makaranta asibiti hanya babu don domin amma har kowa mutane gwamnati ina za',
  bm: 'ka ye la na bɛ tɛ ni an aw u i ma don min kɔnɔ kabini kunu bi sini kosɛbɛ fɛ ani nka walasa ce mɔgɔ dugu so ji sira bɔ sɔrɔ kɛ fo tun in ten o si bɛɛ ɲinan',
  ln: 'na ya ezali tozali azali bazali te mpo biso bino bango ngai yo oyo wana awa kasi mpe lisusu mingi banda lobi lelo mai nzela moto bato mwana bana eteyelo lopitalo na butu mbula ntalo moko nyonso to soki mpo',
}
const functionWords = Object.entries(lists).map(([lang, list]) => [lang, new Set(list.split(' '))] as const)

/** The language whose small words make up most of a text, and which share of its words they are; the first is clearly ahead of the second or there is none. */
export function byFunctionWords(text: string): { readonly code: string; readonly share: number } | undefined {
  const words =
    text
      .toLowerCase()
      .normalize('NFC')
      .match(/[\p{L}\p{M}]+/gu) ?? []
  const [first, second] = functionWords
    .map(([code, known]) => ({ code, hits: words.filter((word) => known.has(word)).length }))
    .sort((a, b) => b.hits - a.hits)
  if (first === undefined || first.hits < 2 || first.hits - (second?.hits ?? 0) < 1) return undefined
  return { code: first.code, share: first.hits / words.length }
}
