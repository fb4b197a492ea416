import type { DomainSource } from './domain-source.ts'

export const agricultureFood: DomainSource = {
  id: 'agriculture-food',
  label: { fr: 'Agriculture et alimentation', en: 'Agriculture and food', ar: 'الفلاحة والغذاء' },
  subDomains: [
    {
      slug: 'crops-inputs',
      label: { fr: 'Cultures, semences et engrais', en: 'Crops, seed and fertiliser', ar: 'المحاصيل والبذور والأسمدة' },
      examples: {
        fr: [
          'Les engrais arrivent après la saison des semis',
          'La récolte de mil a été détruite par les criquets',
          'Les semences subventionnées ne lèvent pas',
        ],
        en: [
          'Fertiliser arrives after the sowing season',
          'The millet harvest was destroyed by locusts',
          'The subsidised seed does not sprout',
        ],
        ar: ['الأسمدة تصل بعد موسم الزرع', 'محصول القمح دمره الجراد', 'البذور المدعومة لا تنبت'],
      },
      words: {
        fr: 'engrais semence récolte champ culture paysan agriculteur mil maïs arachide coton cacao criquet tracteur blé plantation',
        en: 'fertiliser seed harvest field crop farmer millet maize groundnut cotton cocoa locust tractor wheat farm farming',
        ar: 'سماد أسمدة بذور محصول حقل زراعة فلاح فلاحين قمح ذرة قطن جراد جرار مزرعة زيتون تمور',
      },
    },
    {
      slug: 'livestock-fishing',
      label: { fr: 'Élevage et pêche', en: 'Livestock and fishing', ar: 'تربية الماشية والصيد' },
      examples: {
        fr: [
          'Nos vaches meurent faute de pâturage',
          'Les chalutiers étrangers vident la mer de ses poissons',
          'Le vétérinaire ne passe jamais au campement',
        ],
        en: ['Our cattle die for want of pasture', 'Foreign trawlers empty the sea of fish', 'The vet never comes to the camp'],
        ar: ['أبقارنا تموت بسبب قلة المراعي', 'السفن الأجنبية تفرغ البحر من الأسماك', 'البيطري لا يأتي أبدا إلى المخيم'],
      },
      words: {
        fr: 'élevage vache mouton chèvre bétail troupeau éleveur pâturage pêche pêcheur poisson pirogue vétérinaire volaille lait',
        en: 'livestock cow sheep goat cattle herd herder pasture fishing fisherman fish boat vet poultry milk',
        ar: 'ماشية بقرة أبقار غنم ماعز قطيع راعي مرعى مراعي صيد صياد سمك أسماك قارب بيطري دواجن حليب',
      },
    },
    {
      slug: 'irrigation-land',
      label: { fr: 'Irrigation et terres agricoles', en: 'Irrigation and farmland', ar: 'الري والأراضي الفلاحية' },
      examples: {
        fr: [
          'Le canal d’irrigation est à sec pour nos rizières',
          'On nous prend nos terres agricoles pour une usine',
          'Les conflits entre éleveurs et cultivateurs s’aggravent',
        ],
        en: [
          'The irrigation canal for our rice fields is dry',
          'Our farmland is being taken for a plant',
          'Conflicts between herders and growers get worse',
        ],
        ar: ['قناة الري جافة ولا تسقي حقولنا', 'يأخذون أراضينا الزراعية لبناء معمل', 'النزاعات بين الرعاة والمزارعين تتفاقم'],
      },
      words: {
        fr: 'irrigation canal rizière barrage agricole maraîchage terre cultivable sécheresse arrosage périmètre cultivateur verger',
        en: 'irrigation canal rice field dam agricultural market gardening arable land drought watering grower orchard',
        ar: 'ري سقي قناة سد زراعي فلاحي أرض زراعية جفاف بستان مزارع مزارعين خضر',
      },
    },
    {
      slug: 'food-security',
      label: { fr: 'Alimentation et ventes', en: 'Food and produce sales', ar: 'الغذاء وتسويق المنتجات' },
      examples: {
        fr: [
          'Les familles ne mangent qu’un repas par jour',
          'Les tomates pourrissent faute d’acheteurs',
          'La viande vendue sans contrôle est avariée',
        ],
        en: ['Families eat only one meal a day', 'Tomatoes rot for want of buyers', 'Meat sold without control has gone bad'],
        ar: ['العائلات تأكل وجبة واحدة في اليوم', 'الطماطم تتعفن لغياب المشترين', 'اللحم الذي يباع بلا مراقبة فاسد'],
      },
      words: {
        fr: 'faim famine repas nourriture alimentaire tomate oignon légumes fruits viande coopérative stockage grenier périmé manger',
        en: 'hunger famine meal food tomato onion vegetables fruit meat cooperative storage granary spoiled eat',
        ar: 'جوع مجاعة وجبة غذاء طعام طماطم بصل خضروات فواكه لحم تعاونية تخزين فاسد أكل',
      },
    },
  ],
}
