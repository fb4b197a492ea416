import type { CitizenDataComponent, ErasableKind, RemainingKind } from '../../../engines/citizen-data/citizen-data.ts'

/** The words of a certificate of erasure in one language. */
export interface CertificateWords {
  readonly title: string
  readonly summary: string
  readonly facts: Readonly<Record<'number' | 'citizen' | 'requested' | 'completed' | 'unknown', string>>
  readonly headings: Readonly<Record<'erased' | 'remaining', string>>
  readonly nothing: string
  readonly components: Readonly<Record<CitizenDataComponent, string>>
  readonly erased: Readonly<Record<ErasableKind, string>>
  readonly remaining: Readonly<Record<RemainingKind, string>>
}

export const certificateLanguages = ['en', 'fr', 'ar'] as const
export type CertificateLanguage = (typeof certificateLanguages)[number]

export const certificateWords: Readonly<Record<CertificateLanguage, CertificateWords>> = {
  en: {
    title: 'Certificate of erasure',
    summary: 'The platform has erased the personal data of a citizen. This certificate lists what was erased, and what remains and why.',
    facts: {
      number: 'Erasure',
      citizen: 'Citizen (pseudonym)',
      requested: 'Requested',
      completed: 'Completed',
      unknown: 'The platform had no data about this citizen.',
    },
    headings: { erased: 'Erased', remaining: 'Remaining' },
    nothing: 'Nothing.',
    components: {
      verification: 'Identity verification',
      delegations: 'Delegations',
      expressions: 'Expressions',
      votes: 'Votes',
      audit: 'Audit trail and backups',
    },
    erased: {
      verifications: 'Verifications with images, results and reviews',
      face_templates: 'Face templates for the duplicate check',
      challenges: 'Started liveness and chip checks',
      delegations: 'Delegations, which ended; the citizen code was removed',
      registrations: 'The entry in the register of citizens',
      scenarios: 'Saved scenarios, from which the citizen was removed',
      messages: 'Undeliverable messages about delegations',
      expressions: 'Expressions with their votes',
      reports: 'Reports about other people’s expressions',
      votes: 'Votes',
    },
    remaining: {
      pseudonymous_delegations: 'Ended delegations without the citizen code: the other citizen’s record',
      unverified_expressions:
        'Expressions that no service vouches for, because anyone can send them in the name of others; an administrator decides about each',
      unverified_votes: 'Unverified votes, because the identity of the voter is not proven; an administrator decides about each',
      withdrawn_ids: 'Identifiers of withdrawn expressions, so that the texts cannot return',
      unreferenced_data: 'Data under references that the request did not contain; the code does not find them',
      audit_records: 'Audit records under the pseudonym: they show who had access',
      backups: 'Backups and database logs, until the operator’s retention period ends',
    },
  },
  fr: {
    title: 'Attestation d’effacement',
    summary:
      'La plateforme a effacé les données personnelles d’un citoyen. Cette attestation énumère ce qui a été effacé, ce qui reste et pourquoi.',
    facts: {
      number: 'Effacement',
      citizen: 'Citoyen (pseudonyme)',
      requested: 'Demandé',
      completed: 'Terminé',
      unknown: 'La plateforme n’avait aucune donnée sur ce citoyen.',
    },
    headings: { erased: 'Effacé', remaining: 'Conservé' },
    nothing: 'Rien.',
    components: {
      verification: 'Vérification d’identité',
      delegations: 'Délégations',
      expressions: 'Expressions',
      votes: 'Votes',
      audit: 'Journal d’audit et sauvegardes',
    },
    erased: {
      verifications: 'Vérifications avec images, résultats et examens',
      face_templates: 'Gabarits de visage pour la recherche de doublons',
      challenges: 'Détections du vivant et contrôles de puce commencés',
      delegations: 'Délégations terminées ; le code du citoyen a été retiré',
      registrations: 'L’inscription au registre des citoyens',
      scenarios: 'Scénarios enregistrés, dont le citoyen a été retiré',
      messages: 'Messages de délégation non remis',
      expressions: 'Expressions et leurs votes',
      reports: 'Signalements d’expressions d’autrui',
      votes: 'Votes',
    },
    remaining: {
      pseudonymous_delegations: 'Délégations terminées sans le code du citoyen : elles appartiennent aussi à l’autre citoyen',
      unverified_expressions:
        'Expressions qu’aucun service ne garantit, car chacun peut en envoyer au nom d’autrui ; un administrateur statue sur chacune',
      unverified_votes: 'Votes non vérifiés, car l’identité du votant n’est pas prouvée ; un administrateur statue sur chacun',
      withdrawn_ids: 'Identifiants des expressions retirées, pour que les textes ne reviennent pas',
      unreferenced_data: 'Données sous des références absentes de la demande ; le code ne permet pas de les trouver',
      audit_records: 'Entrées d’audit sous le pseudonyme : elles montrent qui a eu accès',
      backups: 'Sauvegardes et journaux de la base, jusqu’à la fin de leur durée de conservation',
    },
  },
  ar: {
    title: 'شهادة محو البيانات',
    summary: 'محت المنصة البيانات الشخصية لمواطن. تبيّن هذه الشهادة ما مُحي، وما بقي وسبب بقائه.',
    facts: {
      number: 'عملية المحو',
      citizen: 'المواطن (اسم مستعار)',
      requested: 'وقت الطلب',
      completed: 'وقت الإتمام',
      unknown: 'لم تكن لدى المنصة بيانات عن هذا المواطن.',
    },
    headings: { erased: 'ما مُحي', remaining: 'ما بقي' },
    nothing: 'لا شيء.',
    components: {
      verification: 'التحقق من الهوية',
      delegations: 'التفويضات',
      expressions: 'الآراء',
      votes: 'الأصوات',
      audit: 'سجل التدقيق والنسخ الاحتياطية',
    },
    erased: {
      verifications: 'عمليات تحقق مع صورها ونتائجها ومراجعاتها',
      face_templates: 'قوالب وجه للبحث عن التكرار',
      challenges: 'فحوص حيوية وفحوص شرائح بدأت',
      delegations: 'تفويضات أُنهيت وأُزيل منها رمز المواطن',
      registrations: 'القيد في سجل المواطنين',
      scenarios: 'سيناريوهات محفوظة أُزيل منها المواطن',
      messages: 'رسائل تفويض لم تُسلَّم',
      expressions: 'آراء مع أصواتها',
      reports: 'بلاغات عن آراء الآخرين',
      votes: 'أصوات',
    },
    remaining: {
      pseudonymous_delegations: 'تفويضات منتهية دون رمز المواطن، لأنها سجل المواطن الآخر أيضًا',
      unverified_expressions: 'آراء لا تضمنها أي خدمة: يستطيع أي شخص إرسالها باسم غيره، لذلك تُدرج ليقرر مشرف بشأن كل منها',
      unverified_votes: 'أصوات غير موثقة: هوية المصوّت غير مثبتة، لذلك تُدرج ليقرر مشرف بشأن كل منها',
      withdrawn_ids: 'معرّفات الآراء المسحوبة، كي لا تعود نصوصها',
      unreferenced_data: 'بيانات تحت مراجع لم تُذكر في الطلب، ولا يمكن العثور عليها بالرمز',
      audit_records: 'قيود تدقيق تحت الاسم المستعار: تبيّن من اطّلع على البيانات',
      backups: 'نسخ احتياطية وسجلات قاعدة البيانات حتى انتهاء مدة حفظها لدى المشغّل',
    },
  },
}
