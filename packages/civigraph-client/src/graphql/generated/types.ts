// Made by `npm run generate`; not to be edited. Of 8cSPx_E8rk58VW-2jhNE-7
/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };

/** Which accounts */
export type AccountFilterInput = {
  /** true: those with which nobody signs in; false: the others */
  readonly disabled?: boolean | null | undefined;
  /** In this group */
  readonly group?: string | number | null | undefined;
  /** With this role */
  readonly role?: AdministratorRole | null | undefined;
  /** A part of the address or of a name, in whatever case */
  readonly text?: string | null | undefined;
};

/** Results that the caller has stored and that may be erased here */
export type AcknowledgeVerificationResultsInput = {
  /** Ids of finished jobs, at most 100,000 */
  readonly jobIds: ReadonlyArray<string | number>;
};

/** What the chip of a travel document has answered to a challenge of startChipChallenge (active authentication, ICAO Doc 9303-11) */
export type ActiveAuthenticationInput = {
  /** Of the challenge; it is good for one job */
  readonly nonce: string | number;
  /** What INTERNAL AUTHENTICATE has returned for its bytes, in base64, at most 1 kB */
  readonly response: string;
};

/** SUPER_ADMIN: all groups and tenants; GROUP_ADMIN: those of their groups; REVIEWER: verifications that wait for a person */
export type AdministratorRole =
  | 'GROUP_ADMIN'
  | 'REVIEWER'
  | 'SUPER_ADMIN';

/** Nodes of an import; nobody sees them until it is finished */
export type AppendContentImportInput = {
  /** The import */
  readonly importId: string | number;
  /** At most 1,000 */
  readonly nodes: ReadonlyArray<ContentImportNodeInput>;
  /** 0, 1, 2, …: the same number again replaces what it brought */
  readonly sequence: number;
};

/** Which records */
export type AuditFilterInput = {
  /** What was done */
  readonly action?: string | null | undefined;
  /** Whether it was done or refused */
  readonly outcome?: AuditOutcome | null | undefined;
  /** Who did it: the name of a service key */
  readonly service?: string | null | undefined;
  /** From then on */
  readonly since?: string | null | undefined;
  /** Who did it: the issuer’s id of the person */
  readonly subject?: string | null | undefined;
  /** What it was done to */
  readonly target?: string | null | undefined;
  /** Before then */
  readonly until?: string | null | undefined;
};

/** DONE: it was done; REFUSED: it was tried */
export type AuditOutcome =
  | 'DONE'
  | 'REFUSED';

/** Edges of an area in degrees; west may be greater than east: then it crosses the antimeridian */
export type BoxInput = {
  /** Eastern edge */
  readonly east: number;
  /** Northern edge */
  readonly north: number;
  /** Southern edge */
  readonly south: number;
  /** Western edge */
  readonly west: number;
};

/** PENDING: tried at nextAttemptAt; REFUSED: we do not send there; FAILED: ten tries in vain; STOPPED: the receiver answered 410 */
export type CallbackState =
  | 'DELIVERED'
  | 'FAILED'
  | 'PENDING'
  | 'REFUSED'
  | 'STOPPED';

/** The type of its message. COMPLETED: verification.job.completed; FAILED: verification.job.failed */
export type CallbackType =
  | 'COMPLETED'
  | 'FAILED';

/** An unverified vote: of a browser without a signed-in user */
export type CastPublicVoteInput = {
  /** The expression */
  readonly expressionId: string | number;
  /** The pass that an earlier vote on this expression returned; without it a new voter votes, of which a network may create few a day */
  readonly pass?: string | null | undefined;
  /** The vote; a later one with its pass replaces it */
  readonly value: VoteValue;
};

/** A vote on an expression */
export type CastVoteInput = {
  /** The expression */
  readonly expressionId: string | number;
  /** The vote; a later one replaces it */
  readonly value: VoteValue;
  /** Who votes, as the calling service knows them (services only); only an HMAC is kept */
  readonly voterRef?: string | null | undefined;
};

/** CLEAR: it agrees; CONSIDER: somebody should look; UNIDENTIFIED: it could not be checked */
export type CheckResult =
  | 'CLEAR'
  | 'CONSIDER'
  | 'UNIDENTIFIED';

/** What lies within a distance of a point */
export type CircleInput = {
  /** Degrees north */
  readonly lat: number;
  /** Degrees east */
  readonly lon: number;
  /** Kilometres */
  readonly radiusKm: number;
};

/** A job to take */
export type ClaimReviewInput = {
  /** Id of the job */
  readonly jobId: string | number;
};

/** What decided the domain: the nearest example phrases, the trained classifier, a language model, the sender; or nothing was likely enough */
export type ClassificationMethod =
  | 'ABSTAINED'
  | 'HINT'
  | 'KNN'
  | 'LLM'
  | 'NEURAL';

/** UPSERT keeps nodes that the import does not hold; REPLACE moves them to the trash */
export type ContentImportMode =
  | 'REPLACE'
  | 'UPSERT';

/** A node of an import */
export type ContentImportNodeInput = {
  /** Markdown, at most 1,000,000 characters */
  readonly body?: string | null | undefined;
  /** When it was created; counts only for a node that is new here */
  readonly createdAt?: string | null | undefined;
  /** What the system that it comes from calls it, at most 500 characters */
  readonly externalId?: string | null | undefined;
  /** Its id; left out, one is made: the same again for the same externalId */
  readonly id?: string | number | null | undefined;
  /** A name within this import, for a node that has no id yet */
  readonly key?: string | null | undefined;
  /** Language, BCP 47 */
  readonly locale?: string | null | undefined;
  /** At most 100 */
  readonly media?: ReadonlyArray<ContentMediaInput> | null | undefined;
  /** An object of at most 64 KB */
  readonly metadata?: Record<string, unknown> | null | undefined;
  /** The node above, by what the other system calls it */
  readonly parentExternalId?: string | null | undefined;
  /** The node above */
  readonly parentId?: string | number | null | undefined;
  /** The node above, by its key */
  readonly parentKey?: string | null | undefined;
  /** Place among its siblings; left out, after all others */
  readonly position?: number | null | undefined;
  /** The title as a part of an address; left out, made of the title */
  readonly slug?: string | null | undefined;
  /** At most 5,000 characters */
  readonly summary?: string | null | undefined;
  /** Title, 1 to 500 characters */
  readonly title: string;
  /** When it last changed; likewise */
  readonly updatedAt?: string | null | undefined;
};

/** Something to look at beside a text */
export type ContentMediaInput = {
  /** What it shows */
  readonly alt?: string | null | undefined;
  /** What stands below it */
  readonly caption?: string | null | undefined;
  /** Media type, such as image/png */
  readonly type?: string | null | undefined;
  /** Its address */
  readonly url: string;
};

/** What is decided instead of the pipeline; an absent member stays as it is */
export type CorrectClassificationInput = {
  /** Id of a domain or sub-domain; null: of none */
  readonly domain?: string | number | null | undefined;
  /** Id of the expression */
  readonly id: string | number;
  /** Sentiment */
  readonly sentiment?: SentimentLabel | null | undefined;
};

/** An account to make */
export type CreateAccountInput = {
  /** E-mail address, at most 254 characters */
  readonly email: string;
  /** Family name */
  readonly familyName?: string | null | undefined;
  /** Given names */
  readonly givenName?: string | null | undefined;
  /** The groups that it administers, at most 100 */
  readonly groups?: ReadonlyArray<string | number>;
  /** Preferred language (BCP 47) */
  readonly locale?: string | null | undefined;
  /** Its roles */
  readonly roles: ReadonlyArray<AdministratorRole>;
  /** The tenant that its tokens name */
  readonly tenantId?: string | number | null | undefined;
};

/** A node to create */
export type CreateContentNodeInput = {
  /** Markdown, at most 1,000,000 characters */
  readonly body?: string | null | undefined;
  /** What the system that it comes from calls it, at most 500 characters */
  readonly externalId?: string | null | undefined;
  /** Its id; left out, one is made: the same again for the same externalId */
  readonly id?: string | number | null | undefined;
  /** Language, BCP 47 */
  readonly locale?: string | null | undefined;
  /** At most 100 */
  readonly media?: ReadonlyArray<ContentMediaInput> | null | undefined;
  /** An object of at most 64 KB */
  readonly metadata?: Record<string, unknown> | null | undefined;
  /** The node above */
  readonly parentId?: string | number | null | undefined;
  /** Place among its siblings; left out, after all others */
  readonly position?: number | null | undefined;
  /** The title as a part of an address; left out, made of the title */
  readonly slug?: string | null | undefined;
  /** At most 5,000 characters */
  readonly summary?: string | null | undefined;
  /** The tenant; left out, that of the token, else `default` */
  readonly tenantId?: string | number | null | undefined;
  /** Title, 1 to 500 characters */
  readonly title: string;
};

/** EXPRESSION: one that could not be written or completed, by its own id; MESSAGE: one of up to 500 expressions that no worker could read */
export type DeadLetterKind =
  | 'EXPRESSION'
  | 'MESSAGE';

/** A person’s decision on a job that they have claimed */
export type DecideReviewInput = {
  /** Verified or rejected */
  readonly decision: ReviewDecision;
  /** Id of the job */
  readonly jobId: string | number;
  /** For whoever has to account for it later, at most 2,000 characters; sealed at rest */
  readonly note?: string | null | undefined;
  /** Why: CONFIRMED for VERIFIED, any of the others for REJECTED */
  readonly reason: ReviewReason;
};

/** Gender as declared: male, female, other, not said */
export type DeclaredGender =
  | 'F'
  | 'M'
  | 'N'
  | 'O';

/** Who the citizen says to be */
export type DeclaredIdentityInput = {
  /** Date of birth, best as YYYY-MM-DD; local forms are understood */
  readonly dateOfBirth?: string | null | undefined;
  /** Given names */
  readonly firstName: string;
  /** Gender */
  readonly gender?: DeclaredGender | null | undefined;
  /** Family name */
  readonly lastName: string;
  /** Nationality, ISO 3166 alpha-2 or alpha-3 */
  readonly nationality?: string | null | undefined;
};

/** CSV: with a header that names its columns, and no line breaks in fields; NDJSON: a JSON object on each line */
export type DelegationFileFormat =
  | 'CSV'
  | 'NDJSON';

/** Which delegations; what is left out does not matter */
export type DelegationFilterInput = {
  /** Code of the citizen who acts */
  readonly delegate?: string | null | undefined;
  /** Code of the citizen who gives the right */
  readonly delegator?: string | null | undefined;
  /** Id of the domain */
  readonly domain?: string | number | null | undefined;
  /** Id of the group */
  readonly group?: string | number | null | undefined;
  /** Where they stand */
  readonly status?: DelegationStatus | null | undefined;
};

/** UNCHANGED: it says nothing new, or something older than what is known or than another line; REFUSED: it is wrong */
export type DelegationLineOutcome =
  | 'CREATED'
  | 'REFUSED'
  | 'UNCHANGED'
  | 'UPDATED';

/** By time of creation */
export type DelegationOrder =
  | 'NEWEST_FIRST'
  | 'OLDEST_FIRST';

/** PENDING until it starts, ACTIVE until it ends, then EXPIRED; REVOKED when it was taken back */
export type DelegationStatus =
  | 'ACTIVE'
  | 'EXPIRED'
  | 'PENDING'
  | 'REVOKED';

/** A node to delete */
export type DeleteContentNodeInput = {
  /** The node; everything below it goes with it */
  readonly id: string | number;
  /** The tenant; left out, that of the token, else `default` */
  readonly tenantId?: string | number | null | undefined;
};

/** Which expressions the figures of districts are of: conditions that all hold; an absent one is none */
export type DistrictFilterInput = {
  /** Id of a domain, its sub-domains included, or of a sub-domain */
  readonly domain?: string | number | null | undefined;
  /** First day, in the time zone of the platform */
  readonly from?: string | null | undefined;
  /** Language: ISO 639-1, else 639-3 */
  readonly lang?: string | null | undefined;
  /** Sentiment */
  readonly sentiment?: SentimentLabel | null | undefined;
  /** Last day */
  readonly to?: string | null | undefined;
};

