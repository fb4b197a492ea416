import type { DomainSource } from './domain-source.ts'

export const transport: DomainSource = {
  id: 'transport',
  label: { fr: 'Transports et routes', en: 'Transport and roads', ar: 'النقل والطرق' },
  subDomains: [
    {
      slug: 'roads-bridges',
      label: { fr: 'Routes et ponts', en: 'Roads and bridges', ar: 'الطرق والجسور' },
      examples: {
        fr: [
          'La route nationale est pleine de nids-de-poule',
          'Le pont est coupé depuis les pluies',
          'La piste du village est impraticable en hivernage',
        ],
        en: [
          'The main road is full of potholes',
          'The bridge has been cut since the rains',
          'The track to the village cannot be used in the wet season',
        ],
        ar: ['الطريق الوطنية مليئة بالحفر', 'الجسر مقطوع منذ الأمطار', 'مسلك القرية غير صالح للسير في موسم الأمطار'],
      },
      words: {
        fr: 'route chaussée goudron bitume nid-de-poule pont piste rue avenue travaux revêtement carrefour trottoir',
        en: 'road pavement tarmac pothole bridge track street avenue roadworks surface crossroads sidewalk highway',
        ar: 'طريق طرق حفرة حفر جسر مسلك شارع شوارع إسفلت تعبيد تقاطع رصيف',
      },
    },
    {
      slug: 'public-transport',
      label: { fr: 'Transports en commun', en: 'Public transport', ar: 'النقل العمومي' },
      examples: {
        fr: [
          'Le bus ne respecte jamais ses horaires',
          'Il n’y a pas de ligne de car vers notre quartier',
          'Le train est toujours annulé le matin',
        ],
        en: [
          'The bus never keeps to its timetable',
          'There is no bus line to our neighbourhood',
          'The train is always cancelled in the morning',
        ],
        ar: ['الحافلة لا تحترم مواعيدها أبدا', 'لا يوجد خط حافلات إلى حينا', 'القطار يلغى دائما في الصباح'],
      },
      words: {
        fr: 'bus autobus car train tramway métro gare arrêt horaire ligne ticket billet voyageur minibus navette ferry bac',
        en: 'bus coach train tram metro subway station stop timetable line ticket fare passenger minibus shuttle ferry',
        ar: 'حافلة حافلات قطار ترامواي مترو محطة موقف تذكرة خط ركاب مسافر نقل مواصلات',
      },
    },
    {
      slug: 'traffic-safety',
      label: { fr: 'Circulation et sécurité routière', en: 'Traffic and road safety', ar: 'المرور والسلامة الطرقية' },
      examples: {
        fr: [
          'Les embouteillages nous font perdre deux heures par jour',
          'Il faut un feu tricolore et un passage piéton ici',
          'Les accidents de moto se multiplient dans le virage',
        ],
        en: [
          'Traffic jams cost us two hours a day',
          'We need a traffic light and a pedestrian crossing here',
          'Motorbike accidents keep happening at the bend',
        ],
        ar: [
          'الازدحام المروري يضيع علينا ساعتين كل يوم',
          'نحتاج إلى إشارة ضوئية وممر للراجلين هنا',
          'حوادث الدراجات النارية تتكرر في المنعطف',
        ],
      },
      words: {
        fr: 'circulation embouteillage bouchon accident vitesse ralentisseur feu piéton signalisation moto voiture camion parking stationnement',
        en: 'traffic jam congestion accident crash speed bump light pedestrian crossing sign motorbike car lorry truck parking',
        ar: 'مرور ازدحام زحمة حادث حوادث سير سرعة إشارة راجلين سيارة سيارات شاحنة دراجة موقف',
      },
    },
    {
      slug: 'fares-taxis',
      label: { fr: 'Tarifs, taxis et deux-roues', en: 'Fares, taxis and two-wheelers', ar: 'التعريفات وسيارات الأجرة' },
      examples: {
        fr: [
          'Les taxis doublent leurs tarifs quand il pleut',
          'Le prix du transport augmente sans raison',
          'Une piste cyclable rendrait service à tous',
        ],
        en: [
          'Taxis double their fares when it rains',
          'The price of transport goes up for no reason',
          'A cycle lane would be useful to everybody',
        ],
        ar: ['سيارات الأجرة تضاعف التسعيرة حين تمطر', 'سعر النقل يرتفع بلا سبب', 'مسار للدراجات سيفيد الجميع'],
      },
      words: {
        fr: 'taxi tarif course chauffeur carburant essence vélo cyclable péage permis de conduire moto-taxi',
        en: 'taxi fare ride driver fuel petrol gasoline bicycle bike lane toll driving licence',
        ar: 'تاكسي سيارة أجرة تسعيرة سائق سائقون وقود بنزين دراجة هوائية رخصة سياقة',
      },
    },
  ],
}
