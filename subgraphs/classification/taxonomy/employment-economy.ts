import type { DomainSource } from './domain-source.ts'

export const employmentEconomy: DomainSource = {
  id: 'employment-economy',
  label: { fr: 'Emploi et économie', en: 'Employment and economy', ar: 'التشغيل والاقتصاد' },
  subDomains: [
    {
      slug: 'jobs-youth',
      label: { fr: 'Emploi et chômage', en: 'Jobs and unemployment', ar: 'الشغل والبطالة' },
      examples: {
        fr: ['Les jeunes diplômés ne trouvent pas de travail', 'Le chômage pousse nos enfants à partir', 'On ne recrute que par relations'],
        en: ['Young graduates cannot find work', 'Unemployment drives our children abroad', 'People are hired only through connections'],
        ar: ['الشباب الخريجون لا يجدون عملا', 'البطالة تدفع أبناءنا إلى الهجرة', 'التوظيف لا يتم إلا بالمعارف'],
      },
      words: {
        fr: 'emploi travail chômage chômeur embauche recrutement job stage diplômé offre candidature jeunesse migration',
        en: 'job employment work unemployment unemployed hiring recruitment internship graduate vacancy application migration',
        ar: 'عمل وظيفة وظائف شغل بطالة عاطل توظيف تشغيل تدريب خريج هجرة',
      },
    },
    {
      slug: 'prices',
      label: { fr: 'Prix et coût de la vie', en: 'Prices and cost of living', ar: 'الأسعار وغلاء المعيشة' },
      examples: {
        fr: [
          'Le prix du riz et de l’huile a doublé',
          'La vie est devenue trop chère',
          'Avec mon salaire je ne tiens pas jusqu’au dix du mois',
        ],
        en: ['The price of rice and oil has doubled', 'Life has become too expensive', 'My wages do not last past the tenth of the month'],
        ar: ['سعر الأرز والزيت تضاعف', 'المعيشة أصبحت غالية جدا', 'راتبي لا يكفي حتى العاشر من الشهر'],
      },
      words: {
        fr: 'prix cher inflation coût de la vie pain riz huile sucre denrées pouvoir d’achat augmentation panier',
        en: 'price expensive inflation cost of living bread rice oil sugar goods purchasing power rise groceries',
        ar: 'سعر أسعار غلاء غالي تضخم خبز أرز زيت سكر مواد القدرة الشرائية ارتفاع',
      },
    },
    {
      slug: 'wages-rights',
      label: { fr: 'Salaires et conditions de travail', en: 'Wages and working conditions', ar: 'الأجور وظروف العمل' },
      examples: {
        fr: [
          'Nos salaires ne sont pas versés depuis quatre mois',
          'Le patron nous fait travailler sans contrat',
          'Les ouvrières de l’usine n’ont pas de pause',
        ],
        en: [
          'Our wages have not been paid for four months',
          'The boss makes us work without a contract',
          'The women at the factory get no break',
        ],
        ar: ['أجورنا لم تدفع منذ أربعة أشهر', 'صاحب العمل يشغلنا بدون عقد', 'عاملات المصنع بلا استراحة'],
      },
      words: {
        fr: 'salaire paie contrat patron ouvrier syndicat grève retraite pension licenciement heures supplémentaires congé smic',
        en: 'wage salary pay contract boss worker union strike retirement pension dismissal overtime leave minimum wage',
        ar: 'أجر أجور راتب رواتب عقد عامل عمال نقابة إضراب تقاعد معاش فصل ساعات إضافية',
      },
    },
    {
      slug: 'business-markets',
      label: { fr: 'Commerce, marchés et crédit', en: 'Business, markets and credit', ar: 'التجارة والأسواق والقروض' },
      examples: {
        fr: [
          'Les taxes étouffent les petits commerçants',
          'La banque refuse tout crédit aux artisans',
          'Le marché central a besoin de nouveaux étals',
        ],
        en: ['Taxes choke small traders', 'The bank refuses credit to craftsmen', 'The central market needs new stalls'],
        ar: ['الضرائب تخنق صغار التجار', 'البنك يرفض القروض للحرفيين', 'السوق المركزي يحتاج إلى أكشاك جديدة'],
      },
      words: {
        fr: 'commerce commerçant entreprise marché boutique impôt taxe banque crédit prêt artisan investissement tourisme microfinance vendeur',
        en: 'business trade trader company market shop tax bank credit loan craft investment tourism startup microfinance vendor',
        ar: 'تجارة تاجر تجار شركة سوق دكان ضريبة ضرائب بنك قرض حرفي استثمار سياحة مقاولة بائع',
      },
    },
  ],
}