/** Whom to erase */
export type EraseCitizenInput = {
  /** The code by which the callers know the citizen */
  readonly code: string;
};

/** ADDED: it is new; UPDATED: it has changed; WITHDRAWN: it is no more; LAGGED: some before this place were left out */
export type ExpressionEventKind =
  | 'ADDED'
  | 'LAGGED'
  | 'UPDATED'
  | 'WITHDRAWN';

/** Conditions that all hold; an absent one is none */
export type ExpressionFilterInput = {
  /** Area */
  readonly box?: BoxInput | null | undefined;
  /** Ids of domains or sub-domains, any of them, descendants included */
  readonly domains?: ReadonlyArray<string | number> | null | undefined;
  /** Language code */
  readonly lang?: string | null | undefined;
  /** Sentiment */
  readonly sentiment?: SentimentLabel | null | undefined;
};

/** Where: coordinates, or an address to look up */
export type ExpressionLocationInput = {
  /** Street and number */
  readonly address?: string | null | undefined;
  /** Town */
  readonly city?: string | null | undefined;
  /** ISO 3166 alpha-2 or alpha-3, or a name */
  readonly country?: string | null | undefined;
  /** Degrees north; with lon */
  readonly lat?: number | null | undefined;
  /** Degrees east; with lat */
  readonly lon?: number | null | undefined;
  /** Postal code */
  readonly postcode?: string | null | undefined;
};

/** TEXT: by words; SEMANTIC: by likeness of vectors; HYBRID: by both */
export type ExpressionSearchMode =
  | 'HYBRID'
  | 'SEMANTIC'
  | 'TEXT';

/** INDEXED: it can be found; PENDING: it is kept and will be */
export type ExpressionStatus =
  | 'INDEXED'
  | 'PENDING';

/** Conditions that all hold; an absent one is none. Of box and circle at most one */
export type ExpressionStreamFilterInput = {
  /** Area */
  readonly box?: BoxInput | null | undefined;
  /** Area */
  readonly circle?: CircleInput | null | undefined;
  /** Ids of domains or sub-domains, any of them, descendants included */
  readonly domains?: ReadonlyArray<string | number> | null | undefined;
  /** Language code */
  readonly lang?: string | null | undefined;
  /** Sentiment */
  readonly sentiment?: SentimentLabel | null | undefined;
};

/** An import to finish */
export type FinishContentImportInput = {
  /** Required to be true where an import with REPLACE holds no nodes and is no dry run: the whole tree moves to the trash */
  readonly confirm?: boolean;
  /** The import */
  readonly importId: string | number;
};

/** OK: everything answers; DEGRADED: something that can be done without is away, or work waits that nobody does; DOWN: the component cannot work */
export type HealthStatus =
  | 'DEGRADED'
  | 'DOWN'
  | 'OK';

/** A file of delegations */
export type ImportDelegationsInput = {
  /** Tells what would become of it, and keeps nothing */
  readonly dryRun?: boolean;
  /** What is in it, at most 1,000 delegations; what is longer has the command "delegations import" */
  readonly file: string;
  /** How it is written */
  readonly format: DelegationFileFormat;
};

/** Something that a citizen has said */
export type IngestExpressionInput = {
  /** Who said it, as the source knows them; only an HMAC is kept. It counts as that person when a service key sends it */
  readonly authorRef?: string | null | undefined;
  /** When it was said; now when absent. From 1900 on and at most 5 minutes ahead, which counts as now */
  readonly createdAt?: string | null | undefined;
  /** Id of the domain or sub-domain, if it is known: a hint, passed over where the taxonomy has no such domain */
  readonly domain?: string | number | null | undefined;
  /** Id at the source: the same again from the same caller changes nothing */
  readonly externalId?: string | null | undefined;
  /** Language, if it is known: ISO 639-1 or 639-3 */
  readonly lang?: string | null | undefined;
  /** Where */
  readonly location?: ExpressionLocationInput | null | undefined;
  /** Where it comes from */
  readonly source?: string | null | undefined;
  /** 1 to 10,000 characters */
  readonly text: string;
};

/** A picture taken while the citizen did what was asked */
export type LivenessFrameInput = {
  /** Milliseconds since the client had the challenge, 0 to 60,000, more than those of the frame before */
  readonly atMs: number;
  /** JPEG or PNG, at most 512 kB, not mirrored */
  readonly image: string;
};

/** The answer to a challenge, within 60 s of its start */
export type LivenessInput = {
  /** 4 to 20 in the order taken: first the face as it looks straight at the camera, then each step at its height */
  readonly frames: ReadonlyArray<LivenessFrameInput>;
  /** Of the challenge; it is good for one job */
  readonly nonce: string | number;
};

/** Credentials of an administrator */
export type LoginInput = {
  /** E-mail address */
  readonly email: string;
  /** Password */
  readonly password: string;
};

/** A session to end */
export type LogoutInput = {
  /** The refresh token */
  readonly refreshToken: string;
};

/** Which expressions are shown: conditions that all hold; an absent one is none */
export type MapFilterInput = {
  /** Area, edges included */
  readonly box?: BoxInput | null | undefined;
  /** Id of a domain, its sub-domains included, or of a sub-domain */
  readonly domain?: string | number | null | undefined;
  /** First day, in the time zone of the platform */
  readonly from?: string | null | undefined;
  /** Language: ISO 639-1, else 639-3 */
  readonly lang?: string | null | undefined;
  /** Sentiment */
  readonly sentiment?: SentimentLabel | null | undefined;
  /** Last day */
  readonly to?: string | null | undefined;
};

/** What a model does with an expression. LANGUAGE_MODEL: it is asked for its opinion */
export type ModelTask =
  | 'EMBEDDING'
  | 'LANGUAGE'
  | 'LANGUAGE_MODEL'
  | 'PLACE'
  | 'SENTIMENT'
  | 'TOPIC'
  | 'TOXICITY';

/** Where a node is to stand */
export type MoveContentNodeInput = {
  /** The node, which takes everything below it along */
  readonly id: string | number;
  /** The node above it from now on */
  readonly parentId: string | number;
  /** Place among its new siblings; left out, after all others */
  readonly position?: number | null | undefined;
  /** The tenant; left out, that of the token, else `default` */
  readonly tenantId?: string | number | null | undefined;
};

/** What a role may do, for a page that shows what works; the rules on the fields decide */
export type Permission =
  | 'CITIZENS_ERASE'
  | 'CITIZENS_READ'
  | 'CONTENT_WRITE'
  | 'DELEGATIONS_READ'
  | 'EXPRESSIONS_MODERATE'
  | 'TAXONOMY_WRITE'
  | 'VERIFICATIONS_REVIEW';

/** Deleted content to remove for ever */
export type PurgeContentNodeInput = {
  /** As `contentTrash` names it */
  readonly id: string | number;
  /** The tenant; left out, that of the token, else `default` */
  readonly tenantId?: string | number | null | undefined;
};

/** Which callback to send again */
export type RedeliverCallbackInput = {
  /** Its id, or that of its job */
  readonly id: string | number;
};

/** Dead letters that are to have another chance */
export type RedriveDeadLettersInput = {
  /** 1 to 100 ids; null: all of the kind, as many as there is time for */
  readonly ids?: ReadonlyArray<string | number> | null | undefined;
  /** Of which kind */
  readonly kind: DeadLetterKind;
};

/** A session to go on with */
export type RefreshSessionInput = {
  /** The refresh token; it is used up by this */
  readonly refreshToken: string;
};

/** A job to give back */
export type ReleaseReviewInput = {
  /** Id of the job */
  readonly jobId: string | number;
};

/** An account whose password is to be another */
export type ResetAccountPasswordInput = {
  /** The account */
  readonly id: string | number;
};

/** Deleted content to restore */
export type RestoreContentNodeInput = {
  /** As `contentTrash` names it */
  readonly id: string | number;
  /** The node above it from now on; left out, the one that was, where it stands at its former place */
  readonly parentId?: string | number | null | undefined;
  /** The tenant; left out, that of the token, else `default` */
  readonly tenantId?: string | number | null | undefined;
};

/** What a person decides */
export type ReviewDecision =
  | 'REJECTED'
  | 'VERIFIED';

/** Why a person decided so: CONFIRMED goes with VERIFIED, the others with REJECTED */
export type ReviewReason =
  | 'CONFIRMED'
  | 'DATA_CONTRADICTED'
  | 'DOCUMENT_EXPIRED'
  | 'DOCUMENT_FORGED'
  | 'DOCUMENT_UNUSABLE'
  | 'DUPLICATE'
  | 'OTHER'
  | 'OTHER_PERSON';

/** What to look for */
export type SearchExpressionsInput = {
  /** Among which */
  readonly filter?: ExpressionFilterInput | null | undefined;
  /** How */
  readonly mode?: ExpressionSearchMode;
  /** 1 to 1,000 characters */
  readonly text: string;
};

/** Sentiment of an expression */
export type SentimentLabel =
  | 'NEGATIVE'
  | 'NEUTRAL'
  | 'POSITIVE';

/** DATABASE: made, rotated and revoked with "npm run civigraph -- keys"; SETTINGS: given at the start, changed where that is set */
export type ServiceKeySource =
  | 'DATABASE'
  | 'SETTINGS';

/** SUBMIT: send verifications in; RESULTS: fetch its own; RESULTS_ALL: those of all services; VOTES_WRITE: vote for citizens; ADMIN: what administrators may */
export type ServiceScope =
  | 'ADMIN'
  | 'RESULTS'
  | 'RESULTS_ALL'
  | 'SUBMIT'
  | 'VOTES_WRITE';

/** An import to begin */
export type StartContentImportInput = {
  /** Only tell what it would do */
  readonly dryRun?: boolean;
  /** What becomes of nodes that do not come */
  readonly mode?: ContentImportMode;
  /** The tenant; left out, that of the token, else `default` */
  readonly tenantId?: string | number | null | undefined;
};

/** Which expressions are counted: conditions that all hold; an absent one is none */
export type StatisticsFilterInput = {
  /** Area, edges included */
  readonly box?: BoxInput | null | undefined;
  /** Id of a domain, its sub-domains included, or of a sub-domain */
  readonly domain?: string | number | null | undefined;
  /** First day, in the time zone of the platform */
  readonly from?: string | null | undefined;
  /** Last day */
  readonly to?: string | null | undefined;
};

/** One identity verification to run */
export type SubmitVerificationInput = {
  /** An https URL that is told when the result is final, by a signed POST (Standard Webhooks) */
  readonly callbackUrl?: string | null | undefined;
  /** What was read from the chip of the document */
  readonly chip?: TravelDocumentChipInput | null | undefined;
  /** The code by which the caller knows the citizen */
  readonly citizenCode: string;
  /** Issuing country, ISO 3166 alpha-2 or alpha-3 */
  readonly countryCode: string;
  /** Who the citizen says to be */
  readonly declaredIdentity: DeclaredIdentityInput;
  /** Back of the document, likewise */
  readonly documentBack?: string | null | undefined;
  /** Front of the document, likewise */
  readonly documentFront: string;
  /** Kind of the document in the images */
  readonly documentType: VerificationDocumentType;
  /** The same again with the same content gives the same job, for 24 hours; with another content it is refused. In a batch the batch’s own key counts */
  readonly idempotencyKey?: string | null | undefined;
  /** The answer to a challenge of startLivenessChallenge */
  readonly liveness?: LivenessInput | null | undefined;
  /** When it starts */
  readonly priority?: VerificationPriority;
  /** Photograph of the citizen: JPEG, PNG or WebP, at most 5 MB */
  readonly selfie: string;
};

/** Files of the chip of a travel document as they were read, byte for byte, in base64 (ICAO Doc 9303-10) */
export type TravelDocumentChipInput = {
  /** That the chip was there: its answer to a challenge */
  readonly activeAuthentication?: ActiveAuthenticationInput | null | undefined;
  /** EF.DG1, the machine-readable zone */
  readonly dg1: string;
  /** EF.DG2, the portrait, at most 512 kB */
  readonly dg2: string;
  /** EF.DG11, additional personal details, at most 128 kB: the name and the date of birth in full */
  readonly dg11?: string | null | undefined;
  /** EF.DG12, additional document details, at most 512 kB; only its hash is checked */
  readonly dg12?: string | null | undefined;
  /** EF.DG14, security options, at most 16 kB; needed where a key on an elliptic curve answers a challenge */
  readonly dg14?: string | null | undefined;
  /** EF.DG15, public key of active authentication, at most 16 kB; needed where a challenge is answered */
  readonly dg15?: string | null | undefined;
  /** EF.SOD, the document security object, at most 64 kB */
  readonly sod: string;
};

