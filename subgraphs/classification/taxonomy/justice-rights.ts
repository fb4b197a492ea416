import type { DomainSource } from './domain-source.ts'

export const justiceRights: DomainSource = {
  id: 'justice-rights',
  label: { fr: 'Justice et droits', en: 'Justice and rights', ar: 'العدالة والحقوق' },
  subDomains: [
    {
      slug: 'courts',
      label: { fr: 'Tribunaux et procès', en: 'Courts and trials', ar: 'المحاكم والقضاء' },
      examples: {
        fr: {
          negative: [
            'Mon procès est reporté depuis cinq ans',
            'Le juge n’a pas voulu nous entendre',
            'Un avocat coûte trop cher pour les pauvres',
            'Le greffe a perdu mes pièces et tout est à refaire',
          ],
          neutral: ['Les audiences du tribunal reprennent en septembre'],
          positive: ['Le médiateur a réglé notre litige en une heure, super'],
        },
        en: {
          negative: [
            'My trial has been postponed for five years',
            'The judge would not hear us',
            'A lawyer costs too much for the poor',
            'The clerk of court lost my papers and it all starts again',
          ],
          neutral: ['Hearings resume in September'],
          positive: ['The mediator settled our dispute in an hour, great'],
        },
        ar: {
          negative: [
            'محاكمتي مؤجلة منذ خمس سنوات',
            'القاضي لم يرد أن يسمعنا',
            'المحامي مكلف جدا على الفقراء',
            'كاتب الضبط أضاع ملفي وعلي البدء من جديد',
          ],
          neutral: ['تستأنف الجلسات في سبتمبر'],
          positive: ['حل الوسيط نزاعنا في ساعة، ممتاز'],
        },
      },
      words: {
        fr: "tribunal justice juge procès avocat jugement plainte magistrat audience condamnation verdict cour notaire greffe procureur dossier condamné appel sentence huissier médiation litige d'assises",
        en: 'court justice judge trial lawyer judgment complaint magistrate hearing conviction verdict notary clerk prosecutor case lawsuit convicted appeal sentence bailiff mediation dispute adjourned',
        ar: 'محكمة قضاء قاضي محاكمة محامي حكم شكوى عدالة جلسة إدانة عدل قضية قاض قضايا محام كاتب الضبط وكيل الملك نيابة استئناف وساطة نزاع دعوى',
      },
    },
    {
      slug: 'corruption',
      label: { fr: 'Corruption', en: 'Corruption', ar: 'الفساد' },
      examples: {
        fr: {
          negative: [
            'Il faut payer un pot-de-vin pour tout',
            'Les élus détournent l’argent public',
            'Les marchés publics sont truqués',
            'Les douaniers réclament leur part à chaque passage',
          ],
          neutral: ['Le numéro pour signaler un abus est le 199'],
          positive: ['On a enfin jugé les voleurs de la caisse, justice est faite'],
        },
        en: {
          negative: [
            'You have to pay a bribe for everything',
            'Politicians embezzle public money',
            'Public tenders are rigged',
            'Customs men take their cut every time',
          ],
          neutral: ['Bribery can be reported on line 199'],
          positive: ['The crooks who stole the fund were convicted at last, well done'],
        },
        ar: {
          negative: [
            'يجب دفع رشوة لكل شيء',
            'المسؤولون يختلسون المال العام',
            'الصفقات العمومية مزورة',
            'رجال الجمارك يأخذون نصيبهم كل مرة',
          ],
          neutral: ['رقم التبليغ عن الفساد هو 199'],
          positive: ['حوكم أخيرا سارقو المال العام، هذا عدل'],
        },
      },
      words: {
        fr: 'corruption pot-de-vin bakchich détournement fraude népotisme impunité transparence enrichissement marché public malversation corrompu dessous de table enveloppe billet détourner fonds publics favoritisme clientélisme truqué élus voler',
        en: 'corruption bribe kickback embezzlement fraud nepotism impunity transparency tender misuse corrupt bribes bribery envelope embezzled public funds favouritism cronyism rigged minister cousin looting',
        ar: 'فساد رشوة اختلاس احتيال محسوبية إفلات من العقاب شفافية صفقات نهب المال العام مفسد رشاوى مرتشي مال عام زبونية تزوير صفقة إثراء محاسبة',
      },
    },
    {
      slug: 'rights-equality',
      label: { fr: 'Droits et égalité', en: 'Rights and equality', ar: 'الحقوق والمساواة' },
      examples: {
        fr: {
          negative: [
            'Les femmes doivent avoir les mêmes droits sur l’héritage',
            'On m’a refusé l’entrée à cause de mon origine',
            'Les personnes handicapées sont discriminées',
            "On m'a traité de sale étranger au magasin et tout le monde a ri",
          ],
          neutral: ["La permanence d'aide aux victimes de discrimination est le lundi"],
          positive: ["La rampe d'accès change la vie des fauteuils roulants, merci"],
        },
        en: {
          negative: [
            'Women must have the same rights to inheritance',
            'I was refused entry because of my origin',
            'Disabled people are discriminated against',
            'They laughed at my accent and threw me out of the shop',
          ],
          neutral: ['The equality desk is staffed on Mondays'],
          positive: ['The new ramp means I can vote in person, thank you'],
        },
        ar: {
          negative: [
            'يجب أن تكون للنساء نفس حقوق الميراث',
            'منعوني من الدخول بسبب أصلي',
            'ذوو الإعاقة يعانون من التمييز',
            'سخروا من لهجتي وطردوني من المحل',
          ],
          neutral: ['مداومة مساعدة ضحايا التمييز يوم الاثنين'],
          positive: ['الممر الخاص بالمعاقين غير حياتي، شكرا'],
        },
      },
      words: {
        fr: 'droit droits égalité discrimination racisme femmes héritage minorité liberté dignité réfugiés parité humain femme hommes raciste handicapé handicap fauteuil origine religion couleur peau refusé entrée sexisme étranger migrant',
        en: 'rights equality discrimination racism women inheritance minority freedom dignity refugees parity human men racist disabled wheelchair origin religion skin colour gender pay gap sexism foreigner migrant refused',
        ar: 'حق حقوق مساواة تمييز عنصرية نساء ميراث أقلية حرية كرامة لاجئين إنسان امرأة رجال معاق كرسي متحرك أصل دين لون بشرة إرث أجنبي مهاجر',
      },
    },
    {
      slug: 'prisons-freedoms',
      label: { fr: 'Prisons, élections et libertés', en: 'Prisons, elections and freedoms', ar: 'السجون والانتخابات والحريات' },
      examples: {
        fr: {
          negative: [
            'Les prisons sont surpeuplées et indignes',
            'Mon nom a disparu de la liste électorale',
            'On interdit nos manifestations pacifiques',
            'Mon frère est détenu depuis un an sans jugement',
          ],
          neutral: ['La révision des listes électorales dure deux semaines'],
          positive: ["Le scrutin s'est déroulé dans le calme, bravo à tous"],
        },
        en: {
          negative: [
            'Prisons are overcrowded and degrading',
            'My name vanished from the electoral roll',
            'Our peaceful demonstrations are banned',
            'They beat protesters and took their phones',
          ],
          neutral: ['Voter cards can be collected until the tenth'],
          positive: ['The vote was peaceful and well run, congratulations'],
        },
        ar: {
          negative: [
            'السجون مكتظة ومهينة',
            'اسمي اختفى من اللائحة الانتخابية',
            'مظاهراتنا السلمية ممنوعة',
            'ضربوا المتظاهرين وأخذوا هواتفهم',
          ],
          neutral: ['مراجعة القوائم الانتخابية تدوم أسبوعين'],
          positive: ['جرى التصويت في هدوء، تهانينا للجميع'],
        },
      },
      words: {
        fr: 'prison détenu élection vote électoral manifestation liberté presse journaliste arrestation garde à vue démocratie scrutin loi constitution prisonnier détention cellule élections voter électeur urne bureau de carte électorale liste expression censure gaz lacrymogène',
        en: 'prison inmate election vote voter ballot demonstration freedom press journalist arrest custody democracy law constitution prisoner detention remand cell elections voting polling station card roll protest march speech censorship tear gas',
        ar: 'سجن سجناء انتخابات تصويت ناخب مظاهرة حرية صحافة صحفي اعتقال ديمقراطية قانون دستور سجين معتقل زنزانة انتخاب صندوق مكتب التصويت بطاقة الناخب لوائح احتجاج تعبير رقابة',
      },
    },
  ],
}
