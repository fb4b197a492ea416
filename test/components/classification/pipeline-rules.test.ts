import { describe, expect, it } from 'vitest'
import { gazetteer } from '../../../engines/geocoder/gazetteer.ts'
import { project } from '../../../engines/sentence-encoder/sentence-projection.ts'
import { fuse, withCurrentIds, withHint } from '../../../subgraphs/classification/analysis/fuse.ts'
import { detectLanguage } from '../../../subgraphs/classification/analysis/language/detect-language.ts'
import { redactPersonalData } from '../../../subgraphs/classification/analysis/redaction/redact-personal-data.ts'
import { sentimentOf } from '../../../subgraphs/classification/analysis/sentiment/sentiment.ts'
import { sentimentExamples, sentimentModel } from '../../../subgraphs/classification/analysis/sentiment/sentiment-model.ts'
import { lexicalSentiment } from '../../../subgraphs/classification/analysis/sentiment/sentiment-of-words.ts'
import { toxicityOf } from '../../../subgraphs/classification/analysis/toxicity.ts'
import { shippedTaxonomy } from '../../../subgraphs/classification/data/shipped-taxonomy.ts'
import { cleanText } from '../../../subgraphs/classification/intake/expression-rules.ts'
import { asDomains } from '../../../subgraphs/classification/taxonomy/as-domains.ts'

