import type { DomainSource } from './domain-source.ts'

export const security: DomainSource = {
  id: 'security',
  label: { fr: 'Sécurité', en: 'Security', ar: 'الأمن' },
  subDomains: [
    {
      slug: 'theft-assault',
      label: { fr: 'Vols et agressions', en: 'Theft and assault', ar: 'السرقة والاعتداء' },
      examples: {
        fr: [
          'Des vols ont lieu chaque nuit dans le quartier',
          'Ma voisine a été agressée près du marché',
          'On m’a arraché mon téléphone en plein jour',
        ],
        en: [
          'There are thefts every night in the neighbourhood',
          'My neighbour was attacked near the market',
          'My phone was snatched in broad daylight',
        ],
        ar: ['تحدث سرقات كل ليلة في الحي', 'جارتي تعرضت لاعتداء قرب السوق', 'خطفوا هاتفي في وضح النهار'],
      },
      words: {
        fr: 'vol voleur cambriolage agression braquage bandit couteau arme insécurité délinquance pickpocket meurtre',
        en: 'theft thief burglary assault robbery mugging bandit knife weapon gun insecurity crime murder stolen',
        ar: 'سرقة سارق لص لصوص اعتداء سطو سكين سلاح جريمة انعدام الأمن قتل عصابة',
      },
    },
    {
      slug: 'police',
      label: { fr: 'Police et gendarmerie', en: 'Police', ar: 'الشرطة والدرك' },
      examples: {
        fr: ['La police ne vient jamais quand on appelle', 'Il faut plus de patrouilles le soir', 'Les gendarmes ont réagi vite et bien'],
        en: ['The police never come when we call', 'We need more patrols at night', 'The officers reacted quickly and well'],
        ar: ['الشرطة لا تأتي أبدا حين نتصل', 'نحتاج إلى دوريات أكثر ليلا', 'الدرك تدخل بسرعة وبشكل جيد'],
      },
      words: {
        fr: 'police policier gendarme gendarmerie commissariat patrouille poste brigade contrôle ronde agent de sécurité',
        en: 'police officer policeman patrol station constable checkpoint guard squad',
        ar: 'شرطة شرطي درك دورية دوريات مخفر مركز الشرطة حاجز تفتيش أمن',
      },
    },
    {
      slug: 'violence-drugs',
      label: { fr: 'Violences et drogues', en: 'Violence and drugs', ar: 'العنف والمخدرات' },
      examples: {
        fr: [
          'Des dealers vendent de la drogue devant chez nous',
          'Les violences faites aux femmes sont cachées',
          'Des bandes se battent à la machette',
        ],
        en: ['Dealers sell drugs in front of our home', 'Violence against women is kept hidden', 'Gangs fight with machetes'],
        ar: ['مروجون يبيعون المخدرات أمام بيتنا', 'العنف ضد النساء مخفي', 'عصابات تتقاتل بالسواطير'],
      },
      words: {
        fr: 'violence drogue trafic dealer alcool bande gang bagarre harcèlement viol terroriste attaque armée conflit',
        en: 'violence drugs trafficking dealer alcohol gang fight harassment rape terrorist armed attack conflict',
        ar: 'عنف مخدرات ترويج تهريب كحول عصابة شجار تحرش اغتصاب إرهاب هجوم مسلح',
      },
    },
    {
      slug: 'emergencies-disasters',
      label: { fr: 'Secours et catastrophes', en: 'Emergency services and disasters', ar: 'الإغاثة والكوارث' },
      examples: {
        fr: [
          'Les pompiers ont mis deux heures à arriver',
          'Un incendie a détruit dix boutiques',
          'Personne ne nous alerte avant les inondations',
        ],
        en: ['The fire brigade took two hours to arrive', 'A fire destroyed ten shops', 'Nobody warns us before the floods'],
        ar: ['رجال الإطفاء تأخروا ساعتين', 'حريق دمر عشرة محلات', 'لا أحد ينذرنا قبل الفيضانات'],
      },
      words: {
        fr: 'pompiers incendie feu secours catastrophe alerte séisme sinistre sauvetage protection civile évacuation victimes',
        en: 'firefighters fire brigade rescue disaster alert earthquake warning civil protection evacuation victims',
        ar: 'إطفاء حريق حرائق إغاثة كارثة إنذار زلزال إنقاذ حماية مدنية إجلاء ضحايا',
      },
    },
  ],
}
