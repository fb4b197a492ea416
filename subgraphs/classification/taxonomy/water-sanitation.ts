import type { DomainSource } from './domain-source.ts'

export const waterSanitation: DomainSource = {
  id: 'water-sanitation',
  label: { fr: 'Eau et assainissement', en: 'Water and sanitation', ar: 'المياه والصرف الصحي' },
  subDomains: [
    {
      slug: 'supply',
      label: { fr: "Distribution de l'eau", en: 'Water supply', ar: 'التزويد بالماء' },
      examples: {
        fr: ["L'eau est coupée depuis trois jours", 'Le robinet public ne coule plus', "La pression d'eau est trop faible à l'étage"],
        en: ['The water has been cut off for three days', 'The public tap has run dry', 'Water pressure is too low upstairs'],
        ar: ['الماء مقطوع منذ ثلاثة أيام', 'الصنبور العمومي لم يعد يعمل', 'ضغط الماء ضعيف جدا في الطوابق'],
      },
      words: {
        fr: "eau robinet coupure d'eau pression canalisation tuyau fuite compteur citerne château d'eau borne-fontaine abonné",
        en: 'water tap cut pressure pipe leak meter tank tower standpipe supply plumbing',
        ar: 'ماء الماء مياه صنبور حنفية انقطاع الماء ضغط أنبوب تسرب عداد خزان صهريج',
      },
    },
    {
      slug: 'quality-wells',
      label: { fr: "Qualité de l'eau, puits et forages", en: 'Water quality, wells and boreholes', ar: 'جودة الماء والآبار' },
      examples: {
        fr: [
          "L'eau du puits est sale et rend les enfants malades",
          'Nous voulons un forage au village',
          "L'eau qui sort est marron et sent mauvais",
        ],
        en: [
          'The water of the well is dirty and makes children ill',
          'We want a borehole in the village',
          'The water that comes out is brown and smells bad',
        ],
        ar: ['ماء البئر ملوث ويمرض الأطفال', 'نريد بئرا في القرية', 'الماء الذي يخرج بني اللون ورائحته كريهة'],
      },
      words: {
        fr: 'puits forage pompe potable eau potable boire source marigot filtre chlore analyse eau trouble',
        en: 'well borehole pump drinking water drinkable spring filter chlorine muddy fetch water',
        ar: 'بئر آبار مضخة ماء شرب صالح للشرب عين نبع تصفية كلور عكر',
      },
    },
    {
      slug: 'sewage-drains',
      label: { fr: 'Égouts et caniveaux', en: 'Sewers and drains', ar: 'المجاري وقنوات التصريف' },
      examples: {
        fr: [
          'Les égouts débordent dans la rue',
          'Les caniveaux bouchés inondent les maisons à chaque pluie',
          'Les eaux usées stagnent devant ma porte',
        ],
        en: ['Sewers overflow into the street', 'Blocked gutters flood the houses at every rain', 'Waste water stands in front of my door'],
        ar: ['المجاري تفيض في الشارع', 'القنوات المسدودة تغرق البيوت مع كل مطر', 'المياه العادمة راكدة أمام بابي'],
      },
      words: {
        fr: 'égout caniveau eaux usées assainissement inondation fosse septique vidange évacuation regard drainage collecteur',
        en: 'sewer sewage gutter drain wastewater sanitation flooding septic tank manhole drainage stagnant',
        ar: 'مجاري بالوعة صرف صحي مياه عادمة فيضان قنوات تصريف تطهير حفرة صحية',
      },
    },
    {
      slug: 'toilets-bills',
      label: { fr: 'Toilettes et factures', en: 'Toilets and bills', ar: 'المراحيض والفواتير' },
      examples: {
        fr: [
          "La facture d'eau a triplé sans explication",
          'Il n’y a pas de latrines au marché',
          'Les toilettes publiques sont dans un état lamentable',
        ],
        en: [
          'The water bill has tripled without explanation',
          'There are no latrines at the market',
          'The public toilets are in a terrible state',
        ],
        ar: ['فاتورة الماء تضاعفت ثلاث مرات بلا تفسير', 'لا توجد مراحيض في السوق', 'المراحيض العمومية في حالة مزرية'],
      },
      words: {
        fr: "toilettes latrines sanitaires WC hygiène savon facture d'eau lavage mains douche",
        en: 'toilet latrine lavatory hygiene soap water bill washing hands shower restroom',
        ar: 'مرحاض مراحيض حمام نظافة صابون فاتورة الماء غسل اليدين',
      },
    },
  ],
}
