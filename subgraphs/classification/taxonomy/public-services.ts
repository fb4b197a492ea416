import type { DomainSource } from './domain-source.ts'

export const publicServices: DomainSource = {
  id: 'public-services',
  label: { fr: 'Services publics', en: 'Public services', ar: 'الخدمات العمومية' },
  subDomains: [
    {
      slug: 'civil-status',
      label: { fr: 'État civil et papiers', en: 'Civil status and papers', ar: 'الحالة المدنية والوثائق' },
      examples: {
        fr: {
          negative: [
            "J'attends mon acte de naissance depuis trois mois",
            "Refaire une carte d'identité prend un an",
            'Le passeport est toujours en cours d’impression',
            "Mon nom est mal écrit et on refuse de corriger l'acte",
          ],
          neutral: ['Le livret de famille se retire au bureau 3'],
          positive: ["Carte d'identité prête en trois jours, incroyable"],
        },
        en: {
          negative: [
            'I have waited three months for my birth certificate',
            'Renewing an identity card takes a year',
            'The passport is still being printed',
            'They misspelt my name and refuse to correct the certificate',
          ],
          neutral: ['Marriage certificates are issued at room three'],
          positive: ['My ID card was ready in three days, incredible'],
        },
        ar: {
          negative: [
            'أنتظر شهادة الميلاد منذ ثلاثة أشهر',
            'تجديد بطاقة الهوية يستغرق سنة',
            'جواز السفر ما زال قيد الطباعة',
            'كتبوا اسمي خطأ ويرفضون تصحيح الوثيقة',
          ],
          neutral: ['الدفتر العائلي يسلم في المكتب الثالث'],
          positive: ['بطاقتي جاهزة في ثلاثة أيام، شيء لا يصدق'],
        },
      },
      words: {
        fr: "acte de naissance carte d'identité passeport état civil certificat extrait document papiers visa dossier casier mariage livret décès nationalité légalisation timbre photo renouvellement jugement supplétif CNI",
        en: 'birth certificate identity card passport registry civil status document papers visa file record marriage ID death nationality stamp photo renewal register',
        ar: 'شهادة ميلاد بطاقة الهوية جواز السفر الحالة المدنية وثيقة وثائق أوراق ملف تأشيرة عقد زواج ازدياد حالة مدنية هوية تعريف سفر وفاة جنسية تصديق طابع صورة تجديد استخراج',
      },
    },
    {
      slug: 'reception-queues',
      label: { fr: 'Accueil et attente', en: 'Reception and queues', ar: 'الاستقبال والانتظار' },
      examples: {
        fr: {
          negative: [
            "La file d'attente à la préfecture est interminable",
            'Les agents du guichet sont impolis',
            'Le guichetier est parti déjeuner et nous a laissés en plan',
          ],
          neutral: ['La mairie est ouverte de 8 h à 16 h'],
          positive: ["L'accueil à la mairie est devenu excellent", 'Personnel souriant et efficace, ça change'],
        },
        en: {
          negative: [
            'The queue at the prefecture never ends',
            'The clerks at the counter are rude',
            'The clerk went for lunch and left us standing',
          ],
          neutral: ['The office is open from eight to four'],
          positive: ['Reception at the town hall has become excellent', 'Smiling, efficient staff, what a change'],
        },
        ar: {
          negative: ['طابور الانتظار في البلدية لا ينتهي', 'موظفو الشباك غير مهذبين', 'ذهب الموظف وتركنا واقفين ساعات'],
          neutral: ['مكتب البلدية مفتوح من الثامنة إلى الرابعة'],
          positive: ['الاستقبال في البلدية أصبح ممتازا', 'موظفون مبتسمون وسريعون، تغيير جميل'],
        },
      },
      words: {
        fr: "guichet accueil file attente fonctionnaire agent mairie préfecture bureau rendez-vous horaires d’ouverture formulaire administration queue attendre impoli aimable ouverture fermeture horaire sous-préfecture numéro d'appel renvoyer revenir demain",
        en: 'counter reception queue clerk civil servant town hall prefecture office appointment opening hours form administration desk line waiting rude polite window come back tomorrow staff',
        ar: 'شباك استقبال طابور انتظار موظف موظفون بلدية ولاية مكتب موعد استمارة إدارة الإدارة موظفين معاملة وقح لطيف دوام أوقات العمل عمالة ارجع غدا',
      },
    },
    {
      slug: 'social-aid',
      label: { fr: 'Aides sociales', en: 'Social assistance', ar: 'المساعدات الاجتماعية' },
      examples: {
        fr: {
          negative: [
            "Je n'ai jamais reçu l'allocation familiale",
            'Les personnes âgées sont oubliées par l’aide sociale',
            'Les bourses de solidarité vont toujours aux mêmes',
            "L'aide alimentaire n'arrive jamais jusqu'à nous",
          ],
          neutral: ["L'allocation est versée le 5 du mois"],
          positive: ["L'assistante sociale m'a sauvée, je la remercie"],
        },
        en: {
          negative: [
            'I never received the family allowance',
            'Old people are forgotten by social assistance',
            'Solidarity payments always go to the same people',
            'Food aid never reaches our side of town',
          ],
          neutral: ['Child benefit is paid on the fifth'],
          positive: ['The social worker saved my family, thank you'],
        },
        ar: {
          negative: [
            'لم أحصل قط على منحة العائلة',
            'كبار السن منسيون من المساعدة الاجتماعية',
            'إعانات التضامن تذهب دائما للأشخاص أنفسهم',
            'المساعدات الغذائية لا تصل إلينا أبدا',
          ],
          neutral: ['تصرف المنحة في الخامس من الشهر'],
          positive: ['المساعدة الاجتماعية أنقذت عائلتي، أشكرها'],
        },
      },
      words: {
        fr: 'allocation aide sociale prestation solidarité famille handicapé veuve orphelin personnes âgées assistance subvention pauvreté allocations CAF pension retraite retraité RSA handicap invalidité bourse pauvre secours filets sociaux personne âgée versement',
        en: 'allowance social aid benefit welfare solidarity family disabled widow orphan elderly assistance subsidy poverty benefits pension pensioner retirement disability grant poor worker payment carer',
        ar: 'منحة إعانة مساعدة اجتماعية تضامن معاق أرملة يتيم كبار السن دعم فقر رعاية معاش تقاعد متقاعد إعاقة أرامل فقير اجتماعي مسنين ضمان صرف',
      },
    },
    {
      slug: 'local-government',
      label: { fr: 'Vie locale et démarches', en: 'Local government and procedures', ar: 'الجماعات المحلية والإجراءات' },
      examples: {
        fr: {
          negative: [
            'Le maire ne rend jamais compte de son budget',
            'Trop de paperasse pour une simple démarche',
            'Le conseil municipal devrait consulter les habitants',
            'On a voté le budget en cachette, sans nous demander notre avis',
          ],
          neutral: ['Les comptes rendus du conseil sont en ligne'],
          positive: ["Notre déléguée de quartier est à l'écoute et active"],
        },
        en: {
          negative: [
            'The mayor never accounts for the budget',
            'Too much paperwork for a simple procedure',
            'The municipal council should consult residents',
            'The budget was passed behind our backs',
          ],
          neutral: ['Minutes of the council are published online'],
          positive: ['Our ward councillor listens and gets things done'],
        },
        ar: {
          negative: [
            'رئيس البلدية لا يقدم حسابا عن الميزانية',
            'أوراق كثيرة لإجراء بسيط',
            'على المجلس البلدي أن يستشير السكان',
            'صادقوا على الميزانية في الخفاء دون استشارتنا',
          ],
          neutral: ['محاضر المجلس منشورة في الموقع'],
          positive: ['ممثلة حينا نشيطة وتستمع إلينا'],
        },
      },
      words: {
        fr: 'maire conseil municipal commune budget démarche paperasse bureaucratie élu consultation habitants service public poste cimetière mairie conseiller délégué préfet réunion formulaire administration courrier réponse participation citoyenne quartier chef de village',
        en: 'mayor municipal council budget procedure paperwork bureaucracy elected consultation residents public service post cemetery town hall councillor official meeting form administration letter reply ward chief local authority',
        ar: 'رئيس البلدية مجلس بلدي ميزانية إجراء إجراءات بيروقراطية منتخب سكان خدمة عمومية بريد مقبرة بلدية جماعة المجلس عمدة عضو قائد والي اجتماع استمارة إدارة مراسلة رد مشاركة المواطنين معاملة',
      },
    },
  ],
}
