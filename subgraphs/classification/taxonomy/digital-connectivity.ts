import type { DomainSource } from './domain-source.ts'

export const digitalConnectivity: DomainSource = {
  id: 'digital-connectivity',
  label: { fr: 'Numérique et réseaux', en: 'Digital and connectivity', ar: 'الرقمنة والاتصالات' },
  subDomains: [
    {
      slug: 'internet',
      label: { fr: 'Internet', en: 'Internet', ar: 'الإنترنت' },
      examples: {
        fr: {
          negative: [
            'La connexion internet est trop lente',
            'La fibre n’arrive pas dans notre rue',
            'Le wifi de la bibliothèque ne marche pas',
            'Le débit est nul dès que tout le monde rentre',
          ],
          neutral: ["Le déploiement de la fibre est prévu pour l'automne"],
          positive: ['Le wifi gratuit de la place marche à merveille'],
        },
        en: {
          negative: [
            'The internet connection is too slow',
            'Fibre does not reach our street',
            'The library wifi does not work',
            'The connection is useless in the evening',
          ],
          neutral: ['Fibre will be rolled out in the autumn'],
          positive: ['The free wifi in the square works like a charm'],
        },
        ar: {
          negative: [
            'الاتصال بالإنترنت بطيء جدا',
            'الألياف لا تصل إلى شارعنا',
            'الواي فاي في المكتبة لا يعمل',
            'سرعة الإنترنت منعدمة في المساء',
          ],
          neutral: ['سيتم نشر الألياف البصرية في الخريف'],
          positive: ['الواي فاي المجاني في الساحة يعمل بشكل رائع'],
        },
      },
      words: {
        fr: 'internet connexion fibre débit wifi modem box réseau lent ADSL données ligne haut débit coupure télétravail opérateur câble mégas streaming rame',
        en: 'internet connection fibre broadband wifi modem router network slow data speed online drops remote work line provider cable megabits streaming lag lessons',
        ar: 'إنترنت انترنت اتصال ألياف واي فاي مودم شبكة بطيء بيانات سرعة تدفق نت صبيب راوتر عمل عن بعد دراسة خط مزود انقطاع الشبكة',
      },
    },
    {
      slug: 'mobile',
      label: { fr: 'Téléphonie mobile', en: 'Mobile phones', ar: 'الهاتف المحمول' },
      examples: {
        fr: {
          negative: [
            'Aucun réseau mobile dans notre vallée',
            'Les forfaits de l’opérateur disparaissent trop vite',
            'Il faut monter sur la colline pour téléphoner',
            "Le crédit fond tout seul et l'opérateur ne répond pas",
          ],
          neutral: ["L'antenne relais sera mise à jour cette nuit"],
          positive: ['On capte enfin la 4G au village, excellent'],
        },
        en: {
          negative: [
            'No mobile signal in our valley',
            'The data bundles of the operator vanish too fast',
            'We climb the hill to make a phone call',
            'Airtime melts away and the operator ignores us',
          ],
          neutral: ['The mast will be upgraded tonight'],
          positive: ['We finally get 4G in the valley, excellent'],
        },
        ar: {
          negative: [
            'لا توجد تغطية هاتف في وادينا',
            'باقات المشغل تنفد بسرعة',
            'نصعد إلى التل لإجراء مكالمة',
            'الرصيد يختفي وحده والشركة لا تجيب',
          ],
          neutral: ['سيتم تحديث هوائي الهاتف الليلة'],
          positive: ['وصلت تغطية الجيل الرابع إلى القرية، ممتاز'],
        },
      },
      words: {
        fr: 'réseau mobile téléphone opérateur forfait antenne couverture signal 4G 5G SIM appel SMS crédit portable 3G capter data puce zone blanche',
        en: 'mobile network phone operator bundle antenna mast coverage signal 4G 5G SIM call SMS airtime 3G reception calls text data dead zone',
        ar: 'هاتف محمول جوال شبكة مشغل باقة تغطية إشارة هوائي شريحة مكالمة رصيد رسالة جيل رابع رسائل أبراج',
      },
    },
    {
      slug: 'online-services',
      label: { fr: 'Services en ligne', en: 'Online services', ar: 'الخدمات الإلكترونية' },
      examples: {
        fr: {
          negative: [
            'Le site de la commune plante à chaque paiement',
            "L'application des impôts refuse mon mot de passe",
            'Payer par mobile money devrait être possible partout',
            'Impossible de valider le formulaire, la page se fige',
          ],
          neutral: ['La demande se fait désormais sur le portail'],
          positive: ["L'application est claire et me fait gagner du temps, merci"],
        },
        en: {
          negative: [
            'The town website crashes at every payment',
            'The tax app rejects my password',
            'Paying with mobile money should work everywhere',
            'The form freezes and I lose everything',
          ],
          neutral: ['Applications are now made on the portal'],
          positive: ['The app is clear and saves me time, thank you'],
        },
        ar: {
          negative: [
            'موقع البلدية يتعطل عند كل دفع',
            'التطبيق يرفض كلمة المرور',
            'يجب أن يكون الدفع بالهاتف ممكنا في كل مكان',
            'الصفحة تتجمد ولا أستطيع إرسال الاستمارة',
          ],
          neutral: ['أصبح الطلب يقدم عبر البوابة'],
          positive: ['التطبيق واضح ويوفر الوقت، شكرا'],
        },
      },
      words: {
        fr: 'site application appli plateforme en ligne mot de passe compte paiement mobile money numérique bug portail télécharger web formulaire pièce jointe plantage dématérialisé e-service identifiant',
        en: 'website app application platform online password account mobile money digital bug portal download login site form upload file crash crashes payment e-service',
        ar: 'موقع تطبيق منصة إلكترونية كلمة المرور حساب دفع إلكتروني رقمنة رقمي بوابة تحميل خدمات إلكترونية الكتروني استمارة ملف سر خلل عطل دخول',
      },
    },
    {
      slug: 'skills-privacy',
      label: { fr: 'Compétences et données personnelles', en: 'Digital skills and privacy', ar: 'المهارات الرقمية والخصوصية' },
      examples: {
        fr: {
          negative: [
            'Nos parents ne savent pas se servir d’un ordinateur',
            'Mes données personnelles ont été piratées',
            'Les arnaques par message se multiplient',
            'On a piraté mon compte et vidé mon portefeuille mobile',
          ],
          neutral: ["Un cours d'informatique gratuit ouvre à la bibliothèque"],
          positive: ["L'atelier internet pour les aînés est passionnant"],
        },
        en: {
          negative: [
            'Our parents do not know how to use a computer',
            'My personal data was hacked',
            'Scams by text message keep growing',
            'My account was hacked and my mobile wallet emptied',
          ],
          neutral: ['A free computer class opens at the hall'],
          positive: ['The internet class for elders is a delight'],
        },
        ar: {
          negative: [
            'آباؤنا لا يعرفون استعمال الحاسوب',
            'بياناتي الشخصية تعرضت للاختراق',
            'الاحتيال عبر الرسائل يتزايد',
            'اخترقوا حسابي وسرقوا رصيدي',
          ],
          neutral: ['درس مجاني في الإعلام الآلي بدار الثقافة'],
          positive: ['ورشة الإنترنت للكبار ممتعة جدا'],
        },
      },
      words: {
        fr: 'ordinateur informatique données piratage arnaque cybersécurité vie privée réseaux sociaux tablette cybercafé fausses nouvelles formation numérique internet seniors personnelles fuite piraté hameçonnage spam faux message fracture initiation cyber',
        en: 'computer data hacked hacking scam cybersecurity privacy social media tablet cybercafe fake news computers digital skills training seniors personal leak scammers phishing spam message divide beginners course cyber',
        ar: 'حاسوب كمبيوتر بيانات اختراق قرصنة احتيال خصوصية أمن سيبراني مواقع التواصل أخبار كاذبة إعلام آلي تكوين رقمي معطيات شخصية تسريب نصب رسائل مزيفة فجوة رقمية دورة',
      },
    },
  ],
}
