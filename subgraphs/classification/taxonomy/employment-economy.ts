import type { DomainSource } from './domain-source.ts'

export const employmentEconomy: DomainSource = {
  id: 'employment-economy',
  label: { fr: 'Emploi et économie', en: 'Employment and economy', ar: 'التشغيل والاقتصاد' },
  subDomains: [
    {
      slug: 'jobs-youth',
      label: { fr: 'Emploi et chômage', en: 'Jobs and unemployment', ar: 'الشغل والبطالة' },
      examples: {
        fr: {
          negative: [
            'Les jeunes diplômés ne trouvent pas de travail',
            'Le chômage pousse nos enfants à partir',
            'On ne recrute que par relations',
            'On embauche toujours les neveux du chef',
          ],
          neutral: ["Le forum de l'emploi se tient au palais des congrès"],
          positive: ["J'ai enfin décroché un travail grâce à l'agence"],
        },
        en: {
          negative: [
            'Young graduates cannot find work',
            'Unemployment drives our children abroad',
            'People are hired only through connections',
            "They only hire the manager's nephews",
          ],
          neutral: ['The job fair is at the convention centre'],
          positive: ['I finally found work thanks to the agency'],
        },
        ar: {
          negative: [
            'الشباب الخريجون لا يجدون عملا',
            'البطالة تدفع أبناءنا إلى الهجرة',
            'التوظيف لا يتم إلا بالمعارف',
            'لا يوظفون إلا أقارب المدير',
          ],
          neutral: ['معرض التشغيل في قصر المؤتمرات'],
          positive: ['وجدت عملا أخيرا بفضل الوكالة'],
        },
      },
      words: {
        fr: 'emploi travail chômage chômeur embauche recrutement job stage diplômé offre candidature jeunesse migration boulot CV recruter poste concours piston entreprise débouché exode',
        en: 'job employment work unemployment unemployed hiring recruitment internship graduate vacancy application migration jobs CV applied hire interview nepotism employer opportunities emigrate',
        ar: 'عمل وظيفة وظائف شغل بطالة عاطل توظيف تشغيل تدريب خريج هجرة سيرة ذاتية ترشح مباراة خريجين متخرج واسطة فرص',
      },
    },
    {
      slug: 'prices',
      label: { fr: 'Prix et coût de la vie', en: 'Prices and cost of living', ar: 'الأسعار وغلاء المعيشة' },
      examples: {
        fr: {
          negative: [
            'Le prix du riz et de l’huile a doublé',
            'La vie est devenue trop chère',
            'Avec mon salaire je ne tiens pas jusqu’au dix du mois',
            "L'huile et le sucre sont devenus hors de prix",
          ],
          neutral: ['Les prix du pain sont affichés à la mairie'],
          positive: ['Les prix ont enfin baissé au marché, on respire'],
        },
        en: {
          negative: [
            'The price of rice and oil has doubled',
            'Life has become too expensive',
            'My wages do not last past the tenth of the month',
            'Sugar and flour have become unaffordable',
          ],
          neutral: ['Prices of staples are posted at the town hall'],
          positive: ['Prices came down at last, we can breathe'],
        },
        ar: {
          negative: [
            'سعر الأرز والزيت تضاعف',
            'المعيشة أصبحت غالية جدا',
            'راتبي لا يكفي حتى العاشر من الشهر',
            'الزيت والسكر أصبحا بعيدين عن المنال',
          ],
          neutral: ['أسعار الخبز معلقة في البلدية'],
          positive: ['انخفضت الأسعار أخيرا وتنفسنا'],
        },
      },
      words: {
        fr: "prix cher inflation coût de la vie pain riz huile sucre denrées pouvoir d’achat augmentation panier cherté farine lait viande hausse d'achat marché budget ménage fin mois",
        en: 'price expensive inflation cost of living bread rice oil sugar goods purchasing power rise groceries prices flour milk meat increase household basket afford',
        ar: 'سعر أسعار غلاء غالي تضخم خبز أرز زيت سكر مواد القدرة الشرائية ارتفاع دقيق حليب لحم خضر زيادة معيشة قفة ثمن',
      },
    },
    {
      slug: 'wages-rights',
      label: { fr: 'Salaires et conditions de travail', en: 'Wages and working conditions', ar: 'الأجور وظروف العمل' },
      examples: {
        fr: {
          negative: [
            'Nos salaires ne sont pas versés depuis quatre mois',
            'Le patron nous fait travailler sans contrat',
            'Les ouvrières de l’usine n’ont pas de pause',
            'On travaille sans gants ni casque et un collègue a perdu la main',
          ],
          neutral: ['Le salaire minimum passe à tant au premier janvier'],
          positive: ["L'inspection du travail a obtenu nos arriérés, merci"],
        },
        en: {
          negative: [
            'Our wages have not been paid for four months',
            'The boss makes us work without a contract',
            'The women at the factory get no break',
            'No gloves, no helmets, and a mate lost his hand',
          ],
          neutral: ['The minimum wage changes in January'],
          positive: ['The labour inspector got us our back pay, thank you'],
        },
        ar: {
          negative: [
            'أجورنا لم تدفع منذ أربعة أشهر',
            'صاحب العمل يشغلنا بدون عقد',
            'عاملات المصنع بلا استراحة',
            'نعمل دون قفازات ولا خوذة وزميلي فقد يده',
          ],
          neutral: ['يتغير الحد الأدنى للأجور في يناير'],
          positive: ['مفتش الشغل أعاد لنا حقوقنا، شكرا'],
        },
      },
      words: {
        fr: 'salaire paie contrat patron ouvrier syndicat grève retraite pension licenciement heures supplémentaires congé smic payé employeur CDD CDI licencié sécurité au travail accident du exploitation indemnité arriérés SMIG',
        en: 'wage salary pay contract boss worker union strike retirement pension dismissal overtime leave minimum wage wages paid employer fired sacked safety workplace exploitation severance arrears shift',
        ar: 'أجر أجور راتب رواتب عقد عامل عمال نقابة إضراب تقاعد معاش فصل ساعات إضافية مشغل رب العمل طرد تسريح عطلة سلامة استغلال تعويض مستحقات',
      },
    },
    {
      slug: 'business-markets',
      label: { fr: 'Commerce, marchés et crédit', en: 'Business, markets and credit', ar: 'التجارة والأسواق والقروض' },
      examples: {
        fr: {
          negative: [
            'Les taxes étouffent les petits commerçants',
            'La banque refuse tout crédit aux artisans',
            'Le marché central a besoin de nouveaux étals',
            'Les placiers nous chassent du marché sans explication',
          ],
          neutral: ['La patente se renouvelle avant fin mars'],
          positive: ['Mon atelier tourne bien depuis la formation en gestion'],
        },
        en: {
          negative: [
            'Taxes choke small traders',
            'The bank refuses credit to craftsmen',
            'The central market needs new stalls',
            'Council men chase us vendors off the pavement',
          ],
          neutral: ['Trading licences are renewed before the end of March'],
          positive: ['My bakery is thriving since the loan'],
        },
        ar: {
          negative: [
            'الضرائب تخنق صغار التجار',
            'البنك يرفض القروض للحرفيين',
            'السوق المركزي يحتاج إلى أكشاك جديدة',
            'يطردوننا من السوق دون تفسير',
          ],
          neutral: ['تجدد رخصة التجارة قبل نهاية مارس'],
          positive: ['ورشتي مزدهرة منذ التمويل'],
        },
      },
      words: {
        fr: 'commerce commerçant entreprise marché boutique impôt taxe banque crédit prêt artisan investissement tourisme microfinance vendeur magasin étal ambulant PME patente douane exportation investisseur coopérative client atelier',
        en: 'business trade trader company market shop tax bank credit loan craft investment tourism startup microfinance vendor traders store stall street seller artisan taxes licence customs export investor customers workshop',
        ar: 'تجارة تاجر تجار شركة سوق دكان ضريبة ضرائب بنك قرض حرفي استثمار سياحة مقاولة بائع محل باعة متجولين رخصة جمارك تصدير مستثمر زبائن ورشة',
      },
    },
  ],
}
