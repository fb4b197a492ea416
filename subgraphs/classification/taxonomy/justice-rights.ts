import type { DomainSource } from './domain-source.ts'

export const justiceRights: DomainSource = {
  id: 'justice-rights',
  label: { fr: 'Justice et droits', en: 'Justice and rights', ar: 'العدالة والحقوق' },
  subDomains: [
    {
      slug: 'courts',
      label: { fr: 'Tribunaux et procès', en: 'Courts and trials', ar: 'المحاكم والقضاء' },
      examples: {
        fr: ['Mon procès est reporté depuis cinq ans', 'Le juge n’a pas voulu nous entendre', 'Un avocat coûte trop cher pour les pauvres'],
        en: ['My trial has been postponed for five years', 'The judge would not hear us', 'A lawyer costs too much for the poor'],
        ar: ['محاكمتي مؤجلة منذ خمس سنوات', 'القاضي لم يرد أن يسمعنا', 'المحامي مكلف جدا على الفقراء'],
      },
      words: {
        fr: 'tribunal justice juge procès avocat jugement plainte magistrat audience condamnation verdict cour notaire',
        en: 'court justice judge trial lawyer judgment complaint magistrate hearing conviction verdict notary',
        ar: 'محكمة قضاء قاضي محاكمة محامي حكم شكوى عدالة جلسة إدانة عدل قضية',
      },
    },
    {
      slug: 'corruption',
      label: { fr: 'Corruption', en: 'Corruption', ar: 'الفساد' },
      examples: {
        fr: ['Il faut payer un pot-de-vin pour tout', 'Les élus détournent l’argent public', 'Les marchés publics sont truqués'],
        en: ['You have to pay a bribe for everything', 'Politicians embezzle public money', 'Public tenders are rigged'],
        ar: ['يجب دفع رشوة لكل شيء', 'المسؤولون يختلسون المال العام', 'الصفقات العمومية مزورة'],
      },
      words: {
        fr: 'corruption pot-de-vin bakchich détournement fraude népotisme impunité transparence enrichissement marché public malversation',
        en: 'corruption bribe kickback embezzlement fraud nepotism impunity transparency tender misuse',
        ar: 'فساد رشوة اختلاس احتيال محسوبية إفلات من العقاب شفافية صفقات نهب المال العام',
      },
    },
    {
      slug: 'rights-equality',
      label: { fr: 'Droits et égalité', en: 'Rights and equality', ar: 'الحقوق والمساواة' },
      examples: {
        fr: [
          'Les femmes doivent avoir les mêmes droits sur l’héritage',
          'On m’a refusé l’entrée à cause de mon origine',
          'Les personnes handicapées sont discriminées',
        ],
        en: [
          'Women must have the same rights to inheritance',
          'I was refused entry because of my origin',
          'Disabled people are discriminated against',
        ],
        ar: ['يجب أن تكون للنساء نفس حقوق الميراث', 'منعوني من الدخول بسبب أصلي', 'ذوو الإعاقة يعانون من التمييز'],
      },
      words: {
        fr: 'droit droits égalité discrimination racisme femmes héritage minorité liberté dignité réfugiés parité humain',
        en: 'rights equality discrimination racism women inheritance minority freedom dignity refugees parity human',
        ar: 'حق حقوق مساواة تمييز عنصرية نساء ميراث أقلية حرية كرامة لاجئين إنسان',
      },
    },
    {
      slug: 'prisons-freedoms',
      label: { fr: 'Prisons, élections et libertés', en: 'Prisons, elections and freedoms', ar: 'السجون والانتخابات والحريات' },
      examples: {
        fr: [
          'Les prisons sont surpeuplées et indignes',
          'Mon nom a disparu de la liste électorale',
          'On interdit nos manifestations pacifiques',
        ],
        en: ['Prisons are overcrowded and degrading', 'My name vanished from the electoral roll', 'Our peaceful demonstrations are banned'],
        ar: ['السجون مكتظة ومهينة', 'اسمي اختفى من اللائحة الانتخابية', 'مظاهراتنا السلمية ممنوعة'],
      },
      words: {
        fr: 'prison détenu élection vote électoral manifestation liberté presse journaliste arrestation garde à vue démocratie scrutin loi constitution',
        en: 'prison inmate election vote voter ballot demonstration freedom press journalist arrest custody democracy law constitution',
        ar: 'سجن سجناء انتخابات تصويت ناخب مظاهرة حرية صحافة صحفي اعتقال ديمقراطية قانون دستور',
      },
    },
  ],
}