describe('personal data', () => {
  it.each([
    ['Écrivez à awa.diop+x@example.sn svp', 'Écrivez à [email] svp', ['email']],
    ['Appelez le +221 77 123 45 67 ce soir', 'Appelez le [phone] ce soir', ['phone']],
    ['Tel: 06 12 34 56 78.', 'Tel: [phone].', ['phone']],
    ['اتصلوا ٠٦١٢٣٤٥٦٧٨ الآن', 'اتصلوا [phone] الآن', ['phone']],
    ['IBAN FR76 3000 6000 0112 3456 7890 189 merci', 'IBAN [iban] merci', ['iban']],
    ['Mon numéro est le 1 85 05 78 006 084 91', 'Mon numéro est le [national_id]', ['national_id']],
    ['a@b.fr et 0612345678', '[email] et [phone]', ['email', 'phone']],
    ['jean.dupont [at] mail.fr', '[email]', ['email']],
    ['carte 4111 1111 1111 1111 volée', 'carte [payment_card] volée', ['payment_card']],
    ['call (555) 123-4567 or +44 20 7946 0958', 'call [phone] or [phone]', ['phone']],
    ['whatsapp 691 234 567', 'whatsapp [phone]', ['phone']],
    ['my passport AB1234567', 'my passport [national_id]', ['national_id']],
    // as word processors and telephones write it: non-breaking spaces and hyphens, dashes, invisible characters
    ['Tél. 06\u00a012\u00a034\u00a056\u00a078', 'Tél. [phone]', ['phone']],
    ['Tél. 06\u202f12\u202f34\u202f56\u202f78, merci', 'Tél. [phone], merci', ['phone']],
    ['au \u202a+212\u2011612\u2011345678\u202c', 'au \u202a[phone]', ['phone']],
    ['06–12–34–56–78', '[phone]', ['phone']],
    ['06\u200b12\u200b34\u200b56\u200b78', '[phone]', ['phone']],
    ['06  12\t34  56  78', '[phone]', ['phone']],
    ['Tél.0612345678 ou tel0712345678', 'Tél.[phone] ou tel[phone]', ['phone']],
    ['0 6 1 2 3 4 5 6 7 8', '[phone]', ['phone']],
    ['06·12·34·56·78', '[phone]', ['phone']],
    ['０６１２３４５６７８', '[phone]', ['phone']],
    ['फोन ०९८७६५४३२१०', 'फोन [phone]', ['phone']],
    ['IBAN FR76\u00a03000\u00a06000\u00a00112\u00a03456\u00a07890\u00a0189 merci bien', 'IBAN [iban] merci bien', ['iban']],
    ['mon iban fr76 3000 6000 0112 3456 7890 189 est à vous', 'mon iban [iban] est à vous', ['iban']],
    ['IBANFR7630006000011234567890189', 'IBAN[iban]', ['iban']],
    ['FR٧٦٣٠٠٠٦٠٠٠٠١١٢٣٤٥٦٧٨٩٠١٨٩', '[iban]', ['iban']],
    ['4111\u00a01111\u00a01111\u00a01111 ou 3782 822463 10005', '[payment_card] ou [payment_card]', ['payment_card']],
    ['1-85-05-78-006-084-91', '[national_id]', ['national_id']],
    ['CNI n° AB123456, passeport 09PA12345', 'CNI n° [national_id], passeport [national_id]', ['national_id']],
    ['رقم البطاقة الوطنية AB١٢٣٤٥٦', 'رقم البطاقة الوطنية [national_id]', ['national_id']],
    ['national insurance QQ 12 34 56 C', 'national insurance [national_id]', ['national_id']],
    ['jean.dupont＠example.org, awa @ mail.sn, ali(at)mail(dot)dz', '[email], [email], [email]', ['email']],
    ['jean.dupont@\u200bexample.org', '[email]', ['email']],
    // dictated
    ['écrivez à jean point dupont arobase exemple point fr, merci', 'écrivez à [email], merci', ['email']],
    ['john dot doe at example dot com', '[email]', ['email']],
    ['my address is awa77 at mail dot example dot org.', 'my address is [email].', ['email']],
    ['Awa tiret du bas diop arobase exemple.sn', '[email]', ['email']],
    ['c’est jean at gmail point com', 'c’est [email]', ['email']],
    ['john.doe at example.org or awa at gmail.com', '[email] or [email]', ['email']],
    ['juan punto perez arroba ejemplo punto es', '[email]', ['email']],
    ['jean point dupont @ exemple point fr', '[email]', ['email']],
    ['Mon numéro est le zéro six douze trente-quatre cinquante-six soixante-dix-huit', 'Mon numéro est le [phone]', ['phone']],
    ['zéro six, un deux, trois quatre, cinq six, sept huit', '[phone]', ['phone']],
    ['appelez le soixante-dix-sept cent vingt-trois quarante-cinq soixante-sept', 'appelez le [phone]', ['phone']],
    ['call me at oh seven seven double one two three four five six', 'call me at [phone]', ['phone']],
    ['plus two two one seven seven one two three four five six seven', '[phone]', ['phone']],
    ['هاتفي صفر ستة واحد اثنان ثلاثة أربعة خمسة ستة سبعة ثمانية', 'هاتفي [phone]', ['phone']],
    ['jean [at] exemple point fr', '[email]', ['email']],
    ['jean[dot]dupont[at]example[dot]org, jean (point) dupont (arobase) exemple (point) fr', '[email], [email]', ['email']],
    ['jean dot dupont [ at ] example [ dot ] org, awa @ mail . sn', '[email], [email]', ['email']],
    ['awa_at_mail_dot_sn, jean-dupont-arobase-exemple-point-fr', '[email], [email]', ['email']],
    // obfuscated as on web pages
    ['awa&#64;mail&#46;sn &amp; ali&commat;mail&period;dz', '[email] &amp; [email]', ['email']],
    ['t&#xE9;l &#x30;6&#32;12 34&nbsp;56 78', 't&#xE9;l [phone]', ['phone']],
    // after any text
    ['article 06 12 34 56 78', 'article [phone]', ['phone']],
  ])('is redacted: %s', (text, redacted, types) => {
    expect(redactPersonalData(text)).toEqual({ text: redacted, types })
  })

  it.each([
    'Depuis le 12/05/2024 rien',
    'Il manque 250 000 FCFA',
    'La RN 7 au km 12',
    'En 2023-2024 nous avons 3 500 élèves',
    '12,5 % de hausse',
    '10 000 000 de personnes, 12 345 678 votes, 500 000 000 XOF',
    'réunion le 2024-05-12 14:30',
    'dossier 2019-4567',
    '2024 2025 2026',
    'from 1998 to 2005, 15 000 à 20 000 élèves',
    '14.6928 -17.4467',
    'à 12:30:45 01/02/2024',
    'les arrêts 3 4 5 6 7',
    'la CNI se fait en 3 jours, le passeport en 30',
    'می‌خواهم آب و\u00a0برق',
    // laws and books
    'article 1234-5678',
    'Les articles 1234-5678 et l’art. L1234-5678',
    'loi n° 2019-486 et décret n° 12345-6789',
    'ISBN 978-2-07-036822-8, ISBN 2-07-036822-8, ISBN 9782070368228',
    '978-2-07-036822-8',
    'isbn: 2070368228, ISSN 1234-5678',
    // places and counts, not dictated addresses and numbers
    'Look at example dot com, meet us at contact dot org',
    'Rendez-vous at Dakar point de vente, RDV @ Dakar point de collecte',
    'من واحد إلى عشرة، صفر ماء وصفر كهرباء',
    'There is one dot at the end',
    'Le point de vue at large',
    'look-at-this, one_at_a_time, état-at-point',
    'R&D, a &#1; b &#9999999; c &#xD800; d &amp;#64;',
    'Le prix est de deux cent cinquante mille francs',
    'un deux trois quatre cinq six sept huit neuf dix',
    'zéro eau, zéro courant, une seule école',
    'Appelez le dix-huit ou le quinze',
    'vingt-deux ou trente-trois élèves sur quarante, cinquante ou soixante',
    'one two three four five six seven eight nine ten',
  ])('is not detected in text without any: %s', (text) => expect(redactPersonalData(text)).toEqual({ text, types: [] }))

  it('takes little time on text that is built to be slow', () => {
    for (const hard of [
      '1 '.repeat(5000),
      'a.'.repeat(5000),
      'FR76 '.repeat(2000),
      'a@'.repeat(5000),
      '(+'.repeat(5000),
      'ماء'.repeat(3333),
      'CNI 1'.repeat(2000),
      'a[dot]'.repeat(1666),
      'a . '.repeat(2500),
      '[ '.repeat(5000),
      'point '.repeat(1666),
      'a point '.repeat(1250),
      'a at b dot '.repeat(900),
      'zéro six '.repeat(1100),
      'arobase '.repeat(1250),
      'a_at_'.repeat(2000),
      'a-'.repeat(5000),
      '&#64'.repeat(2500),
      '&#64;'.repeat(2000),
      `${'a.'.repeat(4000)} at `,
    ])
      expect(redactPersonalData(hard).text.length).toBeGreaterThan(0)
    // a tenth of a second each; a backtracking pattern would take hours
  }, 60_000)

  it('removes control characters and lone surrogates', () => {
    expect(cleanText(' a\u0000b\u0007\r\nc\ud800 e\u0301 ')).toBe('ab\nc\ufffd é')
  })
})

