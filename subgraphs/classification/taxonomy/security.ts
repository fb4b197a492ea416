import type { DomainSource } from './domain-source.ts'

export const security: DomainSource = {
  id: 'security',
  label: { fr: 'Sécurité', en: 'Security', ar: 'الأمن' },
  subDomains: [
    {
      slug: 'theft-assault',
      label: { fr: 'Vols et agressions', en: 'Theft and assault', ar: 'السرقة والاعتداء' },
      examples: {
        fr: {
          negative: [
            'Des vols ont lieu chaque nuit dans le quartier',
            'Ma voisine a été agressée près du marché',
            'On m’a arraché mon téléphone en plein jour',
            'Ils ont forcé ma voiture et volé le poste',
          ],
          neutral: ['Les objets trouvés sont gardés au commissariat'],
          positive: ["Mon portefeuille perdu m'a été rendu intact, merci à cet inconnu"],
        },
        en: {
          negative: [
            'There are thefts every night in the neighbourhood',
            'My neighbour was attacked near the market',
            'My phone was snatched in broad daylight',
            'They broke into my car and stole the radio',
          ],
          neutral: ['Lost property is kept at the station'],
          positive: ['A stranger handed in my lost wallet, faith restored'],
        },
        ar: {
          negative: [
            'تحدث سرقات كل ليلة في الحي',
            'جارتي تعرضت لاعتداء قرب السوق',
            'خطفوا هاتفي في وضح النهار',
            'كسروا سيارتي وسرقوا ما فيها',
          ],
          neutral: ['الأشياء الضائعة تحفظ في مركز الشرطة'],
          positive: ['أعاد لي رجل محفظتي الضائعة، شكرا له'],
        },
      },
      words: {
        fr: 'vol voleur cambriolage agression braquage bandit couteau arme insécurité délinquance pickpocket meurtre volé cambriolé agressé arraché sac portable téléphone portefeuille menace racket vandalisme tué assassinat',
        en: 'theft thief burglary assault robbery mugging bandit knife weapon gun insecurity crime murder stolen thieves steal burgled mugged snatched bag phone wallet pickpocket robbed threat vandalism unsafe',
        ar: 'سرقة سارق لص لصوص اعتداء سطو سكين سلاح جريمة انعدام الأمن قتل عصابة سرقوا خطف حقيبة هاتف محفظة نشال تهديد تخريب',
      },
    },
    {
      slug: 'police',
      label: { fr: 'Police et gendarmerie', en: 'Police', ar: 'الشرطة والدرك' },
      examples: {
        fr: {
          negative: [
            'La police ne vient jamais quand on appelle',
            'Il faut plus de patrouilles le soir',
            'Les agents rackettent les motards au barrage',
          ],
          neutral: ['Le poste de police a déménagé avenue de la Paix'],
          positive: ['Les gendarmes ont réagi vite et bien', 'Le brigadier a été courtois et efficace'],
        },
        en: {
          negative: ['The police never come when we call', 'We need more patrols at night', 'Constables harass young men for nothing'],
          neutral: ['The police post has moved to Harbour Road'],
          positive: ['The officers reacted quickly and well', 'The sergeant was polite and solved it fast'],
        },
        ar: {
          negative: ['الشرطة لا تأتي أبدا حين نتصل', 'نحتاج إلى دوريات أكثر ليلا', 'الشرطة تبتز سائقي الدراجات في الحاجز'],
          neutral: ['انتقل مركز الشرطة إلى شارع السلام'],
          positive: ['الدرك تدخل بسرعة وبشكل جيد', 'كان الشرطي مهذبا وسريعا في عمله'],
        },
      },
      words: {
        fr: 'police policier gendarme gendarmerie commissariat patrouille poste brigade contrôle ronde agent de sécurité plainte bavure barrage enquête main courante milice',
        en: 'police officer policeman patrol station constable checkpoint guard squad officers complaint report 999 brutality investigation inspector',
        ar: 'شرطة شرطي درك دورية دوريات مخفر مركز الشرطة حاجز تفتيش أمن كوميسارية شكوى بلاغ تحقيق ضابط',
      },
    },
    {
      slug: 'violence-drugs',
      label: { fr: 'Violences et drogues', en: 'Violence and drugs', ar: 'العنف والمخدرات' },
      examples: {
        fr: {
          negative: [
            'Des dealers vendent de la drogue devant chez nous',
            'Les violences faites aux femmes sont cachées',
            'Des bandes se battent à la machette',
            'On vend du crack en bas de chez nous et on a peur',
          ],
          neutral: ['Un numéro vert existe pour les femmes battues'],
          positive: ['Depuis que les médiateurs sont là, la cité est calme'],
        },
        en: {
          negative: [
            'Dealers sell drugs in front of our home',
            'Violence against women is kept hidden',
            'Gangs fight with machetes',
            'They sell crack under our windows and we are scared',
          ],
          neutral: ['There is a helpline for battered women'],
          positive: ['Since the street workers came the estate is calm'],
        },
        ar: {
          negative: [
            'مروجون يبيعون المخدرات أمام بيتنا',
            'العنف ضد النساء مخفي',
            'عصابات تتقاتل بالسواطير',
            'يبيعون الحشيش تحت نوافذنا ونحن خائفون',
          ],
          neutral: ['يوجد رقم أخضر للنساء المعنفات'],
          positive: ['منذ قدوم الوسطاء صار الحي هادئا'],
        },
      },
      words: {
        fr: 'violence drogue trafic dealer alcool bande gang bagarre harcèlement viol terroriste attaque armée conflit deal cannabis crack ivrogne conjugale battue machette coups couteau rixe',
        en: 'violence drugs trafficking dealer alcohol gang fight harassment rape terrorist armed attack conflict drug dealing cannabis crack drunk gangs domestic abuse beating stabbing machete brawl',
        ar: 'عنف مخدرات ترويج تهريب كحول عصابة شجار تحرش اغتصاب إرهاب هجوم مسلح حشيش حبوب مهلوسة مروج سكارى عصابات زوجي ضرب طعن',
      },
    },
    {
      slug: 'emergencies-disasters',
      label: { fr: 'Secours et catastrophes', en: 'Emergency services and disasters', ar: 'الإغاثة والكوارث' },
      examples: {
        fr: {
          negative: [
            'Les pompiers ont mis deux heures à arriver',
            'Un incendie a détruit dix boutiques',
            'Personne ne nous alerte avant les inondations',
            'La digue a cédé et personne ne nous a prévenus',
          ],
          neutral: ["L'exercice d'évacuation aura lieu à 10 heures"],
          positive: ['Les secouristes ont été héroïques pendant le séisme'],
        },
        en: {
          negative: [
            'The fire brigade took two hours to arrive',
            'A fire destroyed ten shops',
            'Nobody warns us before the floods',
            'The dyke burst and nobody warned us',
          ],
          neutral: ['The siren is tested every first Wednesday'],
          positive: ['Rescuers were heroic during the earthquake'],
        },
        ar: {
          negative: [
            'رجال الإطفاء تأخروا ساعتين',
            'حريق دمر عشرة محلات',
            'لا أحد ينذرنا قبل الفيضانات',
            'انهار السد الترابي ولم يحذرنا أحد',
          ],
          neutral: ['تمرين الإخلاء على الساعة العاشرة'],
          positive: ['كان المسعفون أبطالا أثناء الزلزال'],
        },
      },
      words: {
        fr: 'pompiers incendie feu secours catastrophe alerte séisme sinistre sauvetage protection civile évacuation victimes inondation crue glissement tempête cyclone sirène sinistrés noyade',
        en: 'firefighters fire brigade rescue disaster alert earthquake warning civil protection evacuation victims flood floods flooding landslide storm cyclone siren drowning lifeguard emergency',
        ar: 'إطفاء حريق حرائق إغاثة كارثة إنذار زلزال إنقاذ حماية مدنية إجلاء ضحايا نار فيضان سيول انزلاق عاصفة إعصار منكوبين غرق وقاية نجدة',
      },
    },
  ],
}