/** What to change about an account; what is left out stays */
export type UpdateAccountInput = {
  /** true: nobody signs in with it, its refresh tokens end and its access tokens run out within minutes; false: it is open again */
  readonly disabled?: boolean | null | undefined;
  /** Family name; null removes it */
  readonly familyName?: string | null | undefined;
  /** Given names; null removes them */
  readonly givenName?: string | null | undefined;
  /** The groups that it administers, at most 100, from its next token on */
  readonly groups?: ReadonlyArray<string | number> | null | undefined;
  /** The account */
  readonly id: string | number;
  /** Preferred language (BCP 47); null removes it */
  readonly locale?: string | null | undefined;
  /** Its roles, from its next token on */
  readonly roles?: ReadonlyArray<AdministratorRole> | null | undefined;
  /** The tenant that its tokens name; null: none */
  readonly tenantId?: string | number | null | undefined;
};

/** What a node is to say; members left out stay as they are, null empties them */
export type UpdateContentNodeInput = {
  /** Markdown, at most 1,000,000 characters */
  readonly body?: string | null | undefined;
  /** What the system that it comes from calls it, at most 500 characters */
  readonly externalId?: string | null | undefined;
  /** The node */
  readonly id: string | number;
  /** Its `updatedAt` as the writer has read it: CONFLICT where it was changed since, so that nobody writes over what they have not seen */
  readonly ifUpdatedAt?: string | null | undefined;
  /** Language, BCP 47 */
  readonly locale?: string | null | undefined;
  /** Pictures and the like, at most 100, instead of those that are there */
  readonly media?: ReadonlyArray<ContentMediaInput> | null | undefined;
  /** An object of at most 64 KB, instead of the one that is there */
  readonly metadata?: Record<string, unknown> | null | undefined;
  /** The title as a part of an address; emptied, it is made of the title */
  readonly slug?: string | null | undefined;
  /** A few sentences, at most 5,000 characters */
  readonly summary?: string | null | undefined;
  /** The tenant; left out, that of the token, else `default` */
  readonly tenantId?: string | number | null | undefined;
  /** Title, 1 to 500 characters; it cannot be emptied */
  readonly title?: string | null | undefined;
};

/** Kind of identity document */
export type VerificationDocumentType =
  | 'CNI'
  | 'NATIONAL_ID'
  | 'PASSPORT'
  | 'TITRE_DE_SEJOUR';

/** COMPLETED: there is a result; ERROR: it could not be done; LAGGED: events before this place were missed */
export type VerificationFinishedKind =
  | 'COMPLETED'
  | 'ERROR'
  | 'LAGGED';

/** An image of a submission */
export type VerificationImage =
  | 'DOCUMENT_BACK'
  | 'DOCUMENT_FRONT'
  | 'SELFIE';

/** Which verifications */
export type VerificationJobFilterInput = {
  /** What they ended with */
  readonly outcome?: VerificationOutcome | null | undefined;
  /** Where they stand */
  readonly status?: VerificationStatus | null | undefined;
};

/** What a job ended with; PENDING_REVIEW leaves the decision to a person */
export type VerificationOutcome =
  | 'ERROR'
  | 'PENDING_REVIEW'
  | 'REJECTED'
  | 'VERIFIED';

/** HIGH goes before every NORMAL job submitted less than an hour before it */
export type VerificationPriority =
  | 'HIGH'
  | 'NORMAL';

/** What speaks against a verification. What only a newer release knows is left out */
export type VerificationReason =
  | 'BARCODE_MISMATCH'
  | 'BLURRED_PHOTO'
  | 'CHALLENGE_FLAT'
  | 'CHALLENGE_INCOMPLETE'
  | 'CHALLENGE_LATE'
  | 'CHALLENGE_OTHER_PERSON'
  | 'CHILD'
  | 'CHIP_ALTERED'
  | 'CHIP_MISMATCH'
  | 'CHIP_NOT_GENUINE'
  | 'CHIP_PORTRAIT_UNREADABLE'
  | 'CHIP_SIGNATURE_INVALID'
  | 'CHIP_SIGNER_EXPIRED'
  | 'CHIP_SIGNER_REVOKED'
  | 'CHIP_SIGNER_UNKNOWN'
  | 'CHIP_UNREADABLE'
  | 'COPY_OF_DOCUMENT'
  | 'COVERED_FACE'
  | 'CUT_OFF_DOCUMENT'
  | 'DARK_PHOTO'
  | 'DATA_INCONSISTENT'
  | 'DOB_MISMATCH'
  | 'DOCUMENT_EXPIRED'
  | 'DOCUMENT_TYPE_MISMATCH'
  | 'FACE_MISMATCH'
  | 'GENDER_MISMATCH'
  | 'GLARE_ON_PHOTO'
  | 'MISSING_BACK'
  | 'MRZ_CHECK_DIGIT_FAILED'
  | 'MULTIPLE_FACES_SELFIE'
  | 'NAME_MISMATCH'
  | 'NATIONALITY_MISMATCH'
  | 'NO_DOCUMENT_IN_IMAGE'
  | 'NO_FACE_DOCUMENT'
  | 'NO_FACE_SELFIE'
  | 'OCR_UNREADABLE'
  | 'POSSIBLE_DUPLICATE'
  | 'SHOWN_ON_SCREEN'
  | 'SUNGLASSES'
  | 'TWO_DOCUMENTS'
  | 'UNSUPPORTED_DOCUMENT'
  | 'WRONG_SIDE';

/** Where a job stands; COMPLETED and ERROR are final */
export type VerificationStatus =
  | 'COMPLETED'
  | 'ERROR'
  | 'PROCESSING'
  | 'QUEUED';

/** What somebody thinks of an expression; PASS: they have seen it */
export type VoteValue =
  | 'AGREE'
  | 'DISAGREE'
  | 'PASS';

/** An expression that is to go */
export type WithdrawExpressionInput = {
  /** Its id */
  readonly id: string | number;
};

export type SessionFieldsFragment = { readonly accessToken: string, readonly refreshToken: string, readonly expiresIn: number, readonly refreshExpiresIn: number };

export type SignInMutationVariables = Exact<{
  input: LoginInput;
}>;


export type SignInMutation = { readonly login: { readonly accessToken: string, readonly refreshToken: string, readonly expiresIn: number, readonly refreshExpiresIn: number } | null };

export type RefreshSessionMutationVariables = Exact<{
  input: RefreshSessionInput;
}>;


export type RefreshSessionMutation = { readonly refreshSession: { readonly accessToken: string, readonly refreshToken: string, readonly expiresIn: number, readonly refreshExpiresIn: number } | null };

export type SignOutMutationVariables = Exact<{
  input: LogoutInput;
}>;


export type SignOutMutation = { readonly logout: { readonly ended: boolean } | null };

export type MeQueryVariables = Exact<{ [key: string]: never; }>;


export type MeQuery = { readonly me: { readonly id: string, readonly name: string | null, readonly email: string | null, readonly roles: ReadonlyArray<AdministratorRole>, readonly permissions: ReadonlyArray<Permission>, readonly expiresAt: string | null, readonly groups: ReadonlyArray<{ readonly id: string }> } | null };

export type DelegationsQueryVariables = Exact<{
  filter?: DelegationFilterInput | null | undefined;
  orderBy?: DelegationOrder;
  first?: number | null | undefined;
  after?: string | null | undefined;
}>;


export type DelegationsQuery = { readonly delegations: { readonly totalCount: number, readonly pageInfo: { readonly endCursor: string | null, readonly hasNextPage: boolean }, readonly nodes: ReadonlyArray<{ readonly id: string, readonly scope: string, readonly status: DelegationStatus, readonly startsAt: string, readonly endsAt: string | null, readonly delegator: { readonly code: string }, readonly delegate: { readonly code: string }, readonly group: { readonly id: string }, readonly domain: { readonly id: string, readonly labels: ReadonlyArray<{ readonly lang: string, readonly text: string }> } | null }> } | null };

export type ImportDelegationsMutationVariables = Exact<{
  input: ImportDelegationsInput;
}>;


export type ImportDelegationsMutation = { readonly importDelegations: { readonly kept: boolean, readonly created: number, readonly updated: number, readonly unchanged: number, readonly refused: number, readonly lines: ReadonlyArray<{ readonly number: number, readonly outcome: DelegationLineOutcome, readonly problems: ReadonlyArray<string> }> } | null };

export type ServiceKeysQueryVariables = Exact<{
  first?: number | null | undefined;
  after?: string | null | undefined;
}>;


export type ServiceKeysQuery = { readonly serviceKeys: { readonly totalCount: number, readonly pageInfo: { readonly endCursor: string | null, readonly hasNextPage: boolean }, readonly nodes: ReadonlyArray<{ readonly id: string, readonly name: string, readonly scopes: ReadonlyArray<ServiceScope>, readonly source: ServiceKeySource, readonly createdAt: string | null, readonly endsAt: string | null }> } | null };

export type AuditTrailQueryVariables = Exact<{
  filter?: AuditFilterInput | null | undefined;
  first?: number | null | undefined;
  after?: string | null | undefined;
}>;


export type AuditTrailQuery = { readonly auditTrail: { readonly pageInfo: { readonly endCursor: string | null, readonly hasNextPage: boolean }, readonly nodes: ReadonlyArray<{ readonly id: string, readonly at: string, readonly action: string, readonly outcome: AuditOutcome, readonly subject: string | null, readonly service: string | null, readonly target: string | null, readonly address: string | null, readonly requestId: string, readonly details: ReadonlyArray<{ readonly key: string, readonly value: string }>, readonly administrator: { readonly id: string, readonly name: string | null, readonly email: string | null } | null }> } | null };

export type AccountFieldsFragment = { readonly id: string, readonly email: string, readonly givenName: string | null, readonly familyName: string | null, readonly locale: string | null, readonly roles: ReadonlyArray<AdministratorRole>, readonly createdAt: string, readonly disabledAt: string | null, readonly tenant: { readonly id: string } | null, readonly groups: ReadonlyArray<{ readonly id: string }> };

export type AccountsQueryVariables = Exact<{
  filter?: AccountFilterInput | null | undefined;
  first?: number | null | undefined;
  after?: string | null | undefined;
}>;


export type AccountsQuery = { readonly accounts: { readonly totalCount: number, readonly pageInfo: { readonly endCursor: string | null, readonly hasNextPage: boolean }, readonly nodes: ReadonlyArray<{ readonly id: string, readonly email: string, readonly givenName: string | null, readonly familyName: string | null, readonly locale: string | null, readonly roles: ReadonlyArray<AdministratorRole>, readonly createdAt: string, readonly disabledAt: string | null, readonly tenant: { readonly id: string } | null, readonly groups: ReadonlyArray<{ readonly id: string }> }> } | null };

export type CreateAccountMutationVariables = Exact<{
  input: CreateAccountInput;
}>;


export type CreateAccountMutation = { readonly createAccount: { readonly password: string, readonly account: { readonly id: string, readonly email: string, readonly givenName: string | null, readonly familyName: string | null, readonly locale: string | null, readonly roles: ReadonlyArray<AdministratorRole>, readonly createdAt: string, readonly disabledAt: string | null, readonly tenant: { readonly id: string } | null, readonly groups: ReadonlyArray<{ readonly id: string }> } } | null };

export type UpdateAccountMutationVariables = Exact<{
  input: UpdateAccountInput;
}>;


export type UpdateAccountMutation = { readonly updateAccount: { readonly account: { readonly id: string, readonly email: string, readonly givenName: string | null, readonly familyName: string | null, readonly locale: string | null, readonly roles: ReadonlyArray<AdministratorRole>, readonly createdAt: string, readonly disabledAt: string | null, readonly tenant: { readonly id: string } | null, readonly groups: ReadonlyArray<{ readonly id: string }> } } | null };

