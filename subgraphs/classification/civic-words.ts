/**
 * What words of civic complaints and thanks say, -3 to 3, by language, folded: general lexicons do not know that a power cut is bad news.
 * Words of our own; a word at the end of an entry with `*` stands for all that begin so.
 */
export const civicWords: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  fr: valued({
    '-3': 'lamentable* honteu* scandal* inadmissible* catastroph* desastr* horrible* insupportable* corrompu* corruption mort morts meurt tue tues inacceptable* indign* effondre*',
    '-2': 'panne* coupure* coupe coupee coupes sale sales insalubre* pollue* deborde* casse* danger* vol vols voleur* agress* peur manque* penurie grave pire mauvais* nul nulle abandonne* degrade* impoli* injust* menace* cher chere chers cheres chereté chomage accident* epidemie malade* inond* incendie detruit* ferme fermee gaspill* fraude detourn* expuls* colere decu* triste* rupture refus* ignor* oubli* bruyant*',
    '-1': 'retard* attend attendons attente lent lente lents lentement bouche* trop probleme* difficile* plainte* boue trou trous nids-de-poule absent* insuffisant* delestage* embouteillage* interminable* penible compliqu* fuite poussiere introuvable*',
    '1': 'propre* nouveau nouvelle* ouvert* rapide* enfin utile* facile* calme* gratuit* repare* amelior* progres solution* disponible* accueillant*',
    '2': 'merci bravo felicit* content* satisfait* bien bon bonne excellent* agreable* efficace* serviable* competent* soulage* reconnaissan* aim* heureu* reussi* succes beau belle superbe bienvenue',
    '3': 'magnifique* formidable* parfait* extraordinaire* remarquable* genial* exceptionnel* admirable* ravi*',
  }),
  en: valued({
    '-3': 'disgrace* shameful scandal* unacceptable catastroph* disast* horrible unbearable corrupt* dead died kill* appalling disgusting',
    '-2': 'outage* blackout* broken dirty filthy unsafe pollut* overflow* danger* thief thieves theft* stolen robb* attack* afraid lack* shortage* worse worst bad useless abandon* rude unfair threat* expensive unemploy* accident* epidemic sick ill flood* fire destroy* closed wast* fraud embezzl* evict* angry disappoint* sad refus* ignor* forgot* forgotten noisy collapse* neglect*',
    '-1': 'delay* wait* slow* block* problem* difficult complain* mud pothole* hole holes absent insufficient queue* jam* painful complicated leak* dust missing cut cuts never cancel*',
    '1': 'clean new open opened fast quick* finally useful easy calm free repair* fixed improv* progress solution* available welcoming reliable',
    '2': 'thank* congratulat* happy satisf* good well excellent pleasant efficient helpful competent relieved grateful love* success* beautiful friendly polite kind glad better',
    '3': 'wonderful magnificent perfect extraordinary remarkable brilliant exceptional admirable delighted fantastic amazing',
  }),
  ar: valued({
    '-3': 'فضيحه كارث* كارثي مخز* فظيع* لايطاق فاسد* فساد موت مات ماتوا يقتل تقتل انهيار كارثه مهزله',
    '-2': 'انقطاع منقطع مقطوع* معطل* عطل قذر* وسخ* ملوث* تلوث يفيض تفيض خطير* خطر سرقه سرقات لصوص اعتداء خوف نقص ينقص* سيء* سيئ* اسوا مهمل* وقح* ظلم ظالم تهديد غالي* غلاء باهظ* بطاله حادث حوادث مرض مريض* وباء فيضان* حريق مدمر دمر مغلق* تبذير احتيال اختلاس غاضب حزين رفض منسي* مظلم* مكسور* مهين*',
    '-1': 'تاخر* متاخر* انتظار ننتظر انتظر بطيء* بطيئ* مسدود* مشكل* صعب* شكوى حفر حفره وحل غائب غياب ازدحام معقد* تسرب غبار مفقود* ضعيف*',
    '1': 'نظيف* جديد* مفتوح سريع* اخيرا مفيد* سهل* هادئ* مجاني* اصلاح تحسن* تحسين حل متوفر* تقدم',
    '2': 'شكرا نشكر اشكر مبروك سعيد* راض* راضون جيد* ممتاز* لطيف* فعال* خدوم كفؤ* نحب احب نجاح جميل* ممتن* احسنتم',
    '3': 'رائع* مذهل* مثالي* استثنائي* عظيم*',
  }),
}

function valued(words: Readonly<Record<string, string>>): Readonly<Record<string, number>> {
  return Object.fromEntries(Object.entries(words).flatMap(([value, list]) => list.split(' ').map((word) => [word, Number(value)])))
}
