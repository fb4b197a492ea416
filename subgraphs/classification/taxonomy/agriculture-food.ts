import type { DomainSource } from './domain-source.ts'

export const agricultureFood: DomainSource = {
  id: 'agriculture-food',
  label: { fr: 'Agriculture et alimentation', en: 'Agriculture and food', ar: 'الفلاحة والغذاء' },
  subDomains: [
    {
      slug: 'crops-inputs',
      label: { fr: 'Cultures, semences et engrais', en: 'Crops, seed and fertiliser', ar: 'المحاصيل والبذور والأسمدة' },
      examples: {
        fr: {
          negative: [
            'Les engrais arrivent après la saison des semis',
            'La récolte de mil a été détruite par les criquets',
            'Les semences subventionnées ne lèvent pas',
            'Les oiseaux et la sécheresse ont ruiné mon champ de sorgho',
          ],
          neutral: ['La distribution des semences de maïs débute le 15'],
          positive: ['La nouvelle variété de niébé donne très bien, on est heureux'],
        },
        en: {
          negative: [
            'Fertiliser arrives after the sowing season',
            'The millet harvest was destroyed by locusts',
            'The subsidised seed does not sprout',
            'Drought ruined my sorghum and there is no compensation',
          ],
          neutral: ['Maize seed is handed out from the fifteenth'],
          positive: ['The new bean variety yields very well, we are happy'],
        },
        ar: {
          negative: ['الأسمدة تصل بعد موسم الزرع', 'محصول القمح دمره الجراد', 'البذور المدعومة لا تنبت', 'الجفاف أتلف حقلي ولا تعويض'],
          neutral: ['يبدأ توزيع بذور الذرة يوم الخامس عشر'],
          positive: ['الصنف الجديد من الفول غلته جيدة ونحن فرحون'],
        },
      },
      words: {
        fr: 'engrais semence récolte champ culture paysan agriculteur mil maïs arachide coton cacao criquet tracteur blé plantation agriculture semis urée pesticide sorgho riz manioc tomate chenille sécheresse moisson',
        en: 'fertiliser seed harvest field crop farmer millet maize groundnut cotton cocoa locust tractor wheat farm farming agriculture farmers crops seeds sowing urea pesticide sorghum rice cassava armyworm drought planting',
        ar: 'سماد أسمدة بذور محصول حقل زراعة فلاح فلاحين قمح ذرة قطن جراد جرار مزرعة زيتون تمور فلاحة مزارع حصاد بذر مبيد شعير فول جفاف غلة',
      },
    },
    {
      slug: 'livestock-fishing',
      label: { fr: 'Élevage et pêche', en: 'Livestock and fishing', ar: 'تربية الماشية والصيد' },
      examples: {
        fr: {
          negative: [
            'Nos vaches meurent faute de pâturage',
            'Les chalutiers étrangers vident la mer de ses poissons',
            'Le vétérinaire ne passe jamais au campement',
            'La peste a décimé mes porcs et mes poules',
          ],
          neutral: ['La foire au bétail aura lieu mercredi'],
          positive: ["L'éleveur formé a doublé son lait, belle réussite"],
        },
        en: {
          negative: [
            'Our cattle die for want of pasture',
            'Foreign trawlers empty the sea of fish',
            'The vet never comes to the camp',
            'Disease wiped out my goats and hens',
          ],
          neutral: ['The livestock fair is on Wednesday'],
          positive: ['Milk yields doubled after the training, a real success'],
        },
        ar: {
          negative: [
            'أبقارنا تموت بسبب قلة المراعي',
            'السفن الأجنبية تفرغ البحر من الأسماك',
            'البيطري لا يأتي أبدا إلى المخيم',
            'الوباء قضى على دجاجي وماعزي',
          ],
          neutral: ['سوق المواشي يوم الأربعاء'],
          positive: ['تضاعف إنتاج الحليب بعد التدريب، نجاح كبير'],
        },
      },
      words: {
        fr: 'élevage vache mouton chèvre bétail troupeau éleveur pâturage pêche pêcheur poisson pirogue vétérinaire volaille lait vaches boeuf poule porc vaccination du transhumance fourrage filet chalutier abattoir',
        en: 'livestock cow sheep goat cattle herd herder pasture fishing fisherman fish boat vet poultry milk cows hens pig veterinary grazing fodder nets trawler trawlers slaughterhouse',
        ar: 'ماشية بقرة أبقار غنم ماعز قطيع راعي مرعى مراعي صيد صياد سمك أسماك قارب بيطري دواجن حليب تربية المواشي راع أغنام دجاج كلأ علف شباك مجزرة',
      },
    },
    {
      slug: 'irrigation-land',
      label: { fr: 'Irrigation et terres agricoles', en: 'Irrigation and farmland', ar: 'الري والأراضي الفلاحية' },
      examples: {
        fr: {
          negative: [
            'Le canal d’irrigation est à sec pour nos rizières',
            'On nous prend nos terres agricoles pour une usine',
            'Les conflits entre éleveurs et cultivateurs s’aggravent',
            'La motopompe est en panne et le maraîchage sèche',
          ],
          neutral: ["Les tours d'eau du périmètre sont affichés à la coopérative"],
          positive: ['Le barrage a sauvé nos jardins maraîchers, merci'],
        },
        en: {
          negative: [
            'The irrigation canal for our rice fields is dry',
            'Our farmland is being taken for a plant',
            'Conflicts between herders and growers get worse',
            'The motor pump failed and our vegetables are drying',
          ],
          neutral: ['Watering turns are posted at the cooperative'],
          positive: ['The new dam saved our gardens, thank you'],
        },
        ar: {
          negative: [
            'قناة الري جافة ولا تسقي حقولنا',
            'يأخذون أراضينا الزراعية لبناء معمل',
            'النزاعات بين الرعاة والمزارعين تتفاقم',
            'المضخة الفلاحية تعطلت والخضر تجف',
          ],
          neutral: ['جدول السقي معلق في التعاونية'],
          positive: ['السد الجديد أنقذ بساتيننا، شكرا'],
        },
      },
      words: {
        fr: 'irrigation canal rizière barrage agricole maraîchage terre cultivable sécheresse arrosage périmètre cultivateur verger irriguer arroser motopompe terres agricoles accaparement plantation jachère parcelle conflit foncier éleveurs cultivateurs',
        en: 'irrigation canal rice field dam agricultural market gardening arable land drought watering grower orchard irrigate pump paddy garden farmland grab plantation fallow plot herders growers',
        ar: 'ري سقي قناة سد زراعي فلاحي أرض زراعية جفاف بستان مزارع مزارعين خضر سقاية مضخة بساتين أراض فلاحية استيلاء مزرعة ضيعة رعاة تنقيط',
      },
    },
    {
      slug: 'food-security',
      label: { fr: 'Alimentation et ventes', en: 'Food and produce sales', ar: 'الغذاء وتسويق المنتجات' },
      examples: {
        fr: {
          negative: [
            'Les familles ne mangent qu’un repas par jour',
            'Les tomates pourrissent faute d’acheteurs',
            'La viande vendue sans contrôle est avariée',
            'Les greniers sont vides et la soudure est terrible',
          ],
          neutral: ['La bourse aux légumes ouvre à six heures'],
          positive: ['Les légumes du marché paysan sont frais et délicieux'],
        },
        en: {
          negative: [
            'Families eat only one meal a day',
            'Tomatoes rot for want of buyers',
            'Meat sold without control has gone bad',
            'The granaries are empty and people go hungry',
          ],
          neutral: ['The vegetable auction opens at six'],
          positive: ['Vegetables from the growers are fresh and delicious'],
        },
        ar: {
          negative: [
            'العائلات تأكل وجبة واحدة في اليوم',
            'الطماطم تتعفن لغياب المشترين',
            'اللحم الذي يباع بلا مراقبة فاسد',
            'المخازن فارغة والناس جوعى',
          ],
          neutral: ['يفتح سوق الخضر في السادسة'],
          positive: ['خضر السوق الفلاحي طازجة ولذيذة'],
        },
      },
      words: {
        fr: 'faim famine repas nourriture alimentaire tomate oignon légumes fruits viande coopérative stockage grenier périmé manger céréales banque céréalière invendu pourrir intermédiaire marché paysan prix au producteur hygiène avarié cantine soudure',
        en: 'hunger famine meal food tomato onion vegetables fruit meat cooperative storage granary spoiled eat grain unsold rot middleman farmers market producer price safety lean season hungry produce',
        ar: 'جوع مجاعة وجبة غذاء طعام طماطم بصل خضروات فواكه لحم تعاونية تخزين فاسد أكل حبوب مخزن كساد تعفن وسطاء وسيط خضر سوق فلاحي بيع المحصول سلامة غذائية',
      },
    },
  ],
}
