import type { DomainSource } from './domain-source.ts'

export const housingUrbanism: DomainSource = {
  id: 'housing-urbanism',
  label: { fr: 'Logement et urbanisme', en: 'Housing and town planning', ar: 'السكن والتعمير' },
  subDomains: [
    {
      slug: 'rents',
      label: { fr: 'Loyers et logement social', en: 'Rents and social housing', ar: 'الإيجار والسكن الاجتماعي' },
      examples: {
        fr: {
          negative: [
            'Les loyers sont devenus inabordables',
            "J'attends un logement social depuis huit ans",
            'Le propriétaire exige six mois de caution',
            "L'agence garde ma caution sans raison",
          ],
          neutral: ['Les demandes de logement se font au guichet 4'],
          positive: ['Nous avons obtenu un appartement neuf, merci du fond du coeur'],
        },
        en: {
          negative: [
            'Rents have become unaffordable',
            'I have been waiting eight years for social housing',
            'The landlord asks for six months of deposit',
            'The agency kept my deposit for no reason',
          ],
          neutral: ['Housing applications are handled at desk four'],
          positive: ['We finally got the keys to our flat, so happy'],
        },
        ar: {
          negative: [
            'أسعار الإيجار أصبحت لا تطاق',
            'أنتظر سكنا اجتماعيا منذ ثماني سنوات',
            'صاحب البيت يطلب كفالة ستة أشهر',
            'الوكالة احتفظت بمبلغ الضمان دون سبب',
          ],
          neutral: ['طلبات السكن تودع في الشباك الرابع'],
          positive: ['حصلنا أخيرا على شقة جديدة ونحن سعداء'],
        },
      },
      words: {
        fr: 'loyer logement social appartement HLM propriétaire locataire caution bail expulsion maison hébergement sans-abri studio chambre colocation expulsé agence immobilière avance bailleur loger',
        en: 'rent social housing flat apartment landlord tenant deposit lease eviction house shelter homeless rents council studio room evicted agent mortgage',
        ar: 'إيجار كراء سكن اجتماعي شقة مالك مستأجر كفالة عقد طرد منزل مأوى مشردين بيت غرفة إخلاء وكالة عقارية مسبق ضمان مشرد',
      },
    },
    {
      slug: 'unfit-housing',
      label: { fr: 'Habitat insalubre', en: 'Unfit housing', ar: 'السكن غير اللائق' },
      examples: {
        fr: {
          negative: [
            'Notre immeuble est insalubre, les murs moisissent',
            "L'immeuble menace de s'écrouler",
            "L'ascenseur est bloqué depuis un mois",
            "Des fissures énormes dans les murs et le syndic s'en moque",
          ],
          neutral: ['Un diagnostic des immeubles anciens débute en mai'],
          positive: ['La rénovation de notre tour est une réussite, il fait chaud'],
        },
        en: {
          negative: [
            'Our building is unfit to live in, the walls are mouldy',
            'The block of flats is about to fall down',
            'The lift has been stuck for a month',
            'Huge cracks in the walls and the landlord does not care',
          ],
          neutral: ['A survey of old buildings begins in May'],
          positive: ['Our block was insulated and it is warm at last'],
        },
        ar: {
          negative: [
            'عمارتنا غير صالحة للسكن والجدران متعفنة',
            'العمارة مهددة بالانهيار',
            'المصعد معطل منذ شهر',
            'شقوق كبيرة في الجدران والمالك لا يبالي',
          ],
          neutral: ['تبدأ معاينة العمارات القديمة في ماي'],
          positive: ['ترميم عمارتنا نجح والبيت دافئ'],
        },
      },
      words: {
        fr: 'immeuble insalubre moisissure humidité fissure bidonville taudis ascenseur toit mur effondrement rénovation bâtiment plafond toiture fuite cafards rats punaises escalier vétuste délabré chauffage',
        en: 'building unfit mould damp crack slum shanty lift elevator roof wall collapse renovation block mouldy cracks ceiling leak cockroaches rats bedbugs stairs rundown derelict heating',
        ar: 'عمارة عمارات رطوبة عفن شقوق عشوائي صفيح مصعد سقف جدار انهيار ترميم بناية جدران تسرب صراصير فئران درج متهالك آيل للسقوط حي تدفئة',
      },
    },
    {
      slug: 'land-permits',
      label: { fr: 'Foncier et permis de construire', en: 'Land and building permits', ar: 'العقار ورخص البناء' },
      examples: {
        fr: {
          negative: [
            'Mon terrain a été vendu deux fois',
            'Le permis de construire tarde depuis un an',
            'On construit partout sans plan ni autorisation',
            'On a démoli ma maison sans préavis',
          ],
          neutral: ['Le cadastre reçoit le public le matin'],
          positive: ['Mon titre foncier obtenu en dix jours, chapeau'],
        },
        en: {
          negative: [
            'My plot was sold twice',
            'The building permit has been delayed for a year',
            'People build everywhere without plan or permission',
            'They demolished my house without notice',
          ],
          neutral: ['The land registry is open to the public in the morning'],
          positive: ['Got my title deed in ten days, impressive'],
        },
        ar: {
          negative: ['أرضي بيعت مرتين', 'رخصة البناء متأخرة منذ سنة', 'البناء في كل مكان بلا مخطط ولا ترخيص', 'هدموا بيتي دون إنذار'],
          neutral: ['مصلحة المسح العقاري تستقبل الناس صباحا'],
          positive: ['استلمت سند الملكية في عشرة أيام، أحسنتم'],
        },
      },
      words: {
        fr: 'terrain foncier parcelle lotissement titre foncier permis de construire cadastre lot construction anarchique promoteur borne chantier vendu deux fois litige voisin démolition notaire',
        en: 'land plot parcel title deed building permit cadastre zoning construction developer estate registry boundary planning permission site extension illegal sold twice dispute demolition notary',
        ar: 'أرض قطعة أرضية عقار سند ملكية رخصة البناء تجزئة بناء عشوائي مقاول تحفيظ ورشة نزاع هدم موثق مسح',
      },
    },
    {
      slug: 'public-space',
      label: { fr: 'Espaces publics et aménagement', en: 'Public space and planning', ar: 'الفضاءات العمومية والتهيئة' },
      examples: {
        fr: {
          negative: [
            'La place du quartier est abandonnée',
            'Il manque des bancs et des rampes pour fauteuils roulants',
            'Le nouveau plan d’urbanisme oublie les piétons',
            'Le jardin public est livré aux herbes et aux ivrognes',
          ],
          neutral: ["L'enquête publique sur le plan du quartier dure un mois"],
          positive: ['La promenade au bord du lac est magnifique'],
        },
        en: {
          negative: [
            'The neighbourhood square is neglected',
            'Benches and wheelchair ramps are missing',
            'The new town plan forgets people on foot',
            'The park is overgrown and full of drunks',
          ],
          neutral: ['The consultation on the new square lasts a month'],
          positive: ['The lakeside walk is gorgeous'],
        },
        ar: {
          negative: [
            'ساحة الحي مهملة',
            'تنقص المقاعد والمنحدرات للكراسي المتحركة',
            'مخطط المدينة الجديد ينسى المشاة',
            'الحديقة العمومية مهملة ومليئة بالسكارى',
          ],
          neutral: ['يدوم الاستطلاع حول مخطط الحي شهرا'],
          positive: ['الممشى الجديد على البحيرة رائع'],
        },
      },
      words: {
        fr: 'quartier place urbanisme aménagement plan banc jardin public mobilier urbain ville ruelle handicap rampe centre-ville parc trottoir square fontaine fleurs esplanade promenade piétonne rénovation marché couvert poussette accessibilité',
        en: 'neighbourhood square town planning urban bench public garden furniture city alley wheelchair ramp downtown park benches pavement layout plan fountain flowers esplanade promenade pedestrian renewal accessibility pushchair playground green space',
        ar: 'حي ساحة تهيئة عمرانية مخطط مقاعد حديقة مدينة زقاق إعاقة وسط المدينة منتزه مقعد رصيف تخطيط عمراني نافورة ورود ممشى كورنيش ولوجيات مساحات خضراء',
      },
    },
  ],
}