export type ResetAccountPasswordMutationVariables = Exact<{
  input: ResetAccountPasswordInput;
}>;


export type ResetAccountPasswordMutation = { readonly resetAccountPassword: { readonly password: string, readonly account: { readonly id: string } } | null };

export type CitizenFileQueryVariables = Exact<{
  code: string;
  first?: number | null | undefined;
}>;


export type CitizenFileQuery = { readonly citizen: { readonly nodeId: string, readonly code: string, readonly verifications: { readonly nodes: ReadonlyArray<{ readonly id: string, readonly status: VerificationStatus, readonly outcome: VerificationOutcome | null, readonly documentType: VerificationDocumentType, readonly queuedAt: string }> } | null, readonly delegationsGiven: { readonly nodes: ReadonlyArray<{ readonly id: string, readonly scope: string, readonly status: DelegationStatus, readonly startsAt: string, readonly delegate: { readonly code: string }, readonly domain: { readonly id: string, readonly slug: string, readonly depth: number, readonly statistics: { readonly expressions: number, readonly trend: number }, readonly expressions: { readonly nodes: ReadonlyArray<{ readonly id: string, readonly text: string, readonly votes: { readonly agree: number, readonly disagree: number, readonly pass: number, readonly total: number } }> } | null, readonly labels: ReadonlyArray<{ readonly lang: string, readonly text: string }> } | null }> } | null } | null };

export type ExpressionFieldsFragment = { readonly id: string, readonly text: string, readonly status: ExpressionStatus, readonly createdAt: string, readonly lang: { readonly code: string } | null, readonly location: { readonly place: string | null, readonly lat: number, readonly lon: number } | null, readonly classification: { readonly method: ClassificationMethod, readonly domain: { readonly score: number, readonly label: string, readonly domain: { readonly id: string } } | null, readonly subDomain: { readonly score: number, readonly label: string, readonly domain: { readonly id: string } } | null } | null, readonly sentiment: { readonly label: SentimentLabel, readonly score: number } | null, readonly votes: { readonly agree: number, readonly disagree: number, readonly pass: number, readonly total: number, readonly unverified: { readonly total: number, readonly agree: number, readonly disagree: number, readonly pass: number } } };

export type ExpressionsQueryVariables = Exact<{
  filter?: ExpressionFilterInput | null | undefined;
  first?: number | null | undefined;
  after?: string | null | undefined;
}>;


export type ExpressionsQuery = { readonly expressions: { readonly pageInfo: { readonly endCursor: string | null, readonly hasNextPage: boolean }, readonly nodes: ReadonlyArray<{ readonly id: string, readonly text: string, readonly status: ExpressionStatus, readonly createdAt: string, readonly lang: { readonly code: string } | null, readonly location: { readonly place: string | null, readonly lat: number, readonly lon: number } | null, readonly classification: { readonly method: ClassificationMethod, readonly domain: { readonly score: number, readonly label: string, readonly domain: { readonly id: string } } | null, readonly subDomain: { readonly score: number, readonly label: string, readonly domain: { readonly id: string } } | null } | null, readonly sentiment: { readonly label: SentimentLabel, readonly score: number } | null, readonly votes: { readonly agree: number, readonly disagree: number, readonly pass: number, readonly total: number, readonly unverified: { readonly total: number, readonly agree: number, readonly disagree: number, readonly pass: number } } }> } | null };

export type SearchExpressionsQueryVariables = Exact<{
  input: SearchExpressionsInput;
  first?: number;
  after?: string | null | undefined;
}>;


export type SearchExpressionsQuery = { readonly searchExpressions: { readonly pageInfo: { readonly endCursor: string | null, readonly hasNextPage: boolean }, readonly nodes: ReadonlyArray<{ readonly id: string, readonly text: string, readonly status: ExpressionStatus, readonly createdAt: string, readonly lang: { readonly code: string } | null, readonly location: { readonly place: string | null, readonly lat: number, readonly lon: number } | null, readonly classification: { readonly method: ClassificationMethod, readonly domain: { readonly score: number, readonly label: string, readonly domain: { readonly id: string } } | null, readonly subDomain: { readonly score: number, readonly label: string, readonly domain: { readonly id: string } } | null } | null, readonly sentiment: { readonly label: SentimentLabel, readonly score: number } | null, readonly votes: { readonly agree: number, readonly disagree: number, readonly pass: number, readonly total: number, readonly unverified: { readonly total: number, readonly agree: number, readonly disagree: number, readonly pass: number } } }> } | null };

export type PipelineQueryVariables = Exact<{ [key: string]: never; }>;


export type PipelineQuery = { readonly pipelineMetrics: { readonly version: string, readonly expressions: number, readonly queueMessages: number, readonly queueOldestSeconds: number, readonly retriesWaiting: number, readonly deadLetters: number, readonly deadMessages: number } | null, readonly models: ReadonlyArray<{ readonly name: string, readonly task: ModelTask, readonly version: string, readonly languages: ReadonlyArray<string>, readonly licence: string, readonly card: string }> | null };

export type DeadLettersQueryVariables = Exact<{
  kind?: DeadLetterKind;
  first?: number | null | undefined;
  after?: string | null | undefined;
}>;


export type DeadLettersQuery = { readonly deadLetters: { readonly totalCount: number, readonly pageInfo: { readonly endCursor: string | null, readonly hasNextPage: boolean }, readonly nodes: ReadonlyArray<{ readonly id: string, readonly kind: DeadLetterKind, readonly reason: string, readonly at: string }> } | null };

export type RedriveDeadLettersMutationVariables = Exact<{
  input: RedriveDeadLettersInput;
}>;


export type RedriveDeadLettersMutation = { readonly redriveDeadLetters: { readonly written: number, readonly waiting: number, readonly failed: number, readonly redrivenIds: ReadonlyArray<string>, readonly unknown: number, readonly remaining: number } | null };

export type IngestExpressionMutationVariables = Exact<{
  input: IngestExpressionInput;
}>;


export type IngestExpressionMutation = { readonly ingestExpression: { readonly created: boolean, readonly expression: { readonly id: string, readonly text: string, readonly status: ExpressionStatus, readonly createdAt: string, readonly lang: { readonly code: string } | null, readonly location: { readonly place: string | null, readonly lat: number, readonly lon: number } | null, readonly classification: { readonly method: ClassificationMethod, readonly domain: { readonly score: number, readonly label: string, readonly domain: { readonly id: string } } | null, readonly subDomain: { readonly score: number, readonly label: string, readonly domain: { readonly id: string } } | null } | null, readonly sentiment: { readonly label: SentimentLabel, readonly score: number } | null, readonly votes: { readonly agree: number, readonly disagree: number, readonly pass: number, readonly total: number, readonly unverified: { readonly total: number, readonly agree: number, readonly disagree: number, readonly pass: number } } } } | null };

export type CorrectClassificationMutationVariables = Exact<{
  input: CorrectClassificationInput;
}>;


export type CorrectClassificationMutation = { readonly correctClassification: { readonly expression: { readonly id: string, readonly text: string, readonly status: ExpressionStatus, readonly createdAt: string, readonly lang: { readonly code: string } | null, readonly location: { readonly place: string | null, readonly lat: number, readonly lon: number } | null, readonly classification: { readonly method: ClassificationMethod, readonly domain: { readonly score: number, readonly label: string, readonly domain: { readonly id: string } } | null, readonly subDomain: { readonly score: number, readonly label: string, readonly domain: { readonly id: string } } | null } | null, readonly sentiment: { readonly label: SentimentLabel, readonly score: number } | null, readonly votes: { readonly agree: number, readonly disagree: number, readonly pass: number, readonly total: number, readonly unverified: { readonly total: number, readonly agree: number, readonly disagree: number, readonly pass: number } } } } | null };

export type WithdrawExpressionMutationVariables = Exact<{
  input: WithdrawExpressionInput;
}>;


export type WithdrawExpressionMutation = { readonly withdrawExpression: { readonly id: string } | null };

export type ExpressionAddedSubscriptionVariables = Exact<{
  filter?: ExpressionStreamFilterInput | null | undefined;
  updates?: boolean;
  withdrawals?: boolean;
  after?: number | null | undefined;
}>;


export type ExpressionAddedSubscription = { readonly expressionAdded: { readonly seq: number, readonly kind: ExpressionEventKind, readonly dropped: number | null, readonly withdrawnId: string | null, readonly expression: { readonly id: string, readonly text: string, readonly status: ExpressionStatus, readonly createdAt: string, readonly lang: { readonly code: string } | null, readonly location: { readonly place: string | null, readonly lat: number, readonly lon: number } | null, readonly classification: { readonly method: ClassificationMethod, readonly domain: { readonly score: number, readonly label: string, readonly domain: { readonly id: string } } | null, readonly subDomain: { readonly score: number, readonly label: string, readonly domain: { readonly id: string } } | null } | null, readonly sentiment: { readonly label: SentimentLabel, readonly score: number } | null, readonly votes: { readonly agree: number, readonly disagree: number, readonly pass: number, readonly total: number, readonly unverified: { readonly total: number, readonly agree: number, readonly disagree: number, readonly pass: number } } } | null } };

export type SynchroniseTaxonomiesMutationVariables = Exact<{ [key: string]: never; }>;


export type SynchroniseTaxonomiesMutation = { readonly synchroniseTaxonomies: { readonly version: string, readonly added: number, readonly updated: number, readonly removed: number, readonly unchanged: number } | null };

export type ExpressionByIdQueryVariables = Exact<{
  id: string | number;
}>;


export type ExpressionByIdQuery = { readonly expression: { readonly id: string, readonly text: string, readonly status: ExpressionStatus, readonly createdAt: string, readonly lang: { readonly code: string } | null, readonly location: { readonly place: string | null, readonly lat: number, readonly lon: number } | null, readonly classification: { readonly method: ClassificationMethod, readonly domain: { readonly score: number, readonly label: string, readonly domain: { readonly id: string } } | null, readonly subDomain: { readonly score: number, readonly label: string, readonly domain: { readonly id: string } } | null } | null, readonly sentiment: { readonly label: SentimentLabel, readonly score: number } | null, readonly votes: { readonly agree: number, readonly disagree: number, readonly pass: number, readonly total: number, readonly unverified: { readonly total: number, readonly agree: number, readonly disagree: number, readonly pass: number } } } | null };

export type ContentNodeFieldsFragment = { readonly id: string, readonly tenantId: string, readonly title: string, readonly slug: string, readonly summary: string | null, readonly position: number, readonly childrenCount: number, readonly updatedAt: string };

export type ContentTextFieldsFragment = { readonly externalId: string | null, readonly parentId: string | null, readonly body: string | null, readonly locale: string | null, readonly depth: number, readonly metadata: Record<string, unknown>, readonly createdAt: string, readonly id: string, readonly tenantId: string, readonly title: string, readonly slug: string, readonly summary: string | null, readonly position: number, readonly childrenCount: number, readonly updatedAt: string, readonly media: ReadonlyArray<{ readonly url: string, readonly type: string | null, readonly alt: string | null, readonly caption: string | null }> };

export type ContentPlaceFieldsFragment = { readonly path: ReadonlyArray<string>, readonly pathTruncated: boolean, readonly externalId: string | null, readonly parentId: string | null, readonly body: string | null, readonly locale: string | null, readonly depth: number, readonly metadata: Record<string, unknown>, readonly createdAt: string, readonly id: string, readonly tenantId: string, readonly title: string, readonly slug: string, readonly summary: string | null, readonly position: number, readonly childrenCount: number, readonly updatedAt: string, readonly media: ReadonlyArray<{ readonly url: string, readonly type: string | null, readonly alt: string | null, readonly caption: string | null }> };

export type ContentRootQueryVariables = Exact<{
  tenantId?: string | number | null | undefined;
  first?: number;
}>;


