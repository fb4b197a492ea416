import type { DomainSource } from './domain-source.ts'

export const cultureSportYouth: DomainSource = {
  id: 'culture-sport-youth',
  label: { fr: 'Culture, sport et jeunesse', en: 'Culture, sport and youth', ar: 'الثقافة والرياضة والشباب' },
  subDomains: [
    {
      slug: 'sport',
      label: { fr: 'Sport', en: 'Sport', ar: 'الرياضة' },
      examples: {
        fr: [
          'Le terrain de football est un champ de boue',
          'Nous voulons une salle de sport pour les filles',
          'Le tournoi de lutte a réuni tout le monde',
        ],
        en: ['The football pitch is a field of mud', 'We want a gym for girls', 'The wrestling tournament brought everyone together'],
        ar: ['ملعب كرة القدم عبارة عن وحل', 'نريد قاعة رياضة للفتيات', 'بطولة المصارعة جمعت الجميع'],
      },
      words: {
        fr: 'sport stade terrain football basket équipe club match tournoi lutte piscine entraîneur gymnase athlétisme joueur',
        en: 'sport stadium pitch football basketball team club match tournament wrestling swimming pool coach gym athletics player',
        ar: 'رياضة ملعب كرة القدم كرة السلة فريق نادي مباراة بطولة مسبح مدرب لاعب ألعاب',
      },
    },
    {
      slug: 'culture-heritage',
      label: { fr: 'Culture et patrimoine', en: 'Culture and heritage', ar: 'الثقافة والتراث' },
      examples: {
        fr: [
          'Le musée reste fermé faute de gardien',
          'Le festival de musique a été magnifique',
          'Notre vieille mosquée historique tombe en ruine',
        ],
        en: [
          'The museum stays closed for want of a guard',
          'The music festival was wonderful',
          'Our historic old quarter is falling into ruin',
        ],
        ar: ['المتحف مغلق لعدم وجود حارس', 'مهرجان الموسيقى كان رائعا', 'معلمتنا التاريخية القديمة تتهاوى'],
      },
      words: {
        fr: 'culture musée festival musique patrimoine théâtre cinéma concert artiste monument langue tradition danse exposition spectacle',
        en: 'culture museum festival music heritage theatre cinema concert artist monument language tradition dance exhibition show',
        ar: 'ثقافة متحف مهرجان موسيقى تراث مسرح سينما حفل فنان معلمة لغة تقاليد رقص معرض',
      },
    },
    {
      slug: 'libraries-leisure',
      label: { fr: 'Bibliothèques et loisirs', en: 'Libraries and leisure', ar: 'المكتبات والترفيه' },
      examples: {
        fr: [
          'La bibliothèque n’a pas un livre récent',
          'Il manque une aire de jeux pour les petits',
          'La maison de la culture est fermée le week-end',
        ],
        en: [
          'The library does not hold one recent book',
          'A playground for small children is missing',
          'The cultural centre is closed at weekends',
        ],
        ar: ['المكتبة العمومية بلا كتب حديثة', 'ينقصنا فضاء ألعاب للصغار', 'دار الثقافة مغلقة في نهاية الأسبوع'],
      },
      words: {
        fr: 'bibliothèque médiathèque loisirs aire de jeux parc balançoire vacances colonie jeu animation fête lecture publique',
        en: 'library media leisure playground park swing holidays summer camp games entertainment party',
        ar: 'مكتبة ترفيه فضاء ألعاب منتزه أرجوحة عطلة مخيم صيفي حفلة تنشيط',
      },
    },
    {
      slug: 'youth',
      label: { fr: 'Jeunesse et associations', en: 'Youth and associations', ar: 'الشباب والجمعيات' },
      examples: {
        fr: [
          'Les jeunes n’ont aucun lieu pour se réunir',
          'L’association de quartier ne reçoit aucune aide',
          'Le conseil des jeunes a enfin été créé',
        ],
        en: [
          'Young people have no place to meet',
          'The neighbourhood association gets no support',
          'The youth council has been created at last',
        ],
        ar: ['الشباب ليس لهم مكان للقاء', 'جمعية الحي لا تتلقى أي دعم', 'أخيرا تم إنشاء مجلس الشباب'],
      },
      words: {
        fr: 'jeunes jeunesse adolescents maison des jeunes association bénévole scouts animation socioculturel activités',
        en: 'youth young people teenagers youth centre association volunteer scouts activities social',
        ar: 'شباب الشباب مراهقين دار الشباب جمعية جمعيات متطوع كشافة أنشطة شبيبة',
      },
    },
  ],
}