describe('language', () => {
  it.each(['', '😀😀😀', '12 345', 'ok', '[email] [phone]'])('is undefined for %j', (text) => {
    expect(detectLanguage(text).code).toBe('und')
  })
})

describe('sentiment', () => {
  const sentiment = sentimentModel(['cpu'])
  const sentimentIn = async (text: string, lang: string) => (await sentimentOf(text, lang, await sentiment()))?.label
  it.each([
    ['I am satisfied', 'en', 'positive'],
    ['I am not satisfied', 'en', 'negative'],
    ['Je ne suis pas content', 'fr', 'negative'],
    ['لست راضيا عن الخدمة', 'ar', 'negative'],
    ['والخدمة رائعة', 'ar', 'positive'],
    ['What time does the library open?', 'en', 'neutral'],
    ['El servicio es excelente', 'es', 'positive'],
    ['No estoy contento, es horrible', 'es', 'negative'],
    // denied complaints are praise; a denied thing that is not bad is not recognised
    ['Pas une seule plainte, rien à redire', 'fr', 'positive'],
    ['Pas de chaises dans la salle d’attente', 'fr', 'negative'],
    ['La pompe ne fonctionne plus', 'fr', 'negative'],
    ['Not a single complaint about the nursery', 'en', 'positive'],
    // the text after "but" counts
    ['Le bureau est magnifique, mais les agents nous insultent', 'fr', 'negative'],
    ['Les agents étaient fatigués, mais le résultat est magnifique', 'fr', 'positive'],
    // prose: nobody: a sentence of a citizen
    ['The clerk was polite, but the form was lost and nobody cares', 'en', 'negative'],
    // courtesy formulas are not praise, headings of forms not complaints
    ['Merci de bien vouloir m’envoyer le plan du cimetière', 'fr', 'neutral'],
    ['Déclaration d’accident du travail', 'fr', 'neutral'],
    ['Nous vous saurions gré de remédier à ces pannes', 'fr', 'negative'],
    ['Je vous prie d’agréer, Monsieur, mes salutations distinguées', 'fr', 'neutral'],
    // praise beside bad news only is irony
    ['Bravo, encore une panne', 'fr', 'negative'],
    ['Great, another broken promise', 'en', 'negative'],
    ['العامل لطيف لكن الماء مقطوع ولا أحد يبالي', 'ar', 'negative'],
    ['لا توجد أي شكوى، خدمة ممتازة', 'ar', 'positive'],
  ])('of %j (%s) is %s', async (text, lang, label) => expect(await sentimentIn(text, lang)).toBe(label))
  it.each([
    ['Deux heures sans courant', 'trois jours sans eau', 'fr'],
    ['Il faudrait une lampe', 'il manque un banc', 'fr'],
    ['Out of order in the hall', 'out of stock at the desk', 'en'],
    ['Weeks without water', 'days waiting for it', 'en'],
    ['The nurses are real stars', 'the doctors are real heroes', 'en'],
  ])('is stronger when repeated: %s, %s', (once, again, lang) => {
    const strength = (text: string): number => Math.abs(lexicalSentiment(text, lang)?.score ?? 0)
    expect(strength(`${once}, ${again}`)).toBeGreaterThan(Math.max(strength(once), strength(again)))
  })
  it('is undefined in a language without a lexicon', async () => expect(await sentimentIn('Tozali na mai te', 'ln')).toBeUndefined())
  it('of a text without words is neutral with low confidence', async () =>
    expect(await sentimentOf('…', 'fr', await sentiment())).toEqual({ label: 'neutral', score: 0, confidence: 0 }))
})