export type ContentRootQuery = { readonly contentRoot: { readonly version: number, readonly root: { readonly path: ReadonlyArray<string>, readonly pathTruncated: boolean, readonly externalId: string | null, readonly parentId: string | null, readonly body: string | null, readonly locale: string | null, readonly depth: number, readonly metadata: Record<string, unknown>, readonly createdAt: string, readonly id: string, readonly tenantId: string, readonly title: string, readonly slug: string, readonly summary: string | null, readonly position: number, readonly childrenCount: number, readonly updatedAt: string, readonly children: { readonly pageInfo: { readonly endCursor: string | null, readonly hasNextPage: boolean }, readonly nodes: ReadonlyArray<{ readonly externalId: string | null, readonly parentId: string | null, readonly body: string | null, readonly locale: string | null, readonly depth: number, readonly metadata: Record<string, unknown>, readonly createdAt: string, readonly id: string, readonly tenantId: string, readonly title: string, readonly slug: string, readonly summary: string | null, readonly position: number, readonly childrenCount: number, readonly updatedAt: string, readonly media: ReadonlyArray<{ readonly url: string, readonly type: string | null, readonly alt: string | null, readonly caption: string | null }> }> } | null, readonly media: ReadonlyArray<{ readonly url: string, readonly type: string | null, readonly alt: string | null, readonly caption: string | null }> } } | null };

export type ContentNodeQueryVariables = Exact<{
  id: string | number;
  tenantId?: string | number | null | undefined;
  first?: number;
  after?: string | null | undefined;
}>;


export type ContentNodeQuery = { readonly contentNode: { readonly path: ReadonlyArray<string>, readonly pathTruncated: boolean, readonly externalId: string | null, readonly parentId: string | null, readonly body: string | null, readonly locale: string | null, readonly depth: number, readonly metadata: Record<string, unknown>, readonly createdAt: string, readonly id: string, readonly tenantId: string, readonly title: string, readonly slug: string, readonly summary: string | null, readonly position: number, readonly childrenCount: number, readonly updatedAt: string, readonly ancestors: ReadonlyArray<{ readonly id: string, readonly tenantId: string, readonly title: string, readonly locale: string | null }>, readonly children: { readonly pageInfo: { readonly endCursor: string | null, readonly hasNextPage: boolean }, readonly nodes: ReadonlyArray<{ readonly externalId: string | null, readonly parentId: string | null, readonly body: string | null, readonly locale: string | null, readonly depth: number, readonly metadata: Record<string, unknown>, readonly createdAt: string, readonly id: string, readonly tenantId: string, readonly title: string, readonly slug: string, readonly summary: string | null, readonly position: number, readonly childrenCount: number, readonly updatedAt: string, readonly media: ReadonlyArray<{ readonly url: string, readonly type: string | null, readonly alt: string | null, readonly caption: string | null }> }> } | null, readonly media: ReadonlyArray<{ readonly url: string, readonly type: string | null, readonly alt: string | null, readonly caption: string | null }> } | null };

export type ContentSubtreeQueryVariables = Exact<{
  id?: string | number | null | undefined;
  tenantId?: string | number | null | undefined;
  first?: number;
  after?: string | null | undefined;
}>;


export type ContentSubtreeQuery = { readonly contentSubtree: { readonly pageInfo: { readonly endCursor: string | null, readonly hasNextPage: boolean }, readonly nodes: ReadonlyArray<{ readonly externalId: string | null, readonly parentId: string | null, readonly body: string | null, readonly locale: string | null, readonly depth: number, readonly metadata: Record<string, unknown>, readonly createdAt: string, readonly id: string, readonly tenantId: string, readonly title: string, readonly slug: string, readonly summary: string | null, readonly position: number, readonly childrenCount: number, readonly updatedAt: string, readonly media: ReadonlyArray<{ readonly url: string, readonly type: string | null, readonly alt: string | null, readonly caption: string | null }> }> } | null };

export type UpdateContentNodeMutationVariables = Exact<{
  input: UpdateContentNodeInput;
}>;


export type UpdateContentNodeMutation = { readonly updateContentNode: { readonly node: { readonly body: string | null, readonly id: string, readonly tenantId: string, readonly title: string, readonly slug: string, readonly summary: string | null, readonly position: number, readonly childrenCount: number, readonly updatedAt: string } } | null };

export type CreateContentNodeMutationVariables = Exact<{
  input: CreateContentNodeInput;
}>;


export type CreateContentNodeMutation = { readonly createContentNode: { readonly created: boolean, readonly node: { readonly id: string, readonly tenantId: string, readonly title: string, readonly slug: string, readonly summary: string | null, readonly position: number, readonly childrenCount: number, readonly updatedAt: string } } | null };

export type MoveContentNodeMutationVariables = Exact<{
  input: MoveContentNodeInput;
}>;


export type MoveContentNodeMutation = { readonly moveContentNode: { readonly node: { readonly id: string, readonly tenantId: string, readonly title: string, readonly slug: string, readonly summary: string | null, readonly position: number, readonly childrenCount: number, readonly updatedAt: string } } | null };

export type DeleteContentNodeMutationVariables = Exact<{
  input: DeleteContentNodeInput;
}>;


export type DeleteContentNodeMutation = { readonly deleteContentNode: { readonly deleted: number, readonly deletedNodeId: string } | null };

export type ContentTrashQueryVariables = Exact<{
  tenantId?: string | number | null | undefined;
  first?: number;
  after?: string | null | undefined;
  named?: boolean;
}>;


export type ContentTrashQuery = { readonly contentTrash: { readonly pageInfo: { readonly endCursor: string | null, readonly hasNextPage: boolean }, readonly nodes: ReadonlyArray<{ readonly id: string, readonly contentId: string, readonly title: string, readonly locale: string | null, readonly nodesCount: number, readonly removedAt: string, readonly expiresAt: string, readonly removedByService: string | null, readonly removedBy: { readonly id: string, readonly name?: string | null, readonly email?: string | null } | null }> } | null };

export type RestoreContentNodeMutationVariables = Exact<{
  input: RestoreContentNodeInput;
}>;


export type RestoreContentNodeMutation = { readonly restoreContentNode: { readonly restored: number, readonly restoredId: string, readonly node: { readonly id: string, readonly tenantId: string, readonly title: string, readonly slug: string, readonly summary: string | null, readonly position: number, readonly childrenCount: number, readonly updatedAt: string } } | null };

export type PurgeContentNodeMutationVariables = Exact<{
  input: PurgeContentNodeInput;
}>;


export type PurgeContentNodeMutation = { readonly purgeContentNode: { readonly purged: number, readonly purgedId: string } | null };

export type StartContentImportMutationVariables = Exact<{
  input: StartContentImportInput;
}>;


export type StartContentImportMutation = { readonly startContentImport: { readonly importId: string } | null };

export type AppendContentImportMutationVariables = Exact<{
  input: AppendContentImportInput;
}>;


export type AppendContentImportMutation = { readonly appendContentImport: { readonly received: number } | null };

export type FinishContentImportMutationVariables = Exact<{
  input: FinishContentImportInput;
}>;


export type FinishContentImportMutation = { readonly finishContentImport: { readonly summary: { readonly received: number, readonly created: number, readonly updated: number, readonly unchanged: number } | null } | null };

export type DomainFieldsFragment = { readonly id: string, readonly slug: string, readonly depth: number, readonly labels: ReadonlyArray<{ readonly lang: string, readonly text: string }> };

export type DomainsQueryVariables = Exact<{ [key: string]: never; }>;


export type DomainsQuery = { readonly domains: { readonly version: string, readonly domains: ReadonlyArray<{ readonly id: string, readonly slug: string, readonly depth: number, readonly statistics: { readonly expressions: number, readonly share: number, readonly trend: number }, readonly subDomains: ReadonlyArray<{ readonly id: string, readonly slug: string, readonly depth: number, readonly labels: ReadonlyArray<{ readonly lang: string, readonly text: string }> }>, readonly labels: ReadonlyArray<{ readonly lang: string, readonly text: string }> }> } | null };

export type StatisticsQueryVariables = Exact<{
  filter?: StatisticsFilterInput | null | undefined;
}>;


export type StatisticsQuery = { readonly statistics: { readonly generatedAt: string, readonly participants: number | null, readonly expressions: { readonly total: number, readonly today: number, readonly last7d: number }, readonly votes: { readonly total: number, readonly unverified: { readonly total: number } }, readonly sentiment: { readonly score: number | null, readonly positive: number, readonly neutral: number, readonly negative: number } } | null };

export type MapQueryVariables = Exact<{
  filter?: MapFilterInput | null | undefined;
  zoom?: number | null | undefined;
}>;


export type MapQuery = { readonly map: { readonly version: string, readonly zoom: number, readonly total: number, readonly unmapped: number, readonly features: ReadonlyArray<
      | { readonly lat: number, readonly lon: number, readonly pointCount: number, readonly expansionZoom: number }
      | { readonly lat: number, readonly lon: number, readonly expression: { readonly id: string, readonly text: string } }
    > } | null };

export type CastVoteMutationVariables = Exact<{
  input: CastVoteInput;
}>;


export type CastVoteMutation = { readonly castVote: { readonly value: VoteValue, readonly expression: { readonly id: string, readonly votes: { readonly agree: number, readonly disagree: number, readonly pass: number, readonly total: number, readonly unverified: { readonly total: number, readonly agree: number, readonly disagree: number, readonly pass: number } } } } | null };

export type StatisticsChangedSubscriptionVariables = Exact<{
  after?: number | null | undefined;
}>;


export type StatisticsChangedSubscription = { readonly statisticsChanged: { readonly seq: number, readonly statistics: { readonly expressions: { readonly total: number, readonly today: number }, readonly votes: { readonly total: number } } } };

export type ExplorerFiguresQueryVariables = Exact<{
  filter?: StatisticsFilterInput | null | undefined;
}>;


export type ExplorerFiguresQuery = { readonly statistics: { readonly version: string, readonly participants: number | null, readonly expressions: { readonly total: number, readonly today: number, readonly byLang: ReadonlyArray<{ readonly lang: string, readonly count: number }> }, readonly votes: { readonly total: number, readonly unverified: { readonly total: number } }, readonly sentiment: { readonly positive: number, readonly neutral: number, readonly negative: number, readonly history: ReadonlyArray<{ readonly day: string, readonly positive: number, readonly neutral: number, readonly negative: number }> } } | null };

export type TopicFieldsFragment = { readonly id: string, readonly labels: ReadonlyArray<{ readonly lang: string, readonly text: string }>, readonly statistics: { readonly expressions: number, readonly last7d: number, readonly trend: number, readonly sentiment: { readonly positive: number, readonly neutral: number, readonly negative: number } } };

export type ExplorerTopicsQueryVariables = Exact<{ [key: string]: never; }>;


export type ExplorerTopicsQuery = { readonly domains: { readonly version: string, readonly domains: ReadonlyArray<{ readonly id: string, readonly subDomains: ReadonlyArray<{ readonly id: string, readonly labels: ReadonlyArray<{ readonly lang: string, readonly text: string }>, readonly statistics: { readonly expressions: number, readonly last7d: number, readonly trend: number, readonly sentiment: { readonly positive: number, readonly neutral: number, readonly negative: number } } }>, readonly labels: ReadonlyArray<{ readonly lang: string, readonly text: string }>, readonly statistics: { readonly expressions: number, readonly last7d: number, readonly trend: number, readonly sentiment: { readonly positive: number, readonly neutral: number, readonly negative: number } } }> } | null };

export type ExplorerPlaceQueryVariables = Exact<{
  statistics?: StatisticsFilterInput | null | undefined;
}>;


export type ExplorerPlaceQuery = { readonly statistics: { readonly sentiment: { readonly history: ReadonlyArray<{ readonly day: string, readonly positive: number, readonly neutral: number, readonly negative: number }> } } | null };

export type DistrictsQueryVariables = Exact<{
  filter?: DistrictFilterInput | null | undefined;
}>;


export type DistrictsQuery = { readonly districts: { readonly version: string, readonly districts: ReadonlyArray<{ readonly code: string, readonly expressions: number, readonly labels: ReadonlyArray<{ readonly lang: string, readonly text: string }>, readonly votes: { readonly total: number }, readonly sentiment: { readonly positive: number, readonly neutral: number, readonly negative: number, readonly score: number | null }, readonly domains: ReadonlyArray<{ readonly count: number, readonly domain: { readonly id: string } }> }> } | null };

export type DistrictOutlinesQueryVariables = Exact<{ [key: string]: never; }>;


