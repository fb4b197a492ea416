import type { DomainSource } from './domain-source.ts'

export const education: DomainSource = {
  id: 'education',
  label: { fr: 'Éducation', en: 'Education', ar: 'التعليم' },
  subDomains: [
    {
      slug: 'schools-buildings',
      label: { fr: 'Écoles et bâtiments scolaires', en: 'Schools and school buildings', ar: 'المدارس والمباني المدرسية' },
      examples: {
        fr: {
          negative: [
            "Le toit de l'école primaire s'est effondré",
            'Les classes sont surchargées, soixante élèves par salle',
            'Il manque des tables-bancs au collège',
            "Les vitres de l'école sont brisées et les élèves grelottent",
          ],
          neutral: ["L'école maternelle rouvrira après les vacances de Pâques"],
          positive: ['La nouvelle cour de récréation est superbe, les enfants sont ravis'],
        },
        en: {
          negative: [
            'The roof of the primary school has collapsed',
            'Classrooms are overcrowded, sixty pupils in each',
            'The secondary school lacks desks',
            'Pupils sit on the floor because there are no chairs',
          ],
          neutral: ['The school will be closed on Monday for staff training'],
          positive: ['The new science lab is fantastic, thank you'],
        },
        ar: {
          negative: [
            'سقف المدرسة الابتدائية انهار',
            'الأقسام مكتظة، ستون تلميذا في كل قسم',
            'تنقص الطاولات في الإعدادية',
            'النوافذ مكسورة والتلاميذ يرتجفون من البرد',
          ],
          neutral: ['تغلق المدرسة يوم الاثنين بمناسبة العيد'],
          positive: ['الساحة الجديدة للمدرسة رائعة والأطفال مسرورون'],
        },
      },
      words: {
        fr: 'école collège lycée classe salle de classe cour cantine scolaire élève tableau pupitre primaire maternelle rentrée écolier écolière chaise internat récréation préau crèche effectif surchargé cartable',
        en: 'school classroom college desk playground canteen pupil blackboard primary secondary kindergarten term schools nursery desks chairs pupils schoolchildren overcrowded lesson lessons boarding crèche',
        ar: 'مدرسة مدارس قسم أقسام ثانوية إعدادية ابتدائية تلميذ تلاميذ سبورة روضة مطعم مدرسي حضانة مقاعد طاولات اكتظاظ ساحة المدرسة داخلية دروس',
      },
    },
    {
      slug: 'teachers',
      label: { fr: 'Enseignants', en: 'Teachers', ar: 'المعلمون' },
      examples: {
        fr: {
          negative: [
            'Les enseignants sont en grève depuis trois semaines',
            "Mon fils n'a pas de professeur de mathématiques",
            "L'instituteur frappe les élèves et le directeur ne dit rien",
          ],
          neutral: ['La réunion parents-professeurs est fixée au 12'],
          positive: ['La maîtresse prend soin de chaque enfant', "Notre directrice est dévouée et toujours à l'écoute"],
        },
        en: {
          negative: [
            'Teachers have been on strike for three weeks',
            'My son has no mathematics teacher',
            'The headteacher ignores bullying and my boy cries every morning',
          ],
          neutral: ["Parents' evening is on the second Thursday"],
          positive: ['The schoolmistress takes care of every child', 'Her maths teacher stays after class to help, we are so grateful'],
        },
        ar: {
          negative: ['الأساتذة مضربون منذ ثلاثة أسابيع', 'ابني بدون أستاذ رياضيات', 'المعلم يضرب التلاميذ والمدير ساكت'],
          neutral: ['اجتماع أولياء التلاميذ يوم الثلاثاء القادم'],
          positive: ['المعلمة تهتم بكل طفل', 'مديرة المدرسة متفانية ونحن ممتنون لها'],
        },
      },
      words: {
        fr: 'enseignant professeur prof instituteur maître maîtresse directeur surveillant cours mathématiques leçon devoirs profs instit proviseur remplaçant pédagogie maths français anglais histoire enseignement',
        en: 'teacher professor headmaster tutor lesson homework mathematics staff teaching lecturer teachers headteacher principal maths english substitute marking class',
        ar: 'معلم معلمة أستاذ أساتذة مدرس مدير درس دروس رياضيات تدريس واجبات مدرسين المدرسة حصة فرنسية شرح إضراب المعلمين',
      },
    },
    {
      slug: 'university-training',
      label: { fr: 'Université et formation professionnelle', en: 'University and vocational training', ar: 'الجامعة والتكوين المهني' },
      examples: {
        fr: {
          negative: [
            'Les bourses des étudiants arrivent toujours en retard',
            "L'université n'a pas assez d'amphithéâtres",
            'Il faut des centres de formation aux métiers',
            "Les résultats des examens sont bloqués depuis des mois à l'université",
          ],
          neutral: ['La formation de soudeur dure neuf mois'],
          positive: ["La formation en couture m'a donné un métier, je suis fière"],
        },
        en: {
          negative: [
            'Student grants always arrive late',
            'The university does not have enough lecture halls',
            'We need vocational training centres',
            'Lecturers strike every term and we never graduate',
          ],
          neutral: ['The welding course lasts nine months'],
          positive: ['The apprenticeship scheme changed my life'],
        },
        ar: {
          negative: [
            'منح الطلبة تصل دائما متأخرة',
            'الجامعة لا تملك مدرجات كافية',
            'نحتاج إلى مراكز للتكوين المهني',
            'نتائج الامتحانات متأخرة في الجامعة والطلاب ضائعون',
          ],
          neutral: ['مدة تكوين الخياطة تسعة أشهر'],
          positive: ['التكوين المهني منحني حرفة وأنا فخور'],
        },
      },
      words: {
        fr: 'université étudiant bourse amphithéâtre faculté master licence diplôme formation professionnelle apprentissage campus fac étudiante étudier doctorat amphi apprenti stage concours inscription universitaire cité alphabétisation lycée technique bac baccalauréat examen',
        en: 'university student grant scholarship lecture hall faculty degree diploma vocational training apprenticeship campus college students bachelor master loan apprentice exam exams graduation admission literacy undergraduates',
        ar: 'جامعة طالب طلبة طلاب منحة مدرج كلية شهادة دبلوم تكوين مهني تدريب إجازة ماستر دكتوراه حي جامعي باكالوريا امتحان امتحانات محو الأمية معهد',
      },
    },
    {
      slug: 'access-costs',
      label: { fr: 'Accès et coût de la scolarité', en: 'Access to and cost of schooling', ar: 'الوصول إلى الدراسة وكلفتها' },
      examples: {
        fr: {
          negative: [
            "Les frais d'inscription sont trop élevés pour les familles",
            "Beaucoup de filles abandonnent l'école",
            "Il n'y a pas de manuels ni de fournitures",
            "Sans les cahiers et l'uniforme mon fils est mis à la porte",
          ],
          neutral: ['Les fournitures scolaires seront distribuées vendredi'],
          positive: ['La cantine gratuite est une bénédiction pour nos enfants'],
        },
        en: {
          negative: [
            'Enrolment fees are too high for families',
            'Many girls drop out of school',
            'There are no textbooks and no school supplies',
            'Girls drop out when they marry at fifteen',
          ],
          neutral: ['School buses pick up pupils at the crossroads'],
          positive: ['Free school meals have been a blessing for us'],
        },
        ar: {
          negative: [
            'رسوم التسجيل مرتفعة جدا على العائلات',
            'كثير من البنات يتركن المدرسة',
            'لا توجد كتب مدرسية ولا لوازم',
            'طردوا ابني من المدرسة لأنه بلا كتب ولا مئزر',
          ],
          neutral: ['توزع اللوازم المدرسية يوم الجمعة'],
          positive: ['المطعم المدرسي المجاني نعمة لأولادنا'],
        },
      },
      words: {
        fr: 'inscription scolarité manuel livre fournitures cahier alphabétisation abandon examen baccalauréat bac analphabète lecture frais rentrée fourniture uniforme cantine ramassage scolaire déscolarisé décrochage école privée bourse handicap inclusion',
        en: 'enrolment tuition textbook supplies notebook literacy dropout exam examination illiterate reading schooling fees uniform exercise books dropouts enrol private meals inclusion',
        ar: 'تسجيل كتاب كتب دفتر لوازم محو الأمية امتحان امتحانات بكالوريا انقطاع قراءة دراسة رسوم مصاريف الدراسة دفاتر كراس مدرسية مئزر تسرب عن مدرسة خاصة نقل مدرسي منحة إدماج',
      },
    },
  ],
}
