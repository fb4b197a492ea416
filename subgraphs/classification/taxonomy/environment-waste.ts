import type { DomainSource } from './domain-source.ts'

export const environmentWaste: DomainSource = {
  id: 'environment-waste',
  label: { fr: 'Environnement et déchets', en: 'Environment and waste', ar: 'البيئة والنفايات' },
  subDomains: [
    {
      slug: 'collection',
      label: { fr: 'Collecte des ordures', en: 'Waste collection', ar: 'جمع النفايات' },
      examples: {
        fr: {
          negative: [
            'Le camion poubelle ne passe plus',
            'Les bacs à ordures débordent',
            'Les poubelles ne sont vidées qu’une fois par mois',
            'Les éboueurs oublient toujours notre impasse',
          ],
          neutral: ['La collecte du verre passe au jeudi'],
          positive: ['Les rues sont nettoyées chaque matin, quel plaisir'],
        },
        en: {
          negative: [
            'The rubbish truck no longer comes',
            'The bins are overflowing',
            'Bins are emptied only once a month',
            'The bin men always skip our close',
          ],
          neutral: ['Glass is collected on Thursdays'],
          positive: ['Streets are swept every morning, lovely to see'],
        },
        ar: {
          negative: [
            'شاحنة القمامة لم تعد تمر',
            'حاويات الأزبال ممتلئة',
            'القمامة لا تجمع إلا مرة في الشهر',
            'عمال النظافة ينسون زقاقنا دائما',
          ],
          neutral: ['جمع النفايات الزجاجية يوم الخميس'],
          positive: ['الشوارع تكنس كل صباح، شيء يسر'],
        },
      },
      words: {
        fr: 'ordures poubelle déchets camion benne collecte éboueur bac ramassage saleté balayage propreté poubelles camion-benne voirie encombrants sac immondices mouches rats',
        en: 'rubbish garbage trash waste bin truck collection dump collector refuse dirt sweeping cleanliness litter bins binmen bulky bags flies rats emptied',
        ar: 'قمامة أزبال نفايات حاوية حاويات شاحنة جمع نظافة أوساخ كنس زبالة النظافة عمال أكياس ذباب',
      },
    },
    {
      slug: 'dumps-recycling',
      label: { fr: 'Dépôts sauvages et recyclage', en: 'Illegal dumps and recycling', ar: 'المطارح العشوائية والتدوير' },
      examples: {
        fr: {
          negative: [
            'Un dépotoir sauvage grandit derrière les maisons',
            'Le plastique envahit la plage',
            'Il faudrait trier et recycler les déchets',
            'On brûle des pneus dans la décharge et ça empeste',
          ],
          neutral: ['La déchetterie accepte les gravats'],
          positive: ['Le tri sélectif marche bien dans notre rue, je suis content'],
        },
        en: {
          negative: [
            'An illegal dump is growing behind the houses',
            'Plastic covers the beach',
            'Waste should be sorted and recycled',
            'Tyres are burnt at the dump and the stench is vile',
          ],
          neutral: ['The tip accepts rubble'],
          positive: ['Recycling works really well on our street'],
        },
        ar: {
          negative: [
            'مطرح عشوائي يكبر خلف البيوت',
            'البلاستيك يغطي الشاطئ',
            'يجب فرز النفايات وإعادة تدويرها',
            'يحرقون الإطارات في المكب والرائحة خانقة',
          ],
          neutral: ['المفرغة تقبل مخلفات البناء'],
          positive: ['فرز النفايات ناجح في حينا وأنا مسرور'],
        },
      },
      words: {
        fr: 'dépotoir décharge dépôt sauvage plastique recyclage tri sachet bouteille compost brûler ordures gravats recycler verre carton déchetterie pneus matelas bouteilles sachets encombrants brûlage',
        en: 'dump landfill fly-tipping plastic recycling sorting bag bottle compost burning rubbish rubble dumping tip recycle glass cardboard tyres mattress mattresses bottles bags',
        ar: 'مطرح مكب بلاستيك تدوير فرز أكياس قارورات سماد حرق النفايات ردم مفرغة مزبلة رمي عشوائي زجاج كرتون إطارات بلاستيكية',
      },
    },
    {
      slug: 'pollution',
      label: { fr: 'Pollution', en: 'Pollution', ar: 'التلوث' },
      examples: {
        fr: {
          negative: [
            "La fumée de l'usine nous empêche de respirer",
            'La rivière est polluée par les teintureries',
            'Le bruit de la carrière est insupportable',
            "L'air est irrespirable et mon fils fait de l'asthme",
          ],
          neutral: ["Les mesures de la qualité de l'air sont publiées chaque jour"],
          positive: ['La lagune est redevenue propre, les oiseaux reviennent'],
        },
        en: {
          negative: [
            'Smoke from the factory keeps us from breathing',
            'The river is polluted by the dye works',
            'The noise of the quarry is unbearable',
            'The air is unbreathable and my son has asthma',
          ],
          neutral: ['Air quality readings are published daily'],
          positive: ['The lagoon is clean again and the birds are back'],
        },
        ar: {
          negative: ['دخان المصنع يمنعنا من التنفس', 'النهر ملوث بسبب المصابغ', 'ضجيج المقلع لا يحتمل', 'الهواء ملوث وابني مصاب بالربو'],
          neutral: ['تنشر قياسات جودة الهواء كل يوم'],
          positive: ['عادت البحيرة نظيفة ورجعت الطيور'],
        },
      },
      words: {
        fr: 'pollution fumée usine air rivière bruit odeur toxique poussière produit chimique nuisance pesticide tapage rejets chimiques hydrocarbures contaminée poissons morts gaz échappement carrière amiante',
        en: 'pollution smoke factory air river noise smell toxic dust chemical nuisance pesticide polluted fumes plant chemicals discharge oil spill dead fish exhaust quarry asbestos tannery smog',
        ar: 'تلوث دخان مصنع هواء نهر ضجيج رائحة سام غبار مواد كيميائية ملوث معمل مصانع ضوضاء كيماوية نفط أسماك نافقة عوادم محجر مبيدات',
      },
    },
    {
      slug: 'nature-climate',
      label: { fr: 'Nature et climat', en: 'Nature and climate', ar: 'الطبيعة والمناخ' },
      examples: {
        fr: {
          negative: [
            'On abat tous les arbres de la forêt classée',
            'Il faut reboiser les collines',
            "L'érosion de la côte avale nos maisons",
            'Ils ont bétonné la mangrove et les crabes ont disparu',
          ],
          neutral: ['Une balade nature est organisée dimanche au marais'],
          positive: ['Les jeunes arbres poussent bien, beau travail des bénévoles'],
        },
        en: {
          negative: [
            'All the trees of the protected forest are being cut',
            'The hills must be reforested',
            'Coastal erosion is swallowing our houses',
            'They concreted the mangrove and the crabs are gone',
          ],
          neutral: ['A guided walk in the marsh takes place on Sunday'],
          positive: ['The saplings are thriving, great work by the volunteers'],
        },
        ar: {
          negative: [
            'تقطع كل أشجار الغابة المحمية',
            'يجب إعادة تشجير التلال',
            'تآكل الساحل يبتلع بيوتنا',
            'ردموا المستنقع واختفت الحيوانات',
          ],
          neutral: ['تنظم جولة في الغابة يوم الأحد'],
          positive: ['الأشجار المغروسة تنمو جيدا، عمل جميل'],
        },
      },
      words: {
        fr: 'arbre forêt reboisement déforestation climat érosion sécheresse biodiversité animaux sauvages mangrove désertification planter nature arbres oiseaux faune parc naturel canicule chaleur plage littoral braconnage feu de brousse rivière nettoyage',
        en: 'tree forest reforestation deforestation climate erosion drought biodiversity wildlife mangrove desertification planting nature trees wood woods plant birds reserve heatwave beach coast poaching bushfire clean-up volunteers',
        ar: 'شجرة أشجار غابة غابات تشجير مناخ تآكل جفاف تنوع حيوانات برية تصحر طبيعة بيئة غرس قطع الأشجار طيور محمية حرارة تعرية شاطئ ساحل صيد جائر حملة تنظيف',
      },
    },
  ],
}