export type DistrictOutlinesQuery = { readonly districts: { readonly outlines: string } | null };

export type CastPublicVoteMutationVariables = Exact<{
  input: CastPublicVoteInput;
}>;


export type CastPublicVoteMutation = { readonly castPublicVote: { readonly pass: string, readonly passExpiresAt: string, readonly value: VoteValue, readonly expression: { readonly id: string, readonly votes: { readonly agree: number, readonly disagree: number, readonly pass: number, readonly total: number, readonly unverified: { readonly total: number, readonly agree: number, readonly disagree: number, readonly pass: number } } } } | null };

export type HealthFieldsFragment = { readonly status: HealthStatus, readonly version: string, readonly uptimeSeconds: number, readonly checks: ReadonlyArray<{ readonly name: string, readonly engine: string, readonly status: HealthStatus, readonly latencyMs: number, readonly error: string | null, readonly drift: number | null }> };

export type HealthQueryVariables = Exact<{ [key: string]: never; }>;


export type HealthQuery = { readonly verification: { readonly status: HealthStatus, readonly version: string, readonly uptimeSeconds: number, readonly checks: ReadonlyArray<{ readonly name: string, readonly engine: string, readonly status: HealthStatus, readonly latencyMs: number, readonly error: string | null, readonly drift: number | null }> } | null, readonly exploration: { readonly status: HealthStatus, readonly version: string, readonly uptimeSeconds: number, readonly checks: ReadonlyArray<{ readonly name: string, readonly engine: string, readonly status: HealthStatus, readonly latencyMs: number, readonly error: string | null, readonly drift: number | null }> } | null, readonly classification: { readonly status: HealthStatus, readonly version: string, readonly uptimeSeconds: number, readonly checks: ReadonlyArray<{ readonly name: string, readonly engine: string, readonly status: HealthStatus, readonly latencyMs: number, readonly error: string | null, readonly drift: number | null }> } | null, readonly administration: { readonly status: HealthStatus, readonly version: string, readonly uptimeSeconds: number, readonly checks: ReadonlyArray<{ readonly name: string, readonly engine: string, readonly status: HealthStatus, readonly latencyMs: number, readonly error: string | null, readonly drift: number | null }> } | null, readonly content: { readonly status: HealthStatus, readonly version: string, readonly uptimeSeconds: number, readonly checks: ReadonlyArray<{ readonly name: string, readonly engine: string, readonly status: HealthStatus, readonly latencyMs: number, readonly error: string | null, readonly drift: number | null }> } | null };

export type ComponentHealthQueryVariables = Exact<{
  verification?: boolean | null | undefined;
  exploration?: boolean | null | undefined;
  classification?: boolean | null | undefined;
  administration?: boolean | null | undefined;
  content?: boolean | null | undefined;
}>;


export type ComponentHealthQuery = { readonly verification?: { readonly status: HealthStatus, readonly version: string, readonly uptimeSeconds: number, readonly checks: ReadonlyArray<{ readonly name: string, readonly engine: string, readonly status: HealthStatus, readonly latencyMs: number, readonly error: string | null, readonly drift: number | null }> } | null, readonly exploration?: { readonly status: HealthStatus, readonly version: string, readonly uptimeSeconds: number, readonly checks: ReadonlyArray<{ readonly name: string, readonly engine: string, readonly status: HealthStatus, readonly latencyMs: number, readonly error: string | null, readonly drift: number | null }> } | null, readonly classification?: { readonly status: HealthStatus, readonly version: string, readonly uptimeSeconds: number, readonly checks: ReadonlyArray<{ readonly name: string, readonly engine: string, readonly status: HealthStatus, readonly latencyMs: number, readonly error: string | null, readonly drift: number | null }> } | null, readonly administration?: { readonly status: HealthStatus, readonly version: string, readonly uptimeSeconds: number, readonly checks: ReadonlyArray<{ readonly name: string, readonly engine: string, readonly status: HealthStatus, readonly latencyMs: number, readonly error: string | null, readonly drift: number | null }> } | null, readonly content?: { readonly status: HealthStatus, readonly version: string, readonly uptimeSeconds: number, readonly checks: ReadonlyArray<{ readonly name: string, readonly engine: string, readonly status: HealthStatus, readonly latencyMs: number, readonly error: string | null, readonly drift: number | null }> } | null };

export type CheckFieldsFragment = { readonly result: CheckResult, readonly breakdown: ReadonlyArray<{ readonly name: string, readonly result: CheckResult, readonly properties: ReadonlyArray<{ readonly key: string, readonly text: string | null, readonly number: number | null }> | null }> | null, readonly properties: ReadonlyArray<{ readonly key: string, readonly text: string | null, readonly number: number | null }> | null };

export type CrossValidationFieldsFragment = { readonly reasons: ReadonlyArray<VerificationReason>, readonly dataValidation: { readonly documentExpiration: { readonly result: CheckResult, readonly breakdown: ReadonlyArray<{ readonly name: string, readonly result: CheckResult, readonly properties: ReadonlyArray<{ readonly key: string, readonly text: string | null, readonly number: number | null }> | null }> | null, readonly properties: ReadonlyArray<{ readonly key: string, readonly text: string | null, readonly number: number | null }> | null } | null, readonly documentNumbers: { readonly result: CheckResult, readonly breakdown: ReadonlyArray<{ readonly name: string, readonly result: CheckResult, readonly properties: ReadonlyArray<{ readonly key: string, readonly text: string | null, readonly number: number | null }> | null }> | null, readonly properties: ReadonlyArray<{ readonly key: string, readonly text: string | null, readonly number: number | null }> | null } | null, readonly mrz: { readonly result: CheckResult, readonly breakdown: ReadonlyArray<{ readonly name: string, readonly result: CheckResult, readonly properties: ReadonlyArray<{ readonly key: string, readonly text: string | null, readonly number: number | null }> | null }> | null, readonly properties: ReadonlyArray<{ readonly key: string, readonly text: string | null, readonly number: number | null }> | null } | null, readonly dateOfBirth: { readonly result: CheckResult, readonly breakdown: ReadonlyArray<{ readonly name: string, readonly result: CheckResult, readonly properties: ReadonlyArray<{ readonly key: string, readonly text: string | null, readonly number: number | null }> | null }> | null, readonly properties: ReadonlyArray<{ readonly key: string, readonly text: string | null, readonly number: number | null }> | null } | null } | null, readonly dataComparison: { readonly firstName: { readonly result: CheckResult, readonly breakdown: ReadonlyArray<{ readonly name: string, readonly result: CheckResult, readonly properties: ReadonlyArray<{ readonly key: string, readonly text: string | null, readonly number: number | null }> | null }> | null, readonly properties: ReadonlyArray<{ readonly key: string, readonly text: string | null, readonly number: number | null }> | null } | null, readonly lastName: { readonly result: CheckResult, readonly breakdown: ReadonlyArray<{ readonly name: string, readonly result: CheckResult, readonly properties: ReadonlyArray<{ readonly key: string, readonly text: string | null, readonly number: number | null }> | null }> | null, readonly properties: ReadonlyArray<{ readonly key: string, readonly text: string | null, readonly number: number | null }> | null } | null, readonly dateOfBirth: { readonly result: CheckResult, readonly breakdown: ReadonlyArray<{ readonly name: string, readonly result: CheckResult, readonly properties: ReadonlyArray<{ readonly key: string, readonly text: string | null, readonly number: number | null }> | null }> | null, readonly properties: ReadonlyArray<{ readonly key: string, readonly text: string | null, readonly number: number | null }> | null } | null, readonly gender: { readonly result: CheckResult, readonly breakdown: ReadonlyArray<{ readonly name: string, readonly result: CheckResult, readonly properties: ReadonlyArray<{ readonly key: string, readonly text: string | null, readonly number: number | null }> | null }> | null, readonly properties: ReadonlyArray<{ readonly key: string, readonly text: string | null, readonly number: number | null }> | null } | null, readonly nationality: { readonly result: CheckResult, readonly breakdown: ReadonlyArray<{ readonly name: string, readonly result: CheckResult, readonly properties: ReadonlyArray<{ readonly key: string, readonly text: string | null, readonly number: number | null }> | null }> | null, readonly properties: ReadonlyArray<{ readonly key: string, readonly text: string | null, readonly number: number | null }> | null } | null, readonly issuingCountry: { readonly result: CheckResult, readonly breakdown: ReadonlyArray<{ readonly name: string, readonly result: CheckResult, readonly properties: ReadonlyArray<{ readonly key: string, readonly text: string | null, readonly number: number | null }> | null }> | null, readonly properties: ReadonlyArray<{ readonly key: string, readonly text: string | null, readonly number: number | null }> | null } | null, readonly documentType: { readonly result: CheckResult, readonly breakdown: ReadonlyArray<{ readonly name: string, readonly result: CheckResult, readonly properties: ReadonlyArray<{ readonly key: string, readonly text: string | null, readonly number: number | null }> | null }> | null, readonly properties: ReadonlyArray<{ readonly key: string, readonly text: string | null, readonly number: number | null }> | null } | null } | null, readonly dataConsistency: { readonly result: CheckResult, readonly breakdown: ReadonlyArray<{ readonly name: string, readonly result: CheckResult, readonly properties: ReadonlyArray<{ readonly key: string, readonly text: string | null, readonly number: number | null }> | null }> | null, readonly properties: ReadonlyArray<{ readonly key: string, readonly text: string | null, readonly number: number | null }> | null } | null, readonly imageIntegrity: { readonly faceDetected: { readonly result: CheckResult, readonly breakdown: ReadonlyArray<{ readonly name: string, readonly result: CheckResult, readonly properties: ReadonlyArray<{ readonly key: string, readonly text: string | null, readonly number: number | null }> | null }> | null, readonly properties: ReadonlyArray<{ readonly key: string, readonly text: string | null, readonly number: number | null }> | null } | null, readonly imageQuality: { readonly result: CheckResult, readonly breakdown: ReadonlyArray<{ readonly name: string, readonly result: CheckResult, readonly properties: ReadonlyArray<{ readonly key: string, readonly text: string | null, readonly number: number | null }> | null }> | null, readonly properties: ReadonlyArray<{ readonly key: string, readonly text: string | null, readonly number: number | null }> | null } | null, readonly supportedDocument: { readonly result: CheckResult, readonly breakdown: ReadonlyArray<{ readonly name: string, readonly result: CheckResult, readonly properties: ReadonlyArray<{ readonly key: string, readonly text: string | null, readonly number: number | null }> | null }> | null, readonly properties: ReadonlyArray<{ readonly key: string, readonly text: string | null, readonly number: number | null }> | null } | null } | null, readonly faceComparison: { readonly faceMatch: { readonly result: CheckResult, readonly breakdown: ReadonlyArray<{ readonly name: string, readonly result: CheckResult, readonly properties: ReadonlyArray<{ readonly key: string, readonly text: string | null, readonly number: number | null }> | null }> | null, readonly properties: ReadonlyArray<{ readonly key: string, readonly text: string | null, readonly number: number | null }> | null } | null } | null, readonly barcodes: { readonly result: CheckResult, readonly breakdown: ReadonlyArray<{ readonly name: string, readonly result: CheckResult, readonly properties: ReadonlyArray<{ readonly key: string, readonly text: string | null, readonly number: number | null }> | null }> | null, readonly properties: ReadonlyArray<{ readonly key: string, readonly text: string | null, readonly number: number | null }> | null } | null, readonly liveness: { readonly result: CheckResult, readonly breakdown: ReadonlyArray<{ readonly name: string, readonly result: CheckResult, readonly properties: ReadonlyArray<{ readonly key: string, readonly text: string | null, readonly number: number | null }> | null }> | null, readonly properties: ReadonlyArray<{ readonly key: string, readonly text: string | null, readonly number: number | null }> | null } | null, readonly duplicates: { readonly result: CheckResult, readonly breakdown: ReadonlyArray<{ readonly name: string, readonly result: CheckResult, readonly properties: ReadonlyArray<{ readonly key: string, readonly text: string | null, readonly number: number | null }> | null }> | null, readonly properties: ReadonlyArray<{ readonly key: string, readonly text: string | null, readonly number: number | null }> | null } | null };

