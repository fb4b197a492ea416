import type { DomainSource } from './domain-source.ts'

export const health: DomainSource = {
  id: 'health',
  label: { fr: 'Santé', en: 'Health', ar: 'الصحة' },
  subDomains: [
    {
      slug: 'hospitals-clinics',
      label: { fr: 'Hôpitaux et centres de santé', en: 'Hospitals and clinics', ar: 'المستشفيات والمراكز الصحية' },
      examples: {
        fr: [
          "L'hôpital régional manque de lits et de matériel",
          'Le centre de santé ferme trop tôt',
          'On attend six heures aux urgences avant de voir quelqu’un',
        ],
        en: [
          'The regional hospital is short of beds and equipment',
          'The health centre closes too early',
          'You wait six hours in the emergency room before anyone sees you',
        ],
        ar: ['المستشفى الجهوي ينقصه الأسرة والتجهيزات', 'المركز الصحي يغلق باكرا جدا', 'ننتظر ست ساعات في قسم الطوارئ قبل أن يفحصنا أحد'],
      },
      words: {
        fr: 'hôpital clinique dispensaire urgences ambulance lit bloc opératoire scanner radiologie soins patient consultation',
        en: 'hospital clinic dispensary emergency ambulance bed ward surgery scanner radiology care patient appointment consultation',
        ar: 'مستشفى عيادة مستوصف طوارئ إسعاف سرير جراحة أشعة علاج مريض مرضى استشارة مستشفيات',
      },
    },
    {
      slug: 'medical-staff',
      label: { fr: 'Personnel soignant', en: 'Medical staff', ar: 'الطاقم الطبي' },
      examples: {
        fr: [
          "Il n'y a plus de médecin dans notre commune",
          'Les infirmières sont épuisées et mal payées',
          'Le docteur a été à l’écoute et très compétent',
        ],
        en: [
          'There is no doctor left in our town',
          'Nurses are exhausted and badly paid',
          'The doctor listened carefully and knew her job',
        ],
        ar: ['لم يعد هناك طبيب في بلدتنا', 'الممرضات مرهقات وأجورهن ضعيفة', 'الطبيبة استمعت إلينا وكانت كفؤة جدا'],
      },
      words: {
        fr: 'médecin docteur infirmier infirmière sage-femme chirurgien dentiste pédiatre gynécologue soignant généraliste spécialiste',
        en: 'doctor nurse midwife surgeon dentist paediatrician gynaecologist physician specialist caregiver medical staff',
        ar: 'طبيب ممرض ممرضة قابلة جراح أسنان أطباء طبيبة اختصاصي تمريض دكتور',
      },
    },
    {
      slug: 'medicines-costs',
      label: { fr: 'Médicaments et coût des soins', en: 'Medicines and cost of care', ar: 'الأدوية وكلفة العلاج' },
      examples: {
        fr: [
          'Les médicaments sont introuvables à la pharmacie',
          'Une consultation coûte trop cher sans assurance maladie',
          "L'insuline est en rupture depuis deux mois",
        ],
        en: [
          'Medicines cannot be found at the pharmacy',
          'A consultation costs too much without health insurance',
          'Insulin has been out of stock for two months',
        ],
        ar: ['الأدوية غير متوفرة في الصيدلية', 'الفحص مكلف جدا بدون تأمين صحي', 'الأنسولين مفقود منذ شهرين'],
      },
      words: {
        fr: 'médicament pharmacie ordonnance assurance maladie mutuelle remboursement insuline antibiotique traitement générique',
        en: 'medicine drug pharmacy prescription health insurance reimbursement insulin antibiotic treatment pills',
        ar: 'دواء أدوية صيدلية وصفة تأمين صحي تعويض أنسولين مضاد حيوي علاج',
      },
    },
    {
      slug: 'prevention-maternal',
      label: { fr: 'Prévention, mères et enfants', en: 'Prevention, mothers and children', ar: 'الوقاية وصحة الأم والطفل' },
      examples: {
        fr: [
          'Nous demandons une campagne de vaccination contre la rougeole',
          'La maternité du village n’a pas d’eau chaude pour les accouchements',
          'Le paludisme tue encore des enfants chez nous',
        ],
        en: [
          'We ask for a vaccination campaign against measles',
          'The village maternity ward has no hot water for deliveries',
          'Malaria still kills children here',
        ],
        ar: ['نطالب بحملة تلقيح ضد الحصبة', 'قسم الولادة في القرية بلا ماء ساخن', 'الملاريا ما زالت تقتل الأطفال عندنا'],
      },
      words: {
        fr: 'vaccin vaccination maternité accouchement grossesse enceinte paludisme épidémie choléra moustiquaire dépistage malnutrition santé mentale',
        en: 'vaccine vaccination maternity childbirth pregnancy pregnant malaria epidemic cholera mosquito net screening malnutrition mental health',
        ar: 'لقاح تلقيح تطعيم ولادة حمل حامل ملاريا وباء كوليرا ناموسية سوء التغذية الصحة النفسية مرض أمراض',
      },
    },
  ],
}
