import type { DomainSource } from './domain-source.ts'

export const publicServices: DomainSource = {
  id: 'public-services',
  label: { fr: 'Services publics', en: 'Public services', ar: 'الخدمات العمومية' },
  subDomains: [
    {
      slug: 'civil-status',
      label: { fr: 'État civil et papiers', en: 'Civil status and papers', ar: 'الحالة المدنية والوثائق' },
      examples: {
        fr: [
          "J'attends mon acte de naissance depuis trois mois",
          "Refaire une carte d'identité prend un an",
          'Le passeport est toujours en cours d’impression',
        ],
        en: [
          'I have waited three months for my birth certificate',
          'Renewing an identity card takes a year',
          'The passport is still being printed',
        ],
        ar: ['أنتظر شهادة الميلاد منذ ثلاثة أشهر', 'تجديد بطاقة الهوية يستغرق سنة', 'جواز السفر ما زال قيد الطباعة'],
      },
      words: {
        fr: "acte de naissance carte d'identité passeport état civil certificat extrait document papiers visa dossier casier mariage",
        en: 'birth certificate identity card passport registry civil status document papers visa file record marriage',
        ar: 'شهادة ميلاد بطاقة الهوية جواز السفر الحالة المدنية وثيقة وثائق أوراق ملف تأشيرة عقد زواج',
      },
    },
    {
      slug: 'reception-queues',
      label: { fr: 'Accueil et attente', en: 'Reception and queues', ar: 'الاستقبال والانتظار' },
      examples: {
        fr: [
          "La file d'attente à la préfecture est interminable",
          'Les agents du guichet sont impolis',
          "L'accueil à la mairie est devenu excellent",
        ],
        en: [
          'The queue at the prefecture never ends',
          'The clerks at the counter are rude',
          'Reception at the town hall has become excellent',
        ],
        ar: ['طابور الانتظار في البلدية لا ينتهي', 'موظفو الشباك غير مهذبين', 'الاستقبال في البلدية أصبح ممتازا'],
      },
      words: {
        fr: 'guichet accueil file attente fonctionnaire agent mairie préfecture bureau rendez-vous horaires d’ouverture formulaire administration',
        en: 'counter reception queue clerk civil servant town hall prefecture office appointment opening hours form administration',
        ar: 'شباك استقبال طابور انتظار موظف موظفون بلدية ولاية مكتب موعد استمارة إدارة الإدارة',
      },
    },
    {
      slug: 'social-aid',
      label: { fr: 'Aides sociales', en: 'Social assistance', ar: 'المساعدات الاجتماعية' },
      examples: {
        fr: [
          "Je n'ai jamais reçu l'allocation familiale",
          'Les personnes âgées sont oubliées par l’aide sociale',
          'Les bourses de solidarité vont toujours aux mêmes',
        ],
        en: [
          'I never received the family allowance',
          'Old people are forgotten by social assistance',
          'Solidarity payments always go to the same people',
        ],
        ar: ['لم أحصل قط على منحة العائلة', 'كبار السن منسيون من المساعدة الاجتماعية', 'إعانات التضامن تذهب دائما للأشخاص أنفسهم'],
      },
      words: {
        fr: 'allocation aide sociale prestation solidarité famille handicapé veuve orphelin personnes âgées assistance subvention pauvreté',
        en: 'allowance social aid benefit welfare solidarity family disabled widow orphan elderly assistance subsidy poverty',
        ar: 'منحة إعانة مساعدة اجتماعية تضامن معاق أرملة يتيم كبار السن دعم فقر رعاية',
      },
    },
    {
      slug: 'local-government',
      label: { fr: 'Vie locale et démarches', en: 'Local government and procedures', ar: 'الجماعات المحلية والإجراءات' },
      examples: {
        fr: [
          'Le maire ne rend jamais compte de son budget',
          'Trop de paperasse pour une simple démarche',
          'Le conseil municipal devrait consulter les habitants',
        ],
        en: [
          'The mayor never accounts for the budget',
          'Too much paperwork for a simple procedure',
          'The municipal council should consult residents',
        ],
        ar: ['رئيس البلدية لا يقدم حسابا عن الميزانية', 'أوراق كثيرة لإجراء بسيط', 'على المجلس البلدي أن يستشير السكان'],
      },
      words: {
        fr: 'maire conseil municipal commune budget démarche paperasse bureaucratie élu consultation habitants service public poste cimetière',
        en: 'mayor municipal council budget procedure paperwork bureaucracy elected consultation residents public service post cemetery',
        ar: 'رئيس البلدية مجلس بلدي ميزانية إجراء إجراءات بيروقراطية منتخب سكان خدمة عمومية بريد مقبرة',
      },
    },
  ],
}