export type VerificationResultFieldsFragment = { readonly outcome: VerificationOutcome, readonly status: VerificationStatus, readonly failureReason: string | null, readonly completedAt: string, readonly processingTimeMs: number, readonly scores: { readonly overall: number | null, readonly faceMatch: number | null, readonly dataMatch: number | null, readonly documentQuality: number | null, readonly selfieQuality: number | null, readonly mrzValidity: number | null, readonly nameSimilarity: number | null, readonly ocrConfidence: number | null } | null, readonly job: { readonly id: string, readonly citizen: { readonly code: string } } };

export type ReviewCaseFieldsFragment = { readonly waitingSince: string, readonly documentType: VerificationDocumentType, readonly countryCode: string, readonly reasons: ReadonlyArray<VerificationReason>, readonly claim: { readonly isMine: boolean, readonly until: string } | null, readonly citizen: { readonly code: string }, readonly job: { readonly id: string } | null };

export type SubmitVerificationMutationVariables = Exact<{
  input: SubmitVerificationInput;
}>;


export type SubmitVerificationMutation = { readonly submitVerification: { readonly queuePosition: number, readonly estimatedWaitSeconds: number, readonly job: { readonly id: string, readonly status: VerificationStatus, readonly queuedAt: string } } | null };

export type VerificationJobQueryVariables = Exact<{
  id: string | number;
}>;


export type VerificationJobQuery = { readonly verificationJob: { readonly id: string, readonly status: VerificationStatus, readonly outcome: VerificationOutcome | null, readonly queuedAt: string, readonly startedAt: string | null, readonly completedAt: string | null, readonly result: { readonly outcome: VerificationOutcome, readonly status: VerificationStatus, readonly failureReason: string | null, readonly completedAt: string, readonly processingTimeMs: number, readonly crossValidations: { readonly reasons: ReadonlyArray<VerificationReason>, readonly dataValidation: { readonly documentExpiration: { readonly result: CheckResult, readonly breakdown: ReadonlyArray<{ readonly name: string, readonly result: CheckResult, readonly properties: ReadonlyArray<{ readonly key: string, readonly text: string | null, readonly number: number | null }> | null }> | null, readonly properties: ReadonlyArray<{ readonly key: string, readonly text: string | null, readonly number: number | null }> | null } | null, readonly documentNumbers: { readonly result: CheckResult, readonly breakdown: ReadonlyArray<{ readonly name: string, readonly result: CheckResult, readonly properties: ReadonlyArray<{ readonly key: string, readonly text: string | null, readonly number: number | null }> | null }> | null, readonly properties: ReadonlyArray<{ readonly key: string, readonly text: string | null, readonly number: number | null }> | null } | null, readonly mrz: { readonly result: CheckResult, readonly breakdown: ReadonlyArray<{ readonly name: string, readonly result: CheckResult, readonly properties: ReadonlyArray<{ readonly key: string, readonly text: string | null, readonly number: number | null }> | null }> | null, readonly properties: ReadonlyArray<{ readonly key: string, readonly text: string | null, readonly number: number | null }> | null } | null, readonly dateOfBirth: { readonly result: CheckResult, readonly breakdown: ReadonlyArray<{ readonly name: string, readonly result: CheckResult, readonly properties: ReadonlyArray<{ readonly key: string, readonly text: string | null, readonly number: number | null }> | null }> | null, readonly properties: ReadonlyArray<{ readonly key: string, readonly text: string | null, readonly number: number | null }> | null } | null } | null, readonly dataComparison: { readonly firstName: { readonly result: CheckResult, readonly breakdown: ReadonlyArray<{ readonly name: string, readonly result: CheckResult, readonly properties: ReadonlyArray<{ readonly key: string, readonly text: string | null, readonly number: number | null }> | null }> | null, readonly properties: ReadonlyArray<{ readonly key: string, readonly text: string | null, readonly number: number | null }> | null } | null, readonly lastName: { readonly result: CheckResult, readonly breakdown: ReadonlyArray<{ readonly name: string, readonly result: CheckResult, readonly properties: ReadonlyArray<{ readonly key: string, readonly text: string | null, readonly number: number | null }> | null }> | null, readonly properties: ReadonlyArray<{ readonly key: string, readonly text: string | null, readonly number: number | null }> | null } | null, readonly dateOfBirth: { readonly result: CheckResult, readonly breakdown: ReadonlyArray<{ readonly name: string, readonly result: CheckResult, readonly properties: ReadonlyArray<{ readonly key: string, readonly text: string | null, readonly number: number | null }> | null }> | null, readonly properties: ReadonlyArray<{ readonly key: string, readonly text: string | null, readonly number: number | null }> | null } | null, readonly gender: { readonly result: CheckResult, readonly breakdown: ReadonlyArray<{ readonly name: string, readonly result: CheckResult, readonly properties: ReadonlyArray<{ readonly key: string, readonly text: string | null, readonly number: number | null }> | null }> | null, readonly properties: ReadonlyArray<{ readonly key: string, readonly text: string | null, readonly number: number | null }> | null } | null, readonly nationality: { readonly result: CheckResult, readonly breakdown: ReadonlyArray<{ readonly name: string, readonly result: CheckResult, readonly properties: ReadonlyArray<{ readonly key: string, readonly text: string | null, readonly number: number | null }> | null }> | null, readonly properties: ReadonlyArray<{ readonly key: string, readonly text: string | null, readonly number: number | null }> | null } | null, readonly issuingCountry: { readonly result: CheckResult, readonly breakdown: ReadonlyArray<{ readonly name: string, readonly result: CheckResult, readonly properties: ReadonlyArray<{ readonly key: string, readonly text: string | null, readonly number: number | null }> | null }> | null, readonly properties: ReadonlyArray<{ readonly key: string, readonly text: string | null, readonly number: number | null }> | null } | null, readonly documentType: { readonly result: CheckResult, readonly breakdown: ReadonlyArray<{ readonly name: string, readonly result: CheckResult, readonly properties: ReadonlyArray<{ readonly key: string, readonly text: string | null, readonly number: number | null }> | null }> | null, readonly properties: ReadonlyArray<{ readonly key: string, readonly text: string | null, readonly number: number | null }> | null } | null } | null, readonly dataConsistency: { readonly result: CheckResult, readonly breakdown: ReadonlyArray<{ readonly name: string, readonly result: CheckResult, readonly properties: ReadonlyArray<{ readonly key: string, readonly text: string | null, readonly number: number | null }> | null }> | null, readonly properties: ReadonlyArray<{ readonly key: string, readonly text: string | null, readonly number: number | null }> | null } | null, readonly imageIntegrity: { readonly faceDetected: { readonly result: CheckResult, readonly breakdown: ReadonlyArray<{ readonly name: string, readonly result: CheckResult, readonly properties: ReadonlyArray<{ readonly key: string, readonly text: string | null, readonly number: number | null }> | null }> | null, readonly properties: ReadonlyArray<{ readonly key: string, readonly text: string | null, readonly number: number | null }> | null } | null, readonly imageQuality: { readonly result: CheckResult, readonly breakdown: ReadonlyArray<{ readonly name: string, readonly result: CheckResult, readonly properties: ReadonlyArray<{ readonly key: string, readonly text: string | null, readonly number: number | null }> | null }> | null, readonly properties: ReadonlyArray<{ readonly key: string, readonly text: string | null, readonly number: number | null }> | null } | null, readonly supportedDocument: { readonly result: CheckResult, readonly breakdown: ReadonlyArray<{ readonly name: string, readonly result: CheckResult, readonly properties: ReadonlyArray<{ readonly key: string, readonly text: string | null, readonly number: number | null }> | null }> | null, readonly properties: ReadonlyArray<{ readonly key: string, readonly text: string | null, readonly number: number | null }> | null } | null } | null, readonly faceComparison: { readonly faceMatch: { readonly result: CheckResult, readonly breakdown: ReadonlyArray<{ readonly name: string, readonly result: CheckResult, readonly properties: ReadonlyArray<{ readonly key: string, readonly text: string | null, readonly number: number | null }> | null }> | null, readonly properties: ReadonlyArray<{ readonly key: string, readonly text: string | null, readonly number: number | null }> | null } | null } | null, readonly barcodes: { readonly result: CheckResult, readonly breakdown: ReadonlyArray<{ readonly name: string, readonly result: CheckResult, readonly properties: ReadonlyArray<{ readonly key: string, readonly text: string | null, readonly number: number | null }> | null }> | null, readonly properties: ReadonlyArray<{ readonly key: string, readonly text: string | null, readonly number: number | null }> | null } | null, readonly liveness: { readonly result: CheckResult, readonly breakdown: ReadonlyArray<{ readonly name: string, readonly result: CheckResult, readonly properties: ReadonlyArray<{ readonly key: string, readonly text: string | null, readonly number: number | null }> | null }> | null, readonly properties: ReadonlyArray<{ readonly key: string, readonly text: string | null, readonly number: number | null }> | null } | null, readonly duplicates: { readonly result: CheckResult, readonly breakdown: ReadonlyArray<{ readonly name: string, readonly result: CheckResult, readonly properties: ReadonlyArray<{ readonly key: string, readonly text: string | null, readonly number: number | null }> | null }> | null, readonly properties: ReadonlyArray<{ readonly key: string, readonly text: string | null, readonly number: number | null }> | null } | null } | null, readonly scores: { readonly overall: number | null, readonly faceMatch: number | null, readonly dataMatch: number | null, readonly documentQuality: number | null, readonly selfieQuality: number | null, readonly mrzValidity: number | null, readonly nameSimilarity: number | null, readonly ocrConfidence: number | null } | null, readonly job: { readonly id: string, readonly citizen: { readonly code: string } } } | null } | null };

export type VerificationResultsQueryVariables = Exact<{
  first?: number | null | undefined;
  after?: string | null | undefined;
}>;


export type VerificationResultsQuery = { readonly verificationResults: { readonly totalCount: number, readonly pageInfo: { readonly endCursor: string | null, readonly hasNextPage: boolean }, readonly nodes: ReadonlyArray<{ readonly outcome: VerificationOutcome, readonly status: VerificationStatus, readonly failureReason: string | null, readonly completedAt: string, readonly processingTimeMs: number, readonly scores: { readonly overall: number | null, readonly faceMatch: number | null, readonly dataMatch: number | null, readonly documentQuality: number | null, readonly selfieQuality: number | null, readonly mrzValidity: number | null, readonly nameSimilarity: number | null, readonly ocrConfidence: number | null } | null, readonly job: { readonly id: string, readonly citizen: { readonly code: string } } }> } | null };

export type AcknowledgeVerificationResultsMutationVariables = Exact<{
  input: AcknowledgeVerificationResultsInput;
}>;


export type AcknowledgeVerificationResultsMutation = { readonly acknowledgeVerificationResults: { readonly acknowledgedJobIds: ReadonlyArray<string>, readonly notFound: number } | null };

export type VerificationQueueQueryVariables = Exact<{ [key: string]: never; }>;


export type VerificationQueueQuery = { readonly verificationQueue: { readonly depth: number, readonly ready: number, readonly processing: number, readonly workersActive: number } | null };

export type VerificationFinishedSubscriptionVariables = Exact<{
  after?: number | null | undefined;
}>;


export type VerificationFinishedSubscription = { readonly verificationFinished: { readonly seq: number, readonly kind: VerificationFinishedKind, readonly job: { readonly id: string, readonly outcome: VerificationOutcome | null, readonly citizen: { readonly code: string } } | null } };

export type ReviewQueueQueryVariables = Exact<{
  first?: number | null | undefined;
  after?: string | null | undefined;
  reason?: VerificationReason | null | undefined;
}>;


export type ReviewQueueQuery = { readonly reviewQueue: { readonly pageInfo: { readonly endCursor: string | null, readonly hasNextPage: boolean }, readonly nodes: ReadonlyArray<{ readonly waitingSince: string, readonly documentType: VerificationDocumentType, readonly countryCode: string, readonly reasons: ReadonlyArray<VerificationReason>, readonly claim: { readonly isMine: boolean, readonly until: string } | null, readonly citizen: { readonly code: string }, readonly job: { readonly id: string } | null }> } | null };

export type ReviewMetricsQueryVariables = Exact<{
  days?: number;
}>;


