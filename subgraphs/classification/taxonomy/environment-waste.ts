import type { DomainSource } from './domain-source.ts'

export const environmentWaste: DomainSource = {
  id: 'environment-waste',
  label: { fr: 'Environnement et déchets', en: 'Environment and waste', ar: 'البيئة والنفايات' },
  subDomains: [
    {
      slug: 'collection',
      label: { fr: 'Collecte des ordures', en: 'Waste collection', ar: 'جمع النفايات' },
      examples: {
        fr: ['Le camion poubelle ne passe plus', 'Les bacs à ordures débordent', 'Les poubelles ne sont vidées qu’une fois par mois'],
        en: ['The rubbish truck no longer comes', 'The bins are overflowing', 'Bins are emptied only once a month'],
        ar: ['شاحنة القمامة لم تعد تمر', 'حاويات الأزبال ممتلئة', 'القمامة لا تجمع إلا مرة في الشهر'],
      },
      words: {
        fr: 'ordures poubelle déchets camion benne collecte éboueur bac ramassage saleté balayage propreté',
        en: 'rubbish garbage trash waste bin truck collection dump collector refuse dirt sweeping cleanliness litter',
        ar: 'قمامة أزبال نفايات حاوية حاويات شاحنة جمع نظافة أوساخ كنس زبالة',
      },
    },
    {
      slug: 'dumps-recycling',
      label: { fr: 'Dépôts sauvages et recyclage', en: 'Illegal dumps and recycling', ar: 'المطارح العشوائية والتدوير' },
      examples: {
        fr: [
          'Un dépotoir sauvage grandit derrière les maisons',
          'Le plastique envahit la plage',
          'Il faudrait trier et recycler les déchets',
        ],
        en: ['An illegal dump is growing behind the houses', 'Plastic covers the beach', 'Waste should be sorted and recycled'],
        ar: ['مطرح عشوائي يكبر خلف البيوت', 'البلاستيك يغطي الشاطئ', 'يجب فرز النفايات وإعادة تدويرها'],
      },
      words: {
        fr: 'dépotoir décharge dépôt sauvage plastique recyclage tri sachet bouteille compost brûler ordures gravats',
        en: 'dump landfill fly-tipping plastic recycling sorting bag bottle compost burning rubbish rubble',
        ar: 'مطرح مكب بلاستيك تدوير فرز أكياس قارورات سماد حرق النفايات ردم',
      },
    },
    {
      slug: 'pollution',
      label: { fr: 'Pollution', en: 'Pollution', ar: 'التلوث' },
      examples: {
        fr: [
          "La fumée de l'usine nous empêche de respirer",
          'La rivière est polluée par les teintureries',
          'Le bruit de la carrière est insupportable',
        ],
        en: [
          'Smoke from the factory keeps us from breathing',
          'The river is polluted by the dye works',
          'The noise of the quarry is unbearable',
        ],
        ar: ['دخان المصنع يمنعنا من التنفس', 'النهر ملوث بسبب المصابغ', 'ضجيج المقلع لا يحتمل'],
      },
      words: {
        fr: 'pollution fumée usine air rivière bruit odeur toxique poussière produit chimique nuisance pesticide',
        en: 'pollution smoke factory air river noise smell toxic dust chemical nuisance pesticide polluted',
        ar: 'تلوث دخان مصنع هواء نهر ضجيج رائحة سام غبار مواد كيميائية ملوث',
      },
    },
    {
      slug: 'nature-climate',
      label: { fr: 'Nature et climat', en: 'Nature and climate', ar: 'الطبيعة والمناخ' },
      examples: {
        fr: ['On abat tous les arbres de la forêt classée', 'Il faut reboiser les collines', "L'érosion de la côte avale nos maisons"],
        en: [
          'All the trees of the protected forest are being cut',
          'The hills must be reforested',
          'Coastal erosion is swallowing our houses',
        ],
        ar: ['تقطع كل أشجار الغابة المحمية', 'يجب إعادة تشجير التلال', 'تآكل الساحل يبتلع بيوتنا'],
      },
      words: {
        fr: 'arbre forêt reboisement déforestation climat érosion sécheresse biodiversité animaux sauvages mangrove désertification planter nature',
        en: 'tree forest reforestation deforestation climate erosion drought biodiversity wildlife mangrove desertification planting nature',
        ar: 'شجرة أشجار غابة غابات تشجير مناخ تآكل جفاف تنوع حيوانات برية تصحر طبيعة بيئة',
      },
    },
  ],
}
