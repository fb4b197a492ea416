import type { DomainSource } from './domain-source.ts'

export const cultureSportYouth: DomainSource = {
  id: 'culture-sport-youth',
  label: { fr: 'Culture, sport et jeunesse', en: 'Culture, sport and youth', ar: 'الثقافة والرياضة والشباب' },
  subDomains: [
    {
      slug: 'sport',
      label: { fr: 'Sport', en: 'Sport', ar: 'الرياضة' },
      examples: {
        fr: {
          negative: [
            'Le terrain de football est un champ de boue',
            'Nous voulons une salle de sport pour les filles',
            'Les vestiaires du gymnase sont dans un état répugnant',
          ],
          neutral: ['Le match de handball est reporté au samedi'],
          positive: ['Le tournoi de lutte a réuni tout le monde', 'La piscine rénovée est un vrai bonheur'],
        },
        en: {
          negative: ['The football pitch is a field of mud', 'We want a gym for girls', 'The changing rooms at the gym are disgusting'],
          neutral: ['The handball match is moved to Saturday'],
          positive: ['The wrestling tournament brought everyone together', 'The refurbished pool is a joy'],
        },
        ar: {
          negative: ['ملعب كرة القدم عبارة عن وحل', 'نريد قاعة رياضة للفتيات', 'غرف الملابس في القاعة الرياضية مقرفة'],
          neutral: ['تأجلت مباراة كرة اليد إلى السبت'],
          positive: ['بطولة المصارعة جمعت الجميع', 'المسبح المجدد متعة حقيقية'],
        },
      },
      words: {
        fr: 'sport stade terrain football basket équipe club match tournoi lutte piscine entraîneur gymnase athlétisme joueur foot natation vestiaire boxe vélo course jouer ballon',
        en: 'sport stadium pitch football basketball team club match tournament wrestling swimming pool coach gym athletics player sports soccer changing boxing running play ball lads',
        ar: 'رياضة ملعب كرة القدم كرة السلة فريق نادي مباراة بطولة مسبح مدرب لاعب ألعاب قدم سلة قاعة رياضية سباحة كأس لاعبين دوري',
      },
    },
    {
      slug: 'culture-heritage',
      label: { fr: 'Culture et patrimoine', en: 'Culture and heritage', ar: 'الثقافة والتراث' },
      examples: {
        fr: {
          negative: [
            'Le musée reste fermé faute de gardien',
            'Notre vieille mosquée historique tombe en ruine',
            'On a laissé voler les masques du musée',
          ],
          neutral: ["L'exposition photo est visible jusqu'au 30"],
          positive: ['Le festival de musique a été magnifique', 'Le concert au théâtre était inoubliable'],
        },
        en: {
          negative: [
            'The museum stays closed for want of a guard',
            'Our historic old quarter is falling into ruin',
            'Masks were stolen from the museum and nobody acted',
          ],
          neutral: ['The photo exhibition runs until the thirtieth'],
          positive: ['The music festival was wonderful', 'The concert at the theatre was unforgettable'],
        },
        ar: {
          negative: ['المتحف مغلق لعدم وجود حارس', 'معلمتنا التاريخية القديمة تتهاوى', 'سرقت تحف المتحف ولم يتحرك أحد'],
          neutral: ['معرض الصور مستمر حتى آخر الشهر'],
          positive: ['مهرجان الموسيقى كان رائعا', 'كانت الأمسية الموسيقية لا تنسى'],
        },
      },
      words: {
        fr: 'culture musée festival musique patrimoine théâtre cinéma concert artiste monument langue tradition danse exposition spectacle fort ruine historique peinture archéologie',
        en: 'culture museum festival music heritage theatre cinema concert artist monument language tradition dance exhibition show fort ruin historic painting archaeology',
        ar: 'ثقافة متحف مهرجان موسيقى تراث مسرح سينما حفل فنان معلمة لغة تقاليد رقص معرض قصبة أثر أثرية أطلال تاريخي عرض',
      },
    },
    {
      slug: 'libraries-leisure',
      label: { fr: 'Bibliothèques et loisirs', en: 'Libraries and leisure', ar: 'المكتبات والترفيه' },
      examples: {
        fr: {
          negative: [
            'La bibliothèque n’a pas un livre récent',
            'Il manque une aire de jeux pour les petits',
            'La maison de la culture est fermée le week-end',
            'Les balançoires du parc sont cassées et coupantes',
          ],
          neutral: ['Le cinéma projette un film pour enfants dimanche'],
          positive: ['La ludothèque est un endroit génial pour les petits'],
        },
        en: {
          negative: [
            'The library does not hold one recent book',
            'A playground for small children is missing',
            'The cultural centre is closed at weekends',
            'The swings are broken and sharp',
          ],
          neutral: ["The cinema shows a children's film on Sunday"],
          positive: ['The toy library is a great place for little ones'],
        },
        ar: {
          negative: [
            'المكتبة العمومية بلا كتب حديثة',
            'ينقصنا فضاء ألعاب للصغار',
            'دار الثقافة مغلقة في نهاية الأسبوع',
            'أراجيح الحديقة مكسورة وخطرة على الأطفال',
          ],
          neutral: ['تعرض السينما فيلما للأطفال يوم الأحد'],
          positive: ['فضاء الألعاب مكان رائع للصغار'],
        },
      },
      words: {
        fr: "bibliothèque médiathèque loisirs aire de jeux parc balançoire vacances colonie jeu animation fête lecture publique livre prêt toboggan loisir cinéma d'attractions conte club atelier jouets ludothèque",
        en: 'library media leisure playground park swing holidays summer camp games entertainment party libraries book books reading borrow play area slide cinema story club toys holiday hobby',
        ar: 'مكتبة ترفيه فضاء ألعاب منتزه أرجوحة عطلة مخيم صيفي حفلة تنشيط كتاب كتب قراءة استعارة لعب حكايات قصة نادي ورشة دمى',
      },
    },
    {
      slug: 'youth',
      label: { fr: 'Jeunesse et associations', en: 'Youth and associations', ar: 'الشباب والجمعيات' },
      examples: {
        fr: {
          negative: [
            'Les jeunes n’ont aucun lieu pour se réunir',
            'L’association de quartier ne reçoit aucune aide',
            'On a coupé la subvention de notre association de jeunes',
          ],
          neutral: ['Les inscriptions au camp de vacances sont ouvertes'],
          positive: ['Le conseil des jeunes a enfin été créé', "L'animateur du centre a rendu confiance à mon fils, merci"],
        },
        en: {
          negative: [
            'Young people have no place to meet',
            'The neighbourhood association gets no support',
            'They cut the grant of our youth association',
          ],
          neutral: ['Sign-up for the summer camp is open'],
          positive: ['The youth council has been created at last', 'The youth worker gave my son his confidence back, thank you'],
        },
        ar: {
          negative: ['الشباب ليس لهم مكان للقاء', 'جمعية الحي لا تتلقى أي دعم', 'أوقفوا دعم جمعية الشباب'],
          neutral: ['التسجيل في المخيم الصيفي مفتوح'],
          positive: ['أخيرا تم إنشاء مجلس الشباب', 'منشط المركز أعاد الثقة لابني، شكرا'],
        },
      },
      words: {
        fr: 'jeunes jeunesse adolescents maison des jeunes association bénévole scouts animation socioculturel activités jeune ado adolescent centre de animateur colonie camp scout subvention loisirs ennui traîner concours',
        en: 'youth young people teenagers youth centre association volunteer scouts activities social teenager teens club worker camp grant bored hang around nothing to do contest',
        ar: 'شباب الشباب مراهقين دار الشباب جمعية جمعيات متطوع كشافة أنشطة شبيبة شاب مراهق نادي منشط مخيم دعم ملل فراغ مقاهي مسابقة رحلة',
      },
    },
  ],
}
