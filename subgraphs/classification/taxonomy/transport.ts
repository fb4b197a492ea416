import type { DomainSource } from './domain-source.ts'

export const transport: DomainSource = {
  id: 'transport',
  label: { fr: 'Transports et routes', en: 'Transport and roads', ar: 'النقل والطرق' },
  subDomains: [
    {
      slug: 'roads-bridges',
      label: { fr: 'Routes et ponts', en: 'Roads and bridges', ar: 'الطرق والجسور' },
      examples: {
        fr: {
          negative: [
            'La route nationale est pleine de nids-de-poule',
            'Le pont est coupé depuis les pluies',
            'La piste du village est impraticable en hivernage',
            'Le bitume est parti et la poussière envahit les maisons',
          ],
          neutral: ['Les travaux de la rocade commenceront en juin'],
          positive: ['La nouvelle chaussée est impeccable, bravo aux ouvriers'],
        },
        en: {
          negative: [
            'The main road is full of potholes',
            'The bridge has been cut since the rains',
            'The track to the village cannot be used in the wet season',
            'The tarmac has crumbled and cyclists keep falling',
          ],
          neutral: ['Resurfacing of the ring road starts in June'],
          positive: ['The new flyover is brilliant, my journey is half as long'],
        },
        ar: {
          negative: [
            'الطريق الوطنية مليئة بالحفر',
            'الجسر مقطوع منذ الأمطار',
            'مسلك القرية غير صالح للسير في موسم الأمطار',
            'الإسفلت تآكل والغبار يملأ البيوت',
          ],
          neutral: ['تبدأ أشغال تعبيد الشارع في يونيو'],
          positive: ['الطريق الجديدة ممتازة وشكرا للعمال'],
        },
      },
      words: {
        fr: 'route chaussée goudron bitume nid-de-poule pont piste rue avenue travaux revêtement carrefour trottoir asphalte trou ornière boue passerelle tunnel rond-point déviation autoroute rocade pavé voirie axe amortisseur pneu crevé bac pirogue',
        en: 'road pavement tarmac pothole bridge track street avenue roadworks surface crossroads sidewalk highway roads lane asphalt potholes rut mud footbridge tunnel roundabout junction diversion motorway paving axle tyre ferry canoe',
        ar: 'طريق طرق حفرة حفر جسر مسلك شارع شوارع إسفلت تعبيد تقاطع رصيف مطبات وحل قنطرة نفق دوار مفترق تحويلة أشغال سيار عجلة',
      },
    },
    {
      slug: 'public-transport',
      label: { fr: 'Transports en commun', en: 'Public transport', ar: 'النقل العمومي' },
      examples: {
        fr: {
          negative: [
            'Le bus ne respecte jamais ses horaires',
            'Il n’y a pas de ligne de car vers notre quartier',
            'Le train est toujours annulé le matin',
            'Les bus sont bondés, sales et toujours en retard',
          ],
          neutral: ['Le tramway circule de 5 heures à minuit'],
          positive: ['Le nouveau bus rapide me fait gagner une heure, génial'],
        },
        en: {
          negative: [
            'The bus never keeps to its timetable',
            'There is no bus line to our neighbourhood',
            'The train is always cancelled in the morning',
            'Trains are packed and cancelled without notice',
          ],
          neutral: ['The tram runs from five until midnight'],
          positive: ['The new express bus is comfortable and on time'],
        },
        ar: {
          negative: [
            'الحافلة لا تحترم مواعيدها أبدا',
            'لا يوجد خط حافلات إلى حينا',
            'القطار يلغى دائما في الصباح',
            'الحافلات مكتظة ووسخة ودائما متأخرة',
          ],
          neutral: ['يعمل الترام من الخامسة صباحا إلى منتصف الليل'],
          positive: ['الحافلة السريعة الجديدة مريحة وتصل في وقتها'],
        },
      },
      words: {
        fr: 'bus autobus car train tramway métro gare arrêt horaire ligne ticket billet voyageur minibus navette ferry bac autocar tram quai retard passager conducteur chauffeur correspondance bondé RER wagon bateau-bus',
        en: 'bus coach train tram metro subway station stop timetable line ticket fare passenger minibus shuttle ferry buses underground trains platform delay driver route connection crowded railway carriage commuter',
        ar: 'حافلة حافلات قطار ترامواي مترو محطة موقف تذكرة خط ركاب مسافر نقل مواصلات باص ترام رصيف موعد تأخر راكب سائق مكتظ سكة حديد عربة',
      },
    },
    {
      slug: 'traffic-safety',
      label: { fr: 'Circulation et sécurité routière', en: 'Traffic and road safety', ar: 'المرور والسلامة الطرقية' },
      examples: {
        fr: {
          negative: [
            'Les embouteillages nous font perdre deux heures par jour',
            'Il faut un feu tricolore et un passage piéton ici',
            'Les accidents de moto se multiplient dans le virage',
            'Les camions grillent le stop et il y a des morts chaque mois',
          ],
          neutral: ['La rue du lycée sera à sens unique dès lundi'],
          positive: ['Le rond-point a supprimé les bouchons, merci'],
        },
        en: {
          negative: [
            'Traffic jams cost us two hours a day',
            'We need a traffic light and a pedestrian crossing here',
            'Motorbike accidents keep happening at the bend',
            'Cars park on the pavement and we walk in the road',
          ],
          neutral: ['Elm Road becomes one-way from Monday'],
          positive: ['The speed bumps have made our road so much safer'],
        },
        ar: {
          negative: [
            'الازدحام المروري يضيع علينا ساعتين كل يوم',
            'نحتاج إلى إشارة ضوئية وممر للراجلين هنا',
            'حوادث الدراجات النارية تتكرر في المنعطف',
            'الشاحنات لا تحترم إشارة المرور والحوادث كثيرة',
          ],
          neutral: ['يصبح شارع الثانوية باتجاه واحد ابتداء من الاثنين'],
          positive: ['الدوار الجديد أنهى الازدحام، أحسنتم'],
        },
      },
      words: {
        fr: "circulation embouteillage bouchon accident vitesse ralentisseur feu piéton signalisation moto voiture camion parking stationnement rouge tricolore excès stop priorité passage clouté trottoir dos-d'âne radar scooter klaxon renversé écrasé garé permis de conduire casque",
        en: 'traffic jam congestion accident crash speed bump light pedestrian crossing sign motorbike car lorry truck parking lights speeding stop priority zebra kerb hump bumps camera lorries cars honking run over hit parked licence helmet',
        ar: 'مرور ازدحام زحمة حادث حوادث سير سرعة إشارة راجلين سيارة سيارات شاحنة دراجة موقف ضوئية مفرطة ممر عبور رصيف مطب نارية دهس ركن رخصة سياقة خوذة',
      },
    },
    {
      slug: 'fares-taxis',
      label: { fr: 'Tarifs, taxis et deux-roues', en: 'Fares, taxis and two-wheelers', ar: 'التعريفات وسيارات الأجرة' },
      examples: {
        fr: {
          negative: [
            'Les taxis doublent leurs tarifs quand il pleut',
            'Le prix du transport augmente sans raison',
            'Une piste cyclable rendrait service à tous',
            'Le billet de car a flambé, on marche des kilomètres',
          ],
          neutral: ["L'abonnement mensuel de bus coûte quinze euros"],
          positive: ['Le vélo en libre-service est pratique et pas cher'],
        },
        en: {
          negative: [
            'Taxis double their fares when it rains',
            'The price of transport goes up for no reason',
            'A cycle lane would be useful to everybody',
            'The taxi driver overcharged me because I am foreign',
          ],
          neutral: ['A monthly bus pass costs fifteen pounds'],
          positive: ['Bike hire is cheap and really handy'],
        },
        ar: {
          negative: [
            'سيارات الأجرة تضاعف التسعيرة حين تمطر',
            'سعر النقل يرتفع بلا سبب',
            'مسار للدراجات سيفيد الجميع',
            'سعر تذكرة السفر ارتفع كثيرا',
          ],
          neutral: ['ثمن الاشتراك الشهري في الحافلة مئة درهم'],
          positive: ['الدراجات العمومية فكرة ممتازة ورخيصة'],
        },
      },
      words: {
        fr: 'taxi tarif course chauffeur carburant essence vélo cyclable péage permis de conduire moto-taxi taxis ticket billet zem zémidjan jakarta clando tuk-tuk piste trottinette covoiturage gazole abonnement',
        en: 'taxi fare ride driver fuel petrol gasoline bicycle bike lane toll driving licence taxis cab fares ticket boda boda-boda okada matatu tuk-tuk cycle scooter carpool diesel pass',
        ar: 'تاكسي سيارة أجرة تسعيرة سائق سائقون وقود بنزين دراجة هوائية رخصة سياقة طاكسي تذكرة توكتوك دراجات مسار مازوت محروقات اشتراك توصيلة',
      },
    },
  ],
}
