import type { DomainSource } from './domain-source.ts'

export const waterSanitation: DomainSource = {
  id: 'water-sanitation',
  label: { fr: 'Eau et assainissement', en: 'Water and sanitation', ar: 'المياه والصرف الصحي' },
  subDomains: [
    {
      slug: 'supply',
      label: { fr: "Distribution de l'eau", en: 'Water supply', ar: 'التزويد بالماء' },
      examples: {
        fr: {
          negative: [
            "L'eau est coupée depuis trois jours",
            'Le robinet public ne coule plus',
            "La pression d'eau est trop faible à l'étage",
            "La pompe est cassée et nous n'avons rien à boire",
          ],
          neutral: ["L'eau sera interrompue mardi de 9 h à midi pour entretien"],
          positive: ["L'eau coule enfin jour et nuit, quelle joie"],
        },
        en: {
          negative: [
            'The water has been cut off for three days',
            'The public tap has run dry',
            'Water pressure is too low upstairs',
            'The pump is broken and we have nothing to drink',
          ],
          neutral: ['Supply will be interrupted on Tuesday morning for maintenance'],
          positive: ['Water flows day and night now, what a joy'],
        },
        ar: {
          negative: [
            'الماء مقطوع منذ ثلاثة أيام',
            'الصنبور العمومي لم يعد يعمل',
            'ضغط الماء ضعيف جدا في الطوابق',
            'المضخة معطلة ولا نجد ما نشرب',
          ],
          neutral: ['سيتوقف التزويد بالماء الثلاثاء صباحا للصيانة'],
          positive: ['الماء يجري ليل نهار الآن، يا لها من فرحة'],
        },
      },
      words: {
        fr: "eau robinet coupure d'eau pression canalisation tuyau fuite compteur citerne château d'eau borne-fontaine abonné fontaine bidon seau corvée puiser réseau pénurie soif boire sec goutte",
        en: 'water tap cut pressure pipe leak meter tank tower standpipe supply plumbing taps dry jerrycan bucket fetch fetching pipes burst shortage thirst drink tanker mains reservoir',
        ar: 'ماء الماء مياه صنبور حنفية انقطاع الماء ضغط أنبوب تسرب عداد خزان صهريج نافورة عمومية صهاريج سطل دلو جلب قناة عطش شرب',
      },
    },
    {
      slug: 'quality-wells',
      label: { fr: "Qualité de l'eau, puits et forages", en: 'Water quality, wells and boreholes', ar: 'جودة الماء والآبار' },
      examples: {
        fr: {
          negative: [
            "L'eau du puits est sale et rend les enfants malades",
            'Nous voulons un forage au village',
            "L'eau qui sort est marron et sent mauvais",
            "Depuis l'inondation le forage sent la vase et donne mal au ventre",
          ],
          neutral: ["Des prélèvements d'eau seront faits dans les puits"],
          positive: ['Le forage réparé donne une eau claire et bonne'],
        },
        en: {
          negative: [
            'The water of the well is dirty and makes children ill',
            'We want a borehole in the village',
            'The water that comes out is brown and smells bad',
            'The tap water is cloudy and gives us stomach pains',
          ],
          neutral: ['Samples will be taken from the wells next week'],
          positive: ['The repaired borehole gives clear, sweet water'],
        },
        ar: {
          negative: [
            'ماء البئر ملوث ويمرض الأطفال',
            'نريد بئرا في القرية',
            'الماء الذي يخرج بني اللون ورائحته كريهة',
            'ماء الحنفية عكر ورائحته كريهة ويسبب المغص',
          ],
          neutral: ['ستؤخذ عينات من الآبار الأسبوع القادم'],
          positive: ['البئر الجديدة ماؤها صاف وعذب'],
        },
      },
      words: {
        fr: "puits forage pompe potable eau potable boire source marigot filtre chlore analyse eau trouble marron jaune odeur goût salé bactérie d'eau filtrer bouillir contaminée nappe rivière",
        en: 'well borehole pump drinking water drinkable spring filter chlorine muddy fetch water wells handpump brown yellow smell taste salty bacteria boil boiled contaminated groundwater river cloudy germs',
        ar: 'بئر آبار مضخة ماء شرب صالح للشرب عين نبع تصفية كلور عكر شروب أصفر لون رائحة طعم مالح جراثيم غلي ملوث منبع نهر',
      },
    },
    {
      slug: 'sewage-drains',
      label: { fr: 'Égouts et caniveaux', en: 'Sewers and drains', ar: 'المجاري وقنوات التصريف' },
      examples: {
        fr: {
          negative: [
            'Les égouts débordent dans la rue',
            'Les caniveaux bouchés inondent les maisons à chaque pluie',
            'Les eaux usées stagnent devant ma porte',
            "La fosse septique de l'immeuble déverse dans la ruelle",
          ],
          neutral: ["Le curage des rigoles est prévu avant l'hivernage"],
          positive: ["Depuis le curage du canal, plus d'inondation, merci"],
        },
        en: {
          negative: [
            'Sewers overflow into the street',
            'Blocked gutters flood the houses at every rain',
            'Waste water stands in front of my door',
            'The septic tank leaks into the alley where kids play',
          ],
          neutral: ['Gutters will be cleaned before the rains'],
          positive: ['Since the drains were cleared we stay dry, thank you'],
        },
        ar: {
          negative: [
            'المجاري تفيض في الشارع',
            'القنوات المسدودة تغرق البيوت مع كل مطر',
            'المياه العادمة راكدة أمام بابي',
            'خزان الصرف الصحي يتسرب في الزقاق',
          ],
          neutral: ['ستنظف القنوات قبل موسم الأمطار'],
          positive: ['بعد تنظيف المجاري لم تعد الفيضانات، شكرا'],
        },
      },
      words: {
        fr: 'égout caniveau eaux usées assainissement inondation fosse septique vidange évacuation regard drainage collecteur égouts refoulement bouché déborde stagnante cave canal curage puanteur moustiques pluie ruissellement',
        en: 'sewer sewage gutter drain wastewater sanitation flooding septic tank manhole drainage stagnant sewers drains overflow overflowing blocked backed up cellar ditch stink stench rain',
        ar: 'مجاري بالوعة صرف صحي مياه عادمة فيضان قنوات تصريف تطهير حفرة صحية مجرور بالوعات قناة امتصاص طفح راكدة انسداد روائح كريهة أمطار',
      },
    },
    {
      slug: 'toilets-bills',
      label: { fr: 'Toilettes et factures', en: 'Toilets and bills', ar: 'المراحيض والفواتير' },
      examples: {
        fr: {
          negative: [
            "La facture d'eau a triplé sans explication",
            'Il n’y a pas de latrines au marché',
            'Les toilettes publiques sont dans un état lamentable',
            "Le compteur d'eau est faux et on nous réclame une fortune",
          ],
          neutral: ["La facture d'eau se paie à l'agence ou par téléphone"],
          positive: ["Les nouvelles latrines de l'école sont propres et bien tenues"],
        },
        en: {
          negative: [
            'The water bill has tripled without explanation',
            'There are no latrines at the market',
            'The public toilets are in a terrible state',
            'The water meter is wrong and they threaten to cut us off',
          ],
          neutral: ['Water bills can be paid by phone'],
          positive: ['The new latrines at school are clean and well kept'],
        },
        ar: {
          negative: [
            'فاتورة الماء تضاعفت ثلاث مرات بلا تفسير',
            'لا توجد مراحيض في السوق',
            'المراحيض العمومية في حالة مزرية',
            'عداد الماء خاطئ ويطالبوننا بمبلغ كبير',
          ],
          neutral: ['يمكن دفع فاتورة الماء عبر الهاتف'],
          positive: ['المراحيض الجديدة نظيفة ومجهزة جيدا'],
        },
      },
      words: {
        fr: "toilettes latrines sanitaires WC hygiène savon facture d'eau lavage mains douche urinoir besoins défécation compteur abonnement relevé société des eaux tarif de l'eau lavabo",
        en: 'toilet latrine lavatory hygiene soap water bill washing hands shower restroom toilets latrines urinal defecation meter tariff washroom company loo loos',
        ar: 'مرحاض مراحيض حمام نظافة صابون فاتورة الماء غسل اليدين دورة مياه عداد شركة اشتراك عمومي قضاء الحاجة',
      },
    },
  ],
}
