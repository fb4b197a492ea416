import type { DomainSource } from './domain-source.ts'

export const digitalConnectivity: DomainSource = {
  id: 'digital-connectivity',
  label: { fr: 'Numérique et réseaux', en: 'Digital and connectivity', ar: 'الرقمنة والاتصالات' },
  subDomains: [
    {
      slug: 'internet',
      label: { fr: 'Internet', en: 'Internet', ar: 'الإنترنت' },
      examples: {
        fr: ['La connexion internet est trop lente', 'La fibre n’arrive pas dans notre rue', 'Le wifi de la bibliothèque ne marche pas'],
        en: ['The internet connection is too slow', 'Fibre does not reach our street', 'The library wifi does not work'],
        ar: ['الاتصال بالإنترنت بطيء جدا', 'الألياف لا تصل إلى شارعنا', 'الواي فاي في المكتبة لا يعمل'],
      },
      words: {
        fr: 'internet connexion fibre débit wifi modem box réseau lent ADSL données ligne haut débit',
        en: 'internet connection fibre broadband wifi modem router network slow data speed online',
        ar: 'إنترنت انترنت اتصال ألياف واي فاي مودم شبكة بطيء بيانات سرعة تدفق',
      },
    },
    {
      slug: 'mobile',
      label: { fr: 'Téléphonie mobile', en: 'Mobile phones', ar: 'الهاتف المحمول' },
      examples: {
        fr: [
          'Aucun réseau mobile dans notre vallée',
          'Les forfaits de l’opérateur disparaissent trop vite',
          'Il faut monter sur la colline pour téléphoner',
        ],
        en: [
          'No mobile signal in our valley',
          'The data bundles of the operator vanish too fast',
          'We climb the hill to make a phone call',
        ],
        ar: ['لا توجد تغطية هاتف في وادينا', 'باقات المشغل تنفد بسرعة', 'نصعد إلى التل لإجراء مكالمة'],
      },
      words: {
        fr: 'réseau mobile téléphone opérateur forfait antenne couverture signal 4G 5G SIM appel SMS crédit',
        en: 'mobile network phone operator bundle antenna mast coverage signal 4G 5G SIM call SMS airtime',
        ar: 'هاتف محمول جوال شبكة مشغل باقة تغطية إشارة هوائي شريحة مكالمة رصيد رسالة',
      },
    },
    {
      slug: 'online-services',
      label: { fr: 'Services en ligne', en: 'Online services', ar: 'الخدمات الإلكترونية' },
      examples: {
        fr: [
          'Le site de la commune plante à chaque paiement',
          "L'application des impôts refuse mon mot de passe",
          'Payer par mobile money devrait être possible partout',
        ],
        en: [
          'The town website crashes at every payment',
          'The tax app rejects my password',
          'Paying with mobile money should work everywhere',
        ],
        ar: ['موقع البلدية يتعطل عند كل دفع', 'التطبيق يرفض كلمة المرور', 'يجب أن يكون الدفع بالهاتف ممكنا في كل مكان'],
      },
      words: {
        fr: 'site application appli plateforme en ligne mot de passe compte paiement mobile money numérique bug portail télécharger',
        en: 'website app application platform online password account mobile money digital bug portal download login',
        ar: 'موقع تطبيق منصة إلكترونية كلمة المرور حساب دفع إلكتروني رقمنة رقمي بوابة تحميل خدمات إلكترونية',
      },
    },
    {
      slug: 'skills-privacy',
      label: { fr: 'Compétences et données personnelles', en: 'Digital skills and privacy', ar: 'المهارات الرقمية والخصوصية' },
      examples: {
        fr: [
          'Nos parents ne savent pas se servir d’un ordinateur',
          'Mes données personnelles ont été piratées',
          'Les arnaques par message se multiplient',
        ],
        en: ['Our parents do not know how to use a computer', 'My personal data was hacked', 'Scams by text message keep growing'],
        ar: ['آباؤنا لا يعرفون استعمال الحاسوب', 'بياناتي الشخصية تعرضت للاختراق', 'الاحتيال عبر الرسائل يتزايد'],
      },
      words: {
        fr: 'ordinateur informatique données piratage arnaque cybersécurité vie privée réseaux sociaux tablette cybercafé fausses nouvelles',
        en: 'computer data hacked hacking scam cybersecurity privacy social media tablet cybercafe fake news',
        ar: 'حاسوب كمبيوتر بيانات اختراق قرصنة احتيال خصوصية أمن سيبراني مواقع التواصل أخبار كاذبة',
      },
    },
  ],
}