describe('toxicity', () => {
  it.each([
    ['Le maire est un connard', 'fr', ['insult']],
    ['I will kill you, bastard', 'en', ['insult', 'threat']],
    ['You are all retards', 'en', ['insult']],
    ['أنت غبي', 'ar', ['insult']],
    ['يا كلب ارحل', 'ar', ['insult']],
    ['ابن الكلب', 'ar', ['insult']],
    ['Mort aux juifs', 'fr', ['threat']],
    ['On va te tuer', 'fr', ['threat']],
    ['Death to the mayor', 'en', ['threat']],
    ['الموت للخونة', 'ar', ['threat']],
    ['Ces sales étrangers nous volent', 'fr', ['hate']],
    ['Rentrez chez vous !', 'fr', ['hate']],
    ['ارجعوا إلى بلادكم', 'ar', ['hate']],
  ])('flags insults and threats: %s', (text, lang, flags) => {
    expect(toxicityOf(text, lang).flags).toEqual(flags)
  })

  it.each([
    ['C’est une honte, cette route est un scandale', 'fr'],
    ['The asylum on Bastardo street', 'en'],
    ['Les bus sont bondés, sales et toujours en retard', 'fr'],
    ['Trois retards cette semaine', 'fr'],
    ['Mon fils est mort aux urgences', 'fr'],
    ['Mort aux urgences : un patient a attendu huit heures', 'fr'],
    ['Elle est morte, il est mort au travail', 'fr'],
    ['كلاب ضالة قرب المدرسة', 'ar'],
    ['حمار ميت في الطريق', 'ar'],
    ['القمامة تسبب الموت لأطفالنا', 'ar'],
    ['C’est idiot de fermer à midi', 'fr'],
    ['What a stupid rule', 'en'],
    ['Dirty black water comes out of the tap', 'en'],
    ['Une eau sale noire coule du robinet', 'fr'],
    ['Les ordures, on va les brûler', 'fr'],
    ['These wires are going to kill them', 'en'],
    ['The road brings death to our village', 'en'],
    ['On m’a traité de sale étranger au magasin', 'fr'],
    ['They called me a dirty foreigner', 'en'],
    ['Au guichet on nous dit rentrez chez vous', 'fr'],
  ])('does not flag anger, grief and reports: %s', (text, lang) => {
    expect(toxicityOf(text, lang)).toEqual({ score: 0, flags: [] })
  })

  it('is not detected in the demonstration expressions', () => {
    const examples = [...sentimentExamples, ...shippedTaxonomy.flatMap(({ subDomains }) => subDomains.map(({ examples }) => examples))]
    const texts = examples.flatMap((each) =>
      (['fr', 'en', 'ar'] as const).flatMap((lang) =>
        Object.values(each[lang])
          .flat()
          .map((text) => ({ text, lang })),
      ),
    )
    expect(texts.filter(({ text, lang }) => toxicityOf(text, lang).flags.length > 0)).toEqual([])
  })
})