export type ReviewMetricsQuery = { readonly reviewMetrics: { readonly waiting: number, readonly claimed: number, readonly oldestSeconds: number, readonly compared: number, readonly agreed: number } | null };

export type ClaimReviewMutationVariables = Exact<{
  input: ClaimReviewInput;
}>;


export type ClaimReviewMutation = { readonly claimReview: { readonly review: { readonly waitingSince: string, readonly documentType: VerificationDocumentType, readonly countryCode: string, readonly reasons: ReadonlyArray<VerificationReason>, readonly claim: { readonly isMine: boolean, readonly until: string } | null, readonly citizen: { readonly code: string }, readonly job: { readonly id: string } | null } } | null };

export type ReleaseReviewMutationVariables = Exact<{
  input: ReleaseReviewInput;
}>;


export type ReleaseReviewMutation = { readonly releaseReview: { readonly jobId: string, readonly released: boolean } | null };

export type ReviewImagesQueryVariables = Exact<{
  jobId: string | number;
}>;


export type ReviewImagesQuery = { readonly reviewImages: { readonly declaredIdentity: { readonly firstName: string, readonly lastName: string, readonly dateOfBirth: string | null, readonly gender: DeclaredGender | null, readonly nationality: string | null }, readonly images: ReadonlyArray<{ readonly image: VerificationImage, readonly path: string, readonly expiresAt: string }>, readonly frames: ReadonlyArray<{ readonly atMs: number, readonly path: string, readonly expiresAt: string }>, readonly possibleDuplicates: ReadonlyArray<{ readonly code: string }>, readonly scores: { readonly overall: number | null, readonly faceMatch: number | null, readonly dataMatch: number | null } | null, readonly crossValidations: { readonly reasons: ReadonlyArray<VerificationReason>, readonly dataValidation: { readonly documentExpiration: { readonly result: CheckResult, readonly breakdown: ReadonlyArray<{ readonly name: string, readonly result: CheckResult, readonly properties: ReadonlyArray<{ readonly key: string, readonly text: string | null, readonly number: number | null }> | null }> | null, readonly properties: ReadonlyArray<{ readonly key: string, readonly text: string | null, readonly number: number | null }> | null } | null, readonly documentNumbers: { readonly result: CheckResult, readonly breakdown: ReadonlyArray<{ readonly name: string, readonly result: CheckResult, readonly properties: ReadonlyArray<{ readonly key: string, readonly text: string | null, readonly number: number | null }> | null }> | null, readonly properties: ReadonlyArray<{ readonly key: string, readonly text: string | null, readonly number: number | null }> | null } | null, readonly mrz: { readonly result: CheckResult, readonly breakdown: ReadonlyArray<{ readonly name: string, readonly result: CheckResult, readonly properties: ReadonlyArray<{ readonly key: string, readonly text: string | null, readonly number: number | null }> | null }> | null, readonly properties: ReadonlyArray<{ readonly key: string, readonly text: string | null, readonly number: number | null }> | null } | null, readonly dateOfBirth: { readonly result: CheckResult, readonly breakdown: ReadonlyArray<{ readonly name: string, readonly result: CheckResult, readonly properties: ReadonlyArray<{ readonly key: string, readonly text: string | null, readonly number: number | null }> | null }> | null, readonly properties: ReadonlyArray<{ readonly key: string, readonly text: string | null, readonly number: number | null }> | null } | null } | null, readonly dataComparison: { readonly firstName: { readonly result: CheckResult, readonly breakdown: ReadonlyArray<{ readonly name: string, readonly result: CheckResult, readonly properties: ReadonlyArray<{ readonly key: string, readonly text: string | null, readonly number: number | null }> | null }> | null, readonly properties: ReadonlyArray<{ readonly key: string, readonly text: string | null, readonly number: number | null }> | null } | null, readonly lastName: { readonly result: CheckResult, readonly breakdown: ReadonlyArray<{ readonly name: string, readonly result: CheckResult, readonly properties: ReadonlyArray<{ readonly key: string, readonly text: string | null, readonly number: number | null }> | null }> | null, readonly properties: ReadonlyArray<{ readonly key: string, readonly text: string | null, readonly number: number | null }> | null } | null, readonly dateOfBirth: { readonly result: CheckResult, readonly breakdown: ReadonlyArray<{ readonly name: string, readonly result: CheckResult, readonly properties: ReadonlyArray<{ readonly key: string, readonly text: string | null, readonly number: number | null }> | null }> | null, readonly properties: ReadonlyArray<{ readonly key: string, readonly text: string | null, readonly number: number | null }> | null } | null, readonly gender: { readonly result: CheckResult, readonly breakdown: ReadonlyArray<{ readonly name: string, readonly result: CheckResult, readonly properties: ReadonlyArray<{ readonly key: string, readonly text: string | null, readonly number: number | null }> | null }> | null, readonly properties: ReadonlyArray<{ readonly key: string, readonly text: string | null, readonly number: number | null }> | null } | null, readonly nationality: { readonly result: CheckResult, readonly breakdown: ReadonlyArray<{ readonly name: string, readonly result: CheckResult, readonly properties: ReadonlyArray<{ readonly key: string, readonly text: string | null, readonly number: number | null }> | null }> | null, readonly properties: ReadonlyArray<{ readonly key: string, readonly text: string | null, readonly number: number | null }> | null } | null, readonly issuingCountry: { readonly result: CheckResult, readonly breakdown: ReadonlyArray<{ readonly name: string, readonly result: CheckResult, readonly properties: ReadonlyArray<{ readonly key: string, readonly text: string | null, readonly number: number | null }> | null }> | null, readonly properties: ReadonlyArray<{ readonly key: string, readonly text: string | null, readonly number: number | null }> | null } | null, readonly documentType: { readonly result: CheckResult, readonly breakdown: ReadonlyArray<{ readonly name: string, readonly result: CheckResult, readonly properties: ReadonlyArray<{ readonly key: string, readonly text: string | null, readonly number: number | null }> | null }> | null, readonly properties: ReadonlyArray<{ readonly key: string, readonly text: string | null, readonly number: number | null }> | null } | null } | null, readonly dataConsistency: { readonly result: CheckResult, readonly breakdown: ReadonlyArray<{ readonly name: string, readonly result: CheckResult, readonly properties: ReadonlyArray<{ readonly key: string, readonly text: string | null, readonly number: number | null }> | null }> | null, readonly properties: ReadonlyArray<{ readonly key: string, readonly text: string | null, readonly number: number | null }> | null } | null, readonly imageIntegrity: { readonly faceDetected: { readonly result: CheckResult, readonly breakdown: ReadonlyArray<{ readonly name: string, readonly result: CheckResult, readonly properties: ReadonlyArray<{ readonly key: string, readonly text: string | null, readonly number: number | null }> | null }> | null, readonly properties: ReadonlyArray<{ readonly key: string, readonly text: string | null, readonly number: number | null }> | null } | null, readonly imageQuality: { readonly result: CheckResult, readonly breakdown: ReadonlyArray<{ readonly name: string, readonly result: CheckResult, readonly properties: ReadonlyArray<{ readonly key: string, readonly text: string | null, readonly number: number | null }> | null }> | null, readonly properties: ReadonlyArray<{ readonly key: string, readonly text: string | null, readonly number: number | null }> | null } | null, readonly supportedDocument: { readonly result: CheckResult, readonly breakdown: ReadonlyArray<{ readonly name: string, readonly result: CheckResult, readonly properties: ReadonlyArray<{ readonly key: string, readonly text: string | null, readonly number: number | null }> | null }> | null, readonly properties: ReadonlyArray<{ readonly key: string, readonly text: string | null, readonly number: number | null }> | null } | null } | null, readonly faceComparison: { readonly faceMatch: { readonly result: CheckResult, readonly breakdown: ReadonlyArray<{ readonly name: string, readonly result: CheckResult, readonly properties: ReadonlyArray<{ readonly key: string, readonly text: string | null, readonly number: number | null }> | null }> | null, readonly properties: ReadonlyArray<{ readonly key: string, readonly text: string | null, readonly number: number | null }> | null } | null } | null, readonly barcodes: { readonly result: CheckResult, readonly breakdown: ReadonlyArray<{ readonly name: string, readonly result: CheckResult, readonly properties: ReadonlyArray<{ readonly key: string, readonly text: string | null, readonly number: number | null }> | null }> | null, readonly properties: ReadonlyArray<{ readonly key: string, readonly text: string | null, readonly number: number | null }> | null } | null, readonly liveness: { readonly result: CheckResult, readonly breakdown: ReadonlyArray<{ readonly name: string, readonly result: CheckResult, readonly properties: ReadonlyArray<{ readonly key: string, readonly text: string | null, readonly number: number | null }> | null }> | null, readonly properties: ReadonlyArray<{ readonly key: string, readonly text: string | null, readonly number: number | null }> | null } | null, readonly duplicates: { readonly result: CheckResult, readonly breakdown: ReadonlyArray<{ readonly name: string, readonly result: CheckResult, readonly properties: ReadonlyArray<{ readonly key: string, readonly text: string | null, readonly number: number | null }> | null }> | null, readonly properties: ReadonlyArray<{ readonly key: string, readonly text: string | null, readonly number: number | null }> | null } | null } | null } | null };

export type DecideReviewMutationVariables = Exact<{
  input: DecideReviewInput;
}>;


export type DecideReviewMutation = { readonly decideReview: { readonly settled: boolean, readonly job: { readonly id: string, readonly outcome: VerificationOutcome | null } | null } | null };

export type EraseCitizenMutationVariables = Exact<{
  input: EraseCitizenInput;
}>;


export type EraseCitizenMutation = { readonly eraseCitizen: { readonly erasedJobs: number, readonly erasedJobIds: ReadonlyArray<string> } | null };

export type VerificationJobsQueryVariables = Exact<{
  filter?: VerificationJobFilterInput | null | undefined;
  first?: number | null | undefined;
  after?: string | null | undefined;
}>;


export type VerificationJobsQuery = { readonly verificationJobs: { readonly pageInfo: { readonly endCursor: string | null, readonly hasNextPage: boolean }, readonly nodes: ReadonlyArray<{ readonly id: string, readonly status: VerificationStatus, readonly outcome: VerificationOutcome | null, readonly documentType: VerificationDocumentType, readonly queuedAt: string, readonly completedAt: string | null, readonly citizen: { readonly code: string } }> } | null };

export type CallbackFieldsFragment = { readonly id: string, readonly type: CallbackType, readonly state: CallbackState, readonly url: string, readonly createdAt: string, readonly nextAttemptAt: string | null, readonly job: { readonly id: string, readonly citizen: { readonly code: string } }, readonly attempts: ReadonlyArray<{ readonly number: number, readonly at: string, readonly statusCode: number | null, readonly reason: string | null }> };

export type CallbackDeliveriesQueryVariables = Exact<{
  state?: CallbackState | null | undefined;
  jobId?: string | number | null | undefined;
  first?: number | null | undefined;
  after?: string | null | undefined;
}>;


export type CallbackDeliveriesQuery = { readonly callbackDeliveries: { readonly pageInfo: { readonly endCursor: string | null, readonly hasNextPage: boolean }, readonly nodes: ReadonlyArray<{ readonly id: string, readonly type: CallbackType, readonly state: CallbackState, readonly url: string, readonly createdAt: string, readonly nextAttemptAt: string | null, readonly job: { readonly id: string, readonly citizen: { readonly code: string } }, readonly attempts: ReadonlyArray<{ readonly number: number, readonly at: string, readonly statusCode: number | null, readonly reason: string | null }> }> } | null };

export type RedeliverCallbackMutationVariables = Exact<{
  input: RedeliverCallbackInput;
}>;


export type RedeliverCallbackMutation = { readonly redeliverCallback: { readonly delivery: { readonly id: string, readonly type: CallbackType, readonly state: CallbackState, readonly url: string, readonly createdAt: string, readonly nextAttemptAt: string | null, readonly job: { readonly id: string, readonly citizen: { readonly code: string } }, readonly attempts: ReadonlyArray<{ readonly number: number, readonly at: string, readonly statusCode: number | null, readonly reason: string | null }> } } | null };
