import type { DomainSource } from './domain-source.ts'

export const housingUrbanism: DomainSource = {
  id: 'housing-urbanism',
  label: { fr: 'Logement et urbanisme', en: 'Housing and town planning', ar: 'السكن والتعمير' },
  subDomains: [
    {
      slug: 'rents',
      label: { fr: 'Loyers et logement social', en: 'Rents and social housing', ar: 'الإيجار والسكن الاجتماعي' },
      examples: {
        fr: [
          'Les loyers sont devenus inabordables',
          "J'attends un logement social depuis huit ans",
          'Le propriétaire exige six mois de caution',
        ],
        en: [
          'Rents have become unaffordable',
          'I have been waiting eight years for social housing',
          'The landlord asks for six months of deposit',
        ],
        ar: ['أسعار الإيجار أصبحت لا تطاق', 'أنتظر سكنا اجتماعيا منذ ثماني سنوات', 'صاحب البيت يطلب كفالة ستة أشهر'],
      },
      words: {
        fr: 'loyer logement social appartement HLM propriétaire locataire caution bail expulsion maison hébergement sans-abri',
        en: 'rent social housing flat apartment landlord tenant deposit lease eviction house shelter homeless',
        ar: 'إيجار كراء سكن اجتماعي شقة مالك مستأجر كفالة عقد طرد منزل مأوى مشردين بيت',
      },
    },
    {
      slug: 'unfit-housing',
      label: { fr: 'Habitat insalubre', en: 'Unfit housing', ar: 'السكن غير اللائق' },
      examples: {
        fr: [
          'Notre immeuble est insalubre, les murs moisissent',
          "L'immeuble menace de s'écrouler",
          "L'ascenseur est bloqué depuis un mois",
        ],
        en: [
          'Our building is unfit to live in, the walls are mouldy',
          'The block of flats is about to fall down',
          'The lift has been stuck for a month',
        ],
        ar: ['عمارتنا غير صالحة للسكن والجدران متعفنة', 'العمارة مهددة بالانهيار', 'المصعد معطل منذ شهر'],
      },
      words: {
        fr: 'immeuble insalubre moisissure humidité fissure bidonville taudis ascenseur toit mur effondrement rénovation bâtiment',
        en: 'building unfit mould damp crack slum shanty lift elevator roof wall collapse renovation block',
        ar: 'عمارة عمارات رطوبة عفن شقوق عشوائي صفيح مصعد سقف جدار انهيار ترميم بناية',
      },
    },
    {
      slug: 'land-permits',
      label: { fr: 'Foncier et permis de construire', en: 'Land and building permits', ar: 'العقار ورخص البناء' },
      examples: {
        fr: [
          'Mon terrain a été vendu deux fois',
          'Le permis de construire tarde depuis un an',
          'On construit partout sans plan ni autorisation',
        ],
        en: [
          'My plot was sold twice',
          'The building permit has been delayed for a year',
          'People build everywhere without plan or permission',
        ],
        ar: ['أرضي بيعت مرتين', 'رخصة البناء متأخرة منذ سنة', 'البناء في كل مكان بلا مخطط ولا ترخيص'],
      },
      words: {
        fr: 'terrain foncier parcelle lotissement titre foncier permis de construire cadastre lot construction anarchique promoteur',
        en: 'land plot parcel title deed building permit cadastre zoning construction developer estate',
        ar: 'أرض قطعة أرضية عقار سند ملكية رخصة البناء تجزئة بناء عشوائي مقاول',
      },
    },
    {
      slug: 'public-space',
      label: { fr: 'Espaces publics et aménagement', en: 'Public space and planning', ar: 'الفضاءات العمومية والتهيئة' },
      examples: {
        fr: [
          'La place du quartier est abandonnée',
          'Il manque des bancs et des rampes pour fauteuils roulants',
          'Le nouveau plan d’urbanisme oublie les piétons',
        ],
        en: [
          'The neighbourhood square is neglected',
          'Benches and wheelchair ramps are missing',
          'The new town plan forgets people on foot',
        ],
        ar: ['ساحة الحي مهملة', 'تنقص المقاعد والمنحدرات للكراسي المتحركة', 'مخطط المدينة الجديد ينسى المشاة'],
      },
      words: {
        fr: 'quartier place urbanisme aménagement plan banc jardin public mobilier urbain ville ruelle handicap rampe centre-ville',
        en: 'neighbourhood square town planning urban bench public garden furniture city alley wheelchair ramp downtown',
        ar: 'حي ساحة تهيئة عمرانية مخطط مقاعد حديقة مدينة زقاق إعاقة وسط المدينة',
      },
    },
  ],
}