describe('place', () => {
  const places = gazetteer({ preferredCountries: ['SN', 'FR'] })
  const signal = AbortSignal.timeout(120_000)
  it.each([
    ["Plus d'eau à Ziguinchor depuis lundi", 'Ziguinchor', 'SN'],
    ['Le marché de Saint-Louis est sale', 'Saint-Louis', 'SN'],
    ['Power cut in London again', 'London', 'GB'],
  ])('is found in %j', async (text, name, country) => {
    expect(await places.find(text, signal)).toMatchObject({ name, country, precision: 'city' })
  })
  it.each(['Mon quartier est sale', 'Nous voulons de l’eau', 'Nice work', 'ALL CAPITALS HERE'])(
    'is undefined without a place name: %j',
    async (text) => {
      expect(await places.find(text, signal)).toBeUndefined()
    },
  )
  it('is read from an address, in its country', async () => {
    expect(await places.locate({ city: 'Paris', country: 'France' }, signal)).toMatchObject({ country: 'FR' })
    expect(await places.locate({ city: 'Paris', country: 'SEN' }, signal)).toBeUndefined()
    expect(await places.locate({ city: 'Paris', country: 'Nowhere' }, signal)).toBeUndefined()
  })
})

describe('the decision', () => {
  const domainOf = (id: string): string => id.split('/')[0] ?? id
  const sure = new Map([
    ['health/a', 0.9],
    ['energy/b', 0.1],
  ])
  it('abstains below the threshold, and lists its candidates', () => {
    const vague = new Map(Array.from({ length: 20 }, (_, n) => [`d${n}/x`, 0.05]))
    expect(fuse({ neural: vague }, domainOf)).toMatchObject({ domain: null, subDomain: null, method: 'abstained' })
    expect(fuse({ neural: vague }, domainOf).candidates).toHaveLength(5)
    expect(fuse({}, domainOf)).toEqual({ domain: null, subDomain: null, method: 'abstained', candidates: [] })
  })
  it('gives the scores of retired domains to their successors, before a model is trained on them', () => {
    const successors: Readonly<Record<string, string | null>> = { 'health/a': 'energy/b', 'energy/b': 'energy/b', gone: null }
    const current = withCurrentIds(new Map([...sure, ['gone', 0.5]]), (id) => successors[id])
    expect([...current]).toEqual([['energy/b', 1]])
    expect(withCurrentIds(sure, (id) => id)).toBe(sure)
  })
  it('follows a hint and lists its own result among the candidates', () => {
    const decision = withHint(fuse({ neural: sure }, domainOf), 'energy', domainOf)
    expect(decision).toMatchObject({
      domain: { id: 'energy', score: 1 },
      subDomain: null,
      method: 'hint',
      candidates: [{ id: 'health' }, { id: 'energy' }],
    })
  })
})

describe('the shipped taxonomy', () => {
  it('has 14 domains with four sub-domains or more, and ten phrases for each domain and language', () => {
    expect(shippedTaxonomy.map(({ id }) => id).sort()).toEqual(
      'agriculture-food culture-sport-youth digital-connectivity education employment-economy energy environment-waste health housing-urbanism justice-rights public-services security transport water-sanitation'.split(
        ' ',
      ),
    )
    for (const { id, subDomains } of shippedTaxonomy) {
      expect(subDomains.length, id).toBeGreaterThanOrEqual(4)
      for (const lang of ['fr', 'en', 'ar'] as const)
        expect(
          new Set(subDomains.flatMap(({ examples }) => Object.values(examples[lang]).flat())).size,
          `${id} ${lang}`,
        ).toBeGreaterThanOrEqual(10)
    }
    const ids = asDomains(shippedTaxonomy).map(({ id }) => id)
    expect(new Set(ids).size).toBe(ids.length)
  })
})

describe('the embedding without installed models', () => {
  it('is a unit vector, closer for texts that share words, and zero for none', () => {
    const [a, b, c] = [project('water cut in the village'), project('the village has a water cut'), project('le juge refuse')]
    const dot = (x: Float32Array, y: Float32Array): number => x.reduce((sum, value, n) => sum + value * (y[n] ?? 0), 0)
    expect(dot(a, a)).toBeCloseTo(1, 5)
    expect(dot(a, b)).toBeGreaterThan(dot(a, c) + 0.3)
    expect(Math.hypot(...project('!!!'))).toBe(0)
  })
})
