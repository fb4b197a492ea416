import type { DomainSource } from './domain-source.ts'

export const education: DomainSource = {
  id: 'education',
  label: { fr: 'Éducation', en: 'Education', ar: 'التعليم' },
  subDomains: [
    {
      slug: 'schools-buildings',
      label: { fr: 'Écoles et bâtiments scolaires', en: 'Schools and school buildings', ar: 'المدارس والمباني المدرسية' },
      examples: {
        fr: [
          "Le toit de l'école primaire s'est effondré",
          'Les classes sont surchargées, soixante élèves par salle',
          'Il manque des tables-bancs au collège',
        ],
        en: [
          'The roof of the primary school has collapsed',
          'Classrooms are overcrowded, sixty pupils in each',
          'The secondary school lacks desks',
        ],
        ar: ['سقف المدرسة الابتدائية انهار', 'الأقسام مكتظة، ستون تلميذا في كل قسم', 'تنقص الطاولات في الإعدادية'],
      },
      words: {
        fr: 'école collège lycée classe salle de classe cour cantine scolaire élève tableau pupitre primaire maternelle rentrée',
        en: 'school classroom college desk playground canteen pupil blackboard primary secondary kindergarten term',
        ar: 'مدرسة مدارس قسم أقسام ثانوية إعدادية ابتدائية تلميذ تلاميذ سبورة روضة مطعم مدرسي',
      },
    },
    {
      slug: 'teachers',
      label: { fr: 'Enseignants', en: 'Teachers', ar: 'المعلمون' },
      examples: {
        fr: [
          'Les enseignants sont en grève depuis trois semaines',
          "Mon fils n'a pas de professeur de mathématiques",
          'La maîtresse prend soin de chaque enfant',
        ],
        en: [
          'Teachers have been on strike for three weeks',
          'My son has no mathematics teacher',
          'The schoolmistress takes care of every child',
        ],
        ar: ['الأساتذة مضربون منذ ثلاثة أسابيع', 'ابني بدون أستاذ رياضيات', 'المعلمة تهتم بكل طفل'],
      },
      words: {
        fr: 'enseignant professeur prof instituteur maître maîtresse directeur surveillant cours mathématiques leçon devoirs',
        en: 'teacher professor headmaster tutor lesson homework mathematics staff teaching lecturer',
        ar: 'معلم معلمة أستاذ أساتذة مدرس مدير درس دروس رياضيات تدريس واجبات',
      },
    },
    {
      slug: 'university-training',
      label: { fr: 'Université et formation professionnelle', en: 'University and vocational training', ar: 'الجامعة والتكوين المهني' },
      examples: {
        fr: [
          'Les bourses des étudiants arrivent toujours en retard',
          "L'université n'a pas assez d'amphithéâtres",
          'Il faut des centres de formation aux métiers',
        ],
        en: [
          'Student grants always arrive late',
          'The university does not have enough lecture halls',
          'We need vocational training centres',
        ],
        ar: ['منح الطلبة تصل دائما متأخرة', 'الجامعة لا تملك مدرجات كافية', 'نحتاج إلى مراكز للتكوين المهني'],
      },
      words: {
        fr: 'université étudiant bourse amphithéâtre faculté master licence diplôme formation professionnelle apprentissage campus',
        en: 'university student grant scholarship lecture hall faculty degree diploma vocational training apprenticeship campus',
        ar: 'جامعة طالب طلبة طلاب منحة مدرج كلية شهادة دبلوم تكوين مهني تدريب',
      },
    },
    {
      slug: 'access-costs',
      label: { fr: 'Accès et coût de la scolarité', en: 'Access to and cost of schooling', ar: 'الوصول إلى الدراسة وكلفتها' },
      examples: {
        fr: [
          "Les frais d'inscription sont trop élevés pour les familles",
          "Beaucoup de filles abandonnent l'école",
          "Il n'y a pas de manuels ni de fournitures",
        ],
        en: ['Enrolment fees are too high for families', 'Many girls drop out of school', 'There are no textbooks and no school supplies'],
        ar: ['رسوم التسجيل مرتفعة جدا على العائلات', 'كثير من البنات يتركن المدرسة', 'لا توجد كتب مدرسية ولا لوازم'],
      },
      words: {
        fr: 'inscription scolarité manuel livre fournitures cahier alphabétisation abandon examen baccalauréat bac analphabète lecture',
        en: 'enrolment tuition textbook supplies notebook literacy dropout exam examination illiterate reading schooling',
        ar: 'تسجيل كتاب كتب دفتر لوازم محو الأمية امتحان امتحانات بكالوريا انقطاع قراءة دراسة',
      },
    },
  ],
}
