import type { DomainSource } from './domain-source.ts'

export const health: DomainSource = {
  id: 'health',
  label: { fr: 'Santé', en: 'Health', ar: 'الصحة' },
  subDomains: [
    {
      slug: 'hospitals-clinics',
      label: { fr: 'Hôpitaux et centres de santé', en: 'Hospitals and clinics', ar: 'المستشفيات والمراكز الصحية' },
      examples: {
        fr: {
          negative: [
            "L'hôpital régional manque de lits et de matériel",
            'Le centre de santé ferme trop tôt',
            'On attend six heures aux urgences avant de voir quelqu’un',
            "On a renvoyé ma grand-mère sans même l'examiner, faute de place",
          ],
          neutral: ['Les horaires de la clinique changent à partir de mardi'],
          positive: ['Très bonne prise en charge aux urgences pédiatriques, tout le personnel était aux petits soins'],
        },
        en: {
          negative: [
            'The regional hospital is short of beds and equipment',
            'The health centre closes too early',
            'You wait six hours in the emergency room before anyone sees you',
            'The ward was filthy and my uncle lay in pain all night',
          ],
          neutral: ['Visiting hours at the county hospital are from two to four'],
          positive: ["Excellent care in the casualty department, they saved my brother's leg"],
        },
        ar: {
          negative: [
            'المستشفى الجهوي ينقصه الأسرة والتجهيزات',
            'المركز الصحي يغلق باكرا جدا',
            'ننتظر ست ساعات في قسم الطوارئ قبل أن يفحصنا أحد',
            'رفضوا استقبال جدتي في المستشفى لعدم وجود سرير',
          ],
          neutral: ['تفتح العيادة أبوابها من الثامنة إلى الثانية'],
          positive: ['عناية ممتازة في قسم الإنعاش، جزاهم الله خيرا'],
        },
      },
      words: {
        fr: 'hôpital clinique dispensaire urgences ambulance lit bloc opératoire scanner radiologie soins patient consultation hospitalisé hospitalisation CHU maternité réanimation brancard couloir chambre opération opéré plâtre fracture blessure blessé sang perfusion IRM échographie radio samu secours médical garde malade',
        en: "hospital clinic dispensary emergency ambulance bed ward surgery scanner radiology care patient appointment consultation A&E casualty hospitalised theatre operation operated stretcher trolley corridor injury injured fracture plaster blood drip MRI ultrasound x-ray paramedic inpatient outpatient GP sick ill doctor's nurse's",
        ar: 'مستشفى عيادة مستوصف طوارئ إسعاف سرير جراحة أشعة علاج مريض مرضى استشارة مستشفيات مستعجلات إنعاش عملية جراحية كسر جرح جريح دم سكانير تصوير مصحة إسعافات مرقد غرفة العمليات فحص كشف',
      },
    },
    {
      slug: 'medical-staff',
      label: { fr: 'Personnel soignant', en: 'Medical staff', ar: 'الطاقم الطبي' },
      examples: {
        fr: {
          negative: [
            "Il n'y a plus de médecin dans notre commune",
            'Les infirmières sont épuisées et mal payées',
            "L'infirmier a été méprisant et nous a crié dessus",
          ],
          neutral: ['Le dentiste consulte le mercredi et le samedi'],
          positive: ['Le docteur a été à l’écoute et très compétent', "Un grand merci au chirurgien qui m'a opéré, quel professionnalisme"],
        },
        en: {
          negative: [
            'There is no doctor left in our town',
            'Nurses are exhausted and badly paid',
            'The physician would not even look at me, so rude',
          ],
          neutral: ['A new paediatrician joins the practice next month'],
          positive: ['The doctor listened carefully and knew her job', 'Our midwife was wonderful and explained every step'],
        },
        ar: {
          negative: ['لم يعد هناك طبيب في بلدتنا', 'الممرضات مرهقات وأجورهن ضعيفة', 'الطبيب لم ينظر إلي حتى وكان فظا جدا'],
          neutral: ['يبدأ طبيب الأسنان عمله يوم الاثنين'],
          positive: ['الطبيبة استمعت إلينا وكانت كفؤة جدا', 'طبيبة الأطفال رائعة وتعامل الصغار بلطف'],
        },
      },
      words: {
        fr: 'médecin docteur infirmier infirmière sage-femme chirurgien dentiste pédiatre gynécologue soignant généraliste spécialiste toubib kiné psychologue ophtalmologue gynéco cardiologue aide-soignante interne remplaçant désert médical cabinet rendez-vous',
        en: "doctor nurse midwife surgeon dentist paediatrician gynaecologist physician specialist caregiver medical staff GP physio psychologist optician cardiologist carer locum practice consultant matron health worker dentist's",
        ar: 'طبيب ممرض ممرضة قابلة جراح أسنان أطباء طبيبة اختصاصي تمريض دكتور أخصائي أمراض نساء قلب عيون ممرضين الطاقم الصحي معالج نفسي',
      },
    },
    {
      slug: 'medicines-costs',
      label: { fr: 'Médicaments et coût des soins', en: 'Medicines and cost of care', ar: 'الأدوية وكلفة العلاج' },
      examples: {
        fr: {
          negative: [
            'Les médicaments sont introuvables à la pharmacie',
            'Une consultation coûte trop cher sans assurance maladie',
            "L'insuline est en rupture depuis deux mois",
            'Les analyses de sang coûtent la moitié de ma paie',
          ],
          neutral: ['La pharmacie de garde se trouve rue du Commerce'],
          positive: ['La nouvelle mutuelle rembourse tout, quel soulagement'],
        },
        en: {
          negative: [
            'Medicines cannot be found at the pharmacy',
            'A consultation costs too much without health insurance',
            'Insulin has been out of stock for two months',
            'Blood tests cost half of what I earn',
          ],
          neutral: ['The on-call pharmacist is open on Sunday morning'],
          positive: ['Thanks to the health insurance card my treatment was free'],
        },
        ar: {
          negative: [
            'الأدوية غير متوفرة في الصيدلية',
            'الفحص مكلف جدا بدون تأمين صحي',
            'الأنسولين مفقود منذ شهرين',
            'التحاليل والأشعة تكلف نصف راتبي',
          ],
          neutral: ['الصيدلية المناوبة هذا الأسبوع في شارع الاستقلال'],
          positive: ['بفضل التأمين الصحي كان علاجي مجانيا والحمد لله'],
        },
      },
      words: {
        fr: 'médicament pharmacie ordonnance assurance maladie mutuelle remboursement insuline antibiotique traitement générique paracétamol comprimé sirop piqûre inhalateur ventoline vaccin pilule dose soigner soins guérir analyse sang prise en charge tiers payant diabète hypertension cancer dialyse sida tuberculose',
        en: 'medicine drug pharmacy prescription health insurance reimbursement insulin antibiotic treatment pills paracetamol tablet tablets syrup injection inhaler inhalers dose doses chemist pharmacist pharmacies cure heal diabetes hypertension cancer dialysis HIV tuberculosis medication',
        ar: 'دواء أدوية صيدلية وصفة تأمين صحي تعويض أنسولين مضاد حيوي علاج باراسيتامول أقراص حبوب شراب حقنة حقن جرعة صيدلي سكري ضغط سرطان غسيل الكلى سل تكاليف العلاج تحاليل',
      },
    },
    {
      slug: 'prevention-maternal',
      label: { fr: 'Prévention, mères et enfants', en: 'Prevention, mothers and children', ar: 'الوقاية وصحة الأم والطفل' },
      examples: {
        fr: {
          negative: [
            'Nous demandons une campagne de vaccination contre la rougeole',
            'La maternité du village n’a pas d’eau chaude pour les accouchements',
            'Le paludisme tue encore des enfants chez nous',
            "Deux bébés sont morts à la naissance parce qu'il n'y avait pas d'oxygène",
          ],
          neutral: ['Le dépistage du diabète aura lieu au marché samedi'],
          positive: ["Les consultations pour femmes enceintes sont gratuites, c'est formidable"],
        },
        en: {
          negative: [
            'We ask for a vaccination campaign against measles',
            'The village maternity ward has no hot water for deliveries',
            'Malaria still kills children here',
            'Dengue is spreading and nobody sprays the ponds',
          ],
          neutral: ['Antenatal classes are held on the first Friday of the month'],
          positive: ['The screening van came to our street, what a great service'],
        },
        ar: {
          negative: [
            'نطالب بحملة تلقيح ضد الحصبة',
            'قسم الولادة في القرية بلا ماء ساخن',
            'الملاريا ما زالت تقتل الأطفال عندنا',
            'انتشرت الحمى والبعوض ولا أحد يرش المستنقعات',
          ],
          neutral: ['فحص السكري المجاني يوم الجمعة أمام المسجد'],
          positive: ['متابعة الحوامل في المركز أصبحت ممتازة'],
        },
      },
      words: {
        fr: 'vaccin vaccination maternité accouchement grossesse enceinte paludisme épidémie choléra moustiquaire dépistage malnutrition santé mentale bébé nouveau-né accoucher sage-femme allaitement pédiatrie fièvre palu moustique dengue rougeole polio covid grippe hygiène contagion diarrhée dépression suicide tabac drogue cure nutrition',
        en: 'vaccine vaccination maternity childbirth pregnancy pregnant malaria epidemic cholera mosquito net screening malnutrition mental health baby babies newborn birth labour breastfeeding fever mosquitoes dengue measles polio covid flu hygiene outbreak diarrhoea depression suicide tobacco nutrition antenatal jab jabs',
        ar: 'لقاح تلقيح تطعيم ولادة حمل حامل ملاريا وباء كوليرا ناموسية سوء التغذية الصحة النفسية مرض أمراض رضيع رضع مولود توليد رضاعة حمى بعوض حصبة شلل الأطفال كورونا زكام نظافة عدوى إسهال اكتئاب انتحار تغذية حوامل',
      },
    },
  ],
}
