// Made by `npm run generate`; not to be edited. Of otQbqeqHiCmoDIw9nSUF_A
/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };

/** Filter for accounts. */
export type AccountFilterInput = {
  /** true: returns only disabled accounts; false: returns only enabled accounts. */
  readonly disabled?: boolean | null | undefined;
  /** Returns only accounts in this group. */
  readonly group?: string | number | null | undefined;
  /** Returns only accounts with this role. */
  readonly role?: AdministratorRole | null | undefined;
  /** Returns only accounts whose address or name contains this text; case is ignored. */
  readonly text?: string | null | undefined;
};

/** Results that the caller has stored and that may be erased. */
export type AcknowledgeVerificationResultsInput = {
  /** Ids of finished jobs, at most 100,000. */
  readonly jobIds: ReadonlyArray<string | number>;
};

/** Response of the chip to a challenge of `startChipChallenge` (active authentication, ICAO Doc 9303-11). */
export type ActiveAuthenticationInput = {
  /** Nonce of the challenge; valid for one job. */
  readonly nonce: string | number;
  /** Response of the chip to INTERNAL AUTHENTICATE, in base64, at most 1 kB. */
  readonly response: string;
};

/** Role of an administrator. */
export type AdministratorRole =
  /** Administers the groups of the account. */
  | 'GROUP_ADMIN'
  /** Reviews verifications that wait for a decision. */
  | 'REVIEWER'
  /** Administers all groups and tenants. */
  | 'SUPER_ADMIN';

/** Nodes to add to an import; they become visible when it is finished. */
export type AppendContentImportInput = {
  /** Id of the import. */
  readonly importId: string | number;
  /** The nodes, at most 1,000. */
  readonly nodes: ReadonlyArray<ContentImportNodeInput>;
  /** Number of the request: 0, 1, 2 and so on; a repeated number replaces the nodes of the earlier request. */
  readonly sequence: number;
};

/** Filter for the audit log. */
export type AuditFilterInput = {
  /** Returns only entries with this action. */
  readonly action?: string | null | undefined;
  /** Returns only entries with this outcome. */
  readonly outcome?: AuditOutcome | null | undefined;
  /** Returns only actions of the service key with this name. */
  readonly service?: string | null | undefined;
  /** Returns only entries at or after this time. */
  readonly since?: string | null | undefined;
  /** Returns only actions of the person with this subject identifier. */
  readonly subject?: string | null | undefined;
  /** Returns only actions on this object. */
  readonly target?: string | null | undefined;
  /** Returns only entries before this time. */
  readonly until?: string | null | undefined;
};

/** Outcome of an audited action. */
export type AuditOutcome =
  /** The action was performed. */
  | 'DONE'
  /** The action was attempted and refused. */
  | 'REFUSED';

/** A bounding box in degrees; when `west` is greater than `east`, it crosses the antimeridian. */
export type BoxInput = {
  /** Eastern edge. */
  readonly east: number;
  /** Northern edge. */
  readonly north: number;
  /** Southern edge. */
  readonly south: number;
  /** Western edge. */
  readonly west: number;
};

/** State of a callback. */
export type CallbackState =
  /** The receiver accepted the callback. */
  | 'DELIVERED'
  /** Ten attempts failed. */
  | 'FAILED'
  /** Waits for an attempt at `nextAttemptAt`. */
  | 'PENDING'
  /** The platform does not send callbacks to this URL. */
  | 'REFUSED'
  /** The receiver responded with 410 (Gone). */
  | 'STOPPED';

/** Message type of a callback. */
export type CallbackType =
  /** `verification.job.completed`: the job has a result. */
  | 'COMPLETED'
  /** `verification.job.failed`: the job ended with an error. */
  | 'FAILED';

/** An unverified vote, cast in a browser without a signed-in user. */
export type CastPublicVoteInput = {
  /** Id of the expression. */
  readonly expressionId: string | number;
  /** The pass that an earlier vote on this expression returned; without it, the vote counts as that of a new voter. The number of new voters per network and day is limited. */
  readonly pass?: string | null | undefined;
  /** The vote; with a pass, it replaces the earlier vote. */
  readonly value: VoteValue;
};

/** A vote on an expression. */
export type CastVoteInput = {
  /** Id of the expression. */
  readonly expressionId: string | number;
  /** The vote; it replaces an earlier vote of the same voter. */
  readonly value: VoteValue;
  /** Identifier of the voter at the calling service (services only); only its HMAC is stored. */
  readonly voterRef?: string | null | undefined;
};

/** Kind of a change event. */
export type ChangeKind =
  /** The object of the event has changed. */
  | 'CHANGED'
  /** Earlier events are no longer available; the event has the current state. */
  | 'LAGGED';

/** Result of a check. */
export type CheckResult =
  /** The check passed. */
  | 'CLEAR'
  /** The check found a discrepancy; a person should review it. */
  | 'CONSIDER'
  /** The check could not be performed. */
  | 'UNIDENTIFIED';

/** A circle around a point. */
export type CircleInput = {
  /** Latitude of the centre in degrees north. */
  readonly lat: number;
  /** Longitude of the centre in degrees east. */
  readonly lon: number;
  /** Radius in kilometres. */
  readonly radiusKm: number;
};

/** The job to claim. */
export type ClaimReviewInput = {
  /** Id of the job. */
  readonly jobId: string | number;
};

/** Method that decided the domain. */
export type ClassificationMethod =
  /** No domain scored high enough. */
  | 'ABSTAINED'
  /** The sender supplied the domain. */
  | 'HINT'
  /** The most similar example phrases decided. */
  | 'KNN'
  /** A language model decided. */
  | 'LLM'
  /** The trained classifier decided. */
  | 'NEURAL';

/** Treatment of existing nodes that an import does not contain. */
export type ContentImportMode =
  /** Existing nodes that the import does not contain are moved to the trash. */
  | 'REPLACE'
  /** Existing nodes that the import does not contain remain. */
  | 'UPSERT';

/** A node of an import. */
export type ContentImportNodeInput = {
  /** Body in Markdown, at most 1,000,000 characters. */
  readonly body?: string | null | undefined;
  /** Time of creation; used only for a new node. */
  readonly createdAt?: string | null | undefined;
  /** Id in the source system, at most 500 characters. */
  readonly externalId?: string | null | undefined;
  /** Id of the node; by default generated, and the same for the same `externalId`. */
  readonly id?: string | number | null | undefined;
  /** Key of the node within this import, for a node without an id. */
  readonly key?: string | null | undefined;
  /** Language (BCP 47). */
  readonly locale?: string | null | undefined;
  /** Media files, at most 100. */
  readonly media?: ReadonlyArray<ContentMediaInput> | null | undefined;
  /** Additional data of the tenant: an object of at most 64 KB. */
  readonly metadata?: Record<string, unknown> | null | undefined;
  /** Id of the parent in the source system. */
  readonly parentExternalId?: string | null | undefined;
  /** Id of the parent. */
  readonly parentId?: string | number | null | undefined;
  /** Key of the parent within this import. */
  readonly parentKey?: string | null | undefined;
  /** Position among its siblings; by default last. */
  readonly position?: number | null | undefined;
  /** Title in a form for URLs; by default derived from the title. */
  readonly slug?: string | null | undefined;
  /** Summary, at most 5,000 characters. */
  readonly summary?: string | null | undefined;
  /** Title, 1 to 500 characters. */
  readonly title: string;
  /** Time of the last change; used only for a new node. */
  readonly updatedAt?: string | null | undefined;
};

/** A media file that accompanies a text. */
export type ContentMediaInput = {
  /** Text alternative. */
  readonly alt?: string | null | undefined;
  /** Caption. */
  readonly caption?: string | null | undefined;
  /** Media type, such as image/png. */
  readonly type?: string | null | undefined;
  /** URL of the file. */
  readonly url: string;
};

/** Values that replace those of the pipeline; omitted fields keep their values. */
export type CorrectClassificationInput = {
  /** Id of a domain or sub-domain; null removes the domain. */
  readonly domain?: string | number | null | undefined;
  /** Id of the expression. */
  readonly id: string | number;
  /** Sentiment. */
  readonly sentiment?: SentimentLabel | null | undefined;
};

/** The account to create. */
export type CreateAccountInput = {
  /** E-mail address, at most 254 characters. */
  readonly email: string;
  /** Family name. */
  readonly familyName?: string | null | undefined;
  /** Given names. */
  readonly givenName?: string | null | undefined;
  /** Groups that the account administers, at most 100. */
  readonly groups?: ReadonlyArray<string | number>;
  /** Preferred language (BCP 47). */
  readonly locale?: string | null | undefined;
  /** Roles of the account. */
  readonly roles: ReadonlyArray<AdministratorRole>;
  /** The tenant in the account’s tokens. */
  readonly tenantId?: string | number | null | undefined;
};

/** The node to create. */
export type CreateContentNodeInput = {
  /** Body in Markdown, at most 1,000,000 characters. */
  readonly body?: string | null | undefined;
  /** Id in the source system, at most 500 characters. */
  readonly externalId?: string | null | undefined;
  /** Id of the node; by default generated, and the same for the same `externalId`. */
  readonly id?: string | number | null | undefined;
  /** Language (BCP 47). */
  readonly locale?: string | null | undefined;
  /** Media files, at most 100. */
  readonly media?: ReadonlyArray<ContentMediaInput> | null | undefined;
  /** Additional data of the tenant: an object of at most 64 KB. */
  readonly metadata?: Record<string, unknown> | null | undefined;
  /** Id of the parent. */
  readonly parentId?: string | number | null | undefined;
  /** Position among its siblings; by default last. */
  readonly position?: number | null | undefined;
  /** Title in a form for URLs; by default derived from the title. */
  readonly slug?: string | null | undefined;
  /** Summary, at most 5,000 characters. */
  readonly summary?: string | null | undefined;
  /** Id of the tenant; by default that of the token, otherwise `default`. */
  readonly tenantId?: string | number | null | undefined;
  /** Title, 1 to 500 characters. */
  readonly title: string;
};

/** Kind of a dead letter. */
export type DeadLetterKind =
  /** An expression that could not be written or completed; its id is that of the expression. */
  | 'EXPRESSION'
  /** A message of up to 500 expressions that no worker could read. */
  | 'MESSAGE';

/** The decision of a reviewer on a job that they have claimed. */
export type DecideReviewInput = {
  /** The decision. */
  readonly decision: ReviewDecision;
  /** Id of the job. */
  readonly jobId: string | number;
  /** Note for later audits, at most 2,000 characters; stored encrypted. */
  readonly note?: string | null | undefined;
  /** Reason for the decision: CONFIRMED for VERIFIED, any other for REJECTED. */
  readonly reason: ReviewReason;
};

/** Gender as declared. */
export type DeclaredGender =
  /** Female. */
  | 'F'
  /** Male. */
  | 'M'
  /** Not stated. */
  | 'N'
  /** Other. */
  | 'O';

/** The identity that the citizen declares. */
export type DeclaredIdentityInput = {
  /** Date of birth, preferably YYYY-MM-DD; common local formats are accepted. */
  readonly dateOfBirth?: string | null | undefined;
  /** Given names. */
  readonly firstName: string;
  /** Gender. */
  readonly gender?: DeclaredGender | null | undefined;
  /** Family name. */
  readonly lastName: string;
  /** Nationality, ISO 3166-1 alpha-2 or alpha-3. */
  readonly nationality?: string | null | undefined;
};

/** Format of a file of delegations. */
export type DelegationFileFormat =
  /** Comma-separated values with a header row; fields contain no line breaks. */
  | 'CSV'
  /** One JSON object per line. */
  | 'NDJSON';

/** Filter for delegations; omitted fields do not restrict the list. */
export type DelegationFilterInput = {
  /** Returns only delegations to this delegate (citizen code). */
  readonly delegate?: string | null | undefined;
  /** Returns only delegations of this delegator (citizen code). */
  readonly delegator?: string | null | undefined;
  /** Returns only delegations for this domain. */
  readonly domain?: string | number | null | undefined;
  /** Returns only delegations in this group. */
  readonly group?: string | number | null | undefined;
  /** Returns only delegations with this status. */
  readonly status?: DelegationStatus | null | undefined;
};

/** Result of a line of a file of delegations. */
export type DelegationLineOutcome =
  /** The delegation is new. */
  | 'CREATED'
  /** The line is invalid. */
  | 'REFUSED'
  /** The line has the same data as, or older data than, the stored delegation or another line. */
  | 'UNCHANGED'
  /** The delegation changes. */
  | 'UPDATED';

/** Order of delegations. */
export type DelegationOrder =
  /** By time of creation, newest first. */
  | 'NEWEST_FIRST'
  /** By time of creation, oldest first. */
  | 'OLDEST_FIRST';

/** Status of a delegation. */
export type DelegationStatus =
  /** The delegation is valid now. */
  | 'ACTIVE'
  /** The delegation has ended. */
  | 'EXPIRED'
  /** The delegation has not started. */
  | 'PENDING'
  /** The delegation was revoked. */
  | 'REVOKED';

/** The node to delete. */
export type DeleteContentNodeInput = {
  /** Id of the node; its descendants are deleted with it. */
  readonly id: string | number;
  /** Id of the tenant; by default that of the token, otherwise `default`. */
  readonly tenantId?: string | number | null | undefined;
};

/** Conditions that are combined with AND; an omitted condition does not restrict the expressions that are counted. */
export type DistrictFilterInput = {
  /** Id of a domain, including its sub-domains, or of a sub-domain. */
  readonly domain?: string | number | null | undefined;
  /** First day, in the time zone of the platform. */
  readonly from?: string | null | undefined;
  /** Language: ISO 639-1, otherwise 639-3. */
  readonly lang?: string | null | undefined;
  /** Sentiment. */
  readonly sentiment?: SentimentLabel | null | undefined;
  /** Last day, included, in the time zone of the platform. */
  readonly to?: string | null | undefined;
};

/** The citizen to erase. */
export type EraseCitizenInput = {
  /** The callers’ code for the citizen. */
  readonly code: string;
};

/** Kind of an event of `expressionAdded`. */
export type ExpressionEventKind =
  /** The expression is new. */
  | 'ADDED'
  /** Events before this position were omitted. */
  | 'LAGGED'
  /** The expression has changed. */
  | 'UPDATED'
  /** The expression was withdrawn. */
  | 'WITHDRAWN';

/** Conditions that are combined with AND; an omitted condition does not restrict the list. */
export type ExpressionFilterInput = {
  /** Box that contains the location. */
  readonly box?: BoxInput | null | undefined;
  /** Ids of domains or sub-domains; an expression matches any of them or of their descendants. */
  readonly domains?: ReadonlyArray<string | number> | null | undefined;
  /** Language: ISO 639-1, otherwise 639-3. */
  readonly lang?: string | null | undefined;
  /** Sentiment. */
  readonly sentiment?: SentimentLabel | null | undefined;
};

/** A location: coordinates, or an address to look up. */
export type ExpressionLocationInput = {
  /** Street and number. */
  readonly address?: string | null | undefined;
  /** Town or city. */
  readonly city?: string | null | undefined;
  /** Country: ISO 3166-1 alpha-2 or alpha-3, or a name. */
  readonly country?: string | null | undefined;
  /** Latitude in degrees north (WGS 84); requires `lon`. */
  readonly lat?: number | null | undefined;
  /** Longitude in degrees east (WGS 84); requires `lat`. */
  readonly lon?: number | null | undefined;
  /** Postal code. */
  readonly postcode?: string | null | undefined;
};

/** Search method. */
export type ExpressionSearchMode =
  /** Combines TEXT and SEMANTIC. */
  | 'HYBRID'
  /** Search by meaning (distance of embeddings). */
  | 'SEMANTIC'
  /** Search by words. */
  | 'TEXT';

/** Indexing status of an expression. */
export type ExpressionStatus =
  /** The expression is searchable. */
  | 'INDEXED'
  /** The expression is stored and will be indexed. */
  | 'PENDING';

/** Conditions that are combined with AND; an omitted condition does not restrict the stream. At most one of `box` and `circle` is allowed. */
export type ExpressionStreamFilterInput = {
  /** Box that contains the location. */
  readonly box?: BoxInput | null | undefined;
  /** Circle that contains the location. */
  readonly circle?: CircleInput | null | undefined;
  /** Ids of domains or sub-domains; an expression matches any of them or of their descendants. */
  readonly domains?: ReadonlyArray<string | number> | null | undefined;
  /** Language: ISO 639-1, otherwise 639-3. */
  readonly lang?: string | null | undefined;
  /** Sentiment. */
  readonly sentiment?: SentimentLabel | null | undefined;
};

/** The import to finish. */
export type FinishContentImportInput = {
  /** Must be true when an import with REPLACE contains no nodes and is not a dry run: it moves the whole tree to the trash. */
  readonly confirm?: boolean;
  /** Id of the import. */
  readonly importId: string | number;
};

/** Health of a component or of a service. */
export type HealthStatus =
  /** The component works with limits: a service that it can do without is unavailable, or queued work is not being processed. */
  | 'DEGRADED'
  /** The component cannot work. */
  | 'DOWN'
  /** All services respond. */
  | 'OK';

/** A file of delegations to import. */
export type ImportDelegationsInput = {
  /** Whether to return the results without storing anything. */
  readonly dryRun?: boolean;
  /** Content of the file, at most 1,000 delegations; use the command "delegations import" for larger files. */
  readonly file: string;
  /** Format of the file. */
  readonly format: DelegationFileFormat;
};

/** A text that a citizen has written or spoken. */
export type IngestExpressionInput = {
  /** Identifier of the author at the source; only its HMAC is stored. It is used as the author only when a service key sends it. */
  readonly authorRef?: string | null | undefined;
  /** Time of the statement, by default now; from 1900 to 5 minutes ahead, where a future time counts as now. */
  readonly createdAt?: string | null | undefined;
  /** Id of the domain or sub-domain, if known: a hint, ignored when the taxonomy has no such domain. */
  readonly domain?: string | number | null | undefined;
  /** Id at the source; a repeated request of the same caller with the same id changes nothing. */
  readonly externalId?: string | null | undefined;
  /** Language, if known: ISO 639-1 or 639-3. */
  readonly lang?: string | null | undefined;
  /** Location of the expression. */
  readonly location?: ExpressionLocationInput | null | undefined;
  /** Name of the source, at most 512 characters. */
  readonly source?: string | null | undefined;
  /** The text, 1 to 10,000 characters. */
  readonly text: string;
};

/** A frame captured during a liveness challenge. */
export type LivenessFrameInput = {
  /** Time of the frame in milliseconds since the client received the challenge, 0 to 60,000; later than the previous frame. */
  readonly atMs: number;
  /** JPEG or PNG, at most 512 kB, not mirrored. */
  readonly image: string;
};

/** The frames of a liveness challenge, submitted within 60 s of its start. */
export type LivenessInput = {
  /** 4 to 20 frames in order of capture: first the face looking straight at the camera, then each movement at its furthest point. */
  readonly frames: ReadonlyArray<LivenessFrameInput>;
  /** Nonce of the challenge; valid for one job. */
  readonly nonce: string | number;
};

/** Credentials of an administrator. */
export type LoginInput = {
  /** E-mail address. */
  readonly email: string;
  /** Password. */
  readonly password: string;
};

/** The session to end. */
export type LogoutInput = {
  /** Refresh token of the session. */
  readonly refreshToken: string;
};

/** Conditions that are combined with AND; an omitted condition does not restrict the expressions on the map. */
export type MapFilterInput = {
  /** Area, including its edges. */
  readonly box?: BoxInput | null | undefined;
  /** Id of a domain, including its sub-domains, or of a sub-domain. */
  readonly domain?: string | number | null | undefined;
  /** First day, in the time zone of the platform. */
  readonly from?: string | null | undefined;
  /** Language: ISO 639-1, otherwise 639-3. */
  readonly lang?: string | null | undefined;
  /** Sentiment. */
  readonly sentiment?: SentimentLabel | null | undefined;
  /** Last day, included, in the time zone of the platform. */
  readonly to?: string | null | undefined;
};

/** Task of a model in the analysis of an expression. */
export type ModelTask =
  /** Computes embeddings. */
  | 'EMBEDDING'
  /** Detects the language. */
  | 'LANGUAGE'
  /** Suggests a domain when the classifier is uncertain. */
  | 'LANGUAGE_MODEL'
  /** Resolves locations. */
  | 'PLACE'
  /** Determines the sentiment. */
  | 'SENTIMENT'
  /** Classifies the domain. */
  | 'TOPIC'
  /** Detects harmful language. */
  | 'TOXICITY';

/** New place of a node. */
export type MoveContentNodeInput = {
  /** Id of the node; its descendants move with it. */
  readonly id: string | number;
  /** Id of the new parent. */
  readonly parentId: string | number;
  /** Position among its new siblings; by default last. */
  readonly position?: number | null | undefined;
  /** Id of the tenant; by default that of the token, otherwise `default`. */
  readonly tenantId?: string | number | null | undefined;
};

/** A permission of a role, so that a client can hide actions that would be refused. The authorisation rules on the fields are decisive. */
export type Permission =
  /** Erase citizens. */
  | 'CITIZENS_ERASE'
  /** Read citizens. */
  | 'CITIZENS_READ'
  /** Change content trees. */
  | 'CONTENT_WRITE'
  /** Read delegations. */
  | 'DELEGATIONS_READ'
  /** Withdraw and correct expressions. */
  | 'EXPRESSIONS_MODERATE'
  /** Synchronise the taxonomy. */
  | 'TAXONOMY_WRITE'
  /** Review verifications. */
  | 'VERIFICATIONS_REVIEW';

/** The deleted content to remove permanently. */
export type PurgeContentNodeInput = {
  /** Id of the deletion, as in `contentTrash`. */
  readonly id: string | number;
  /** Id of the tenant; by default that of the token, otherwise `default`. */
  readonly tenantId?: string | number | null | undefined;
};

/** The callback to send again. */
export type RedeliverCallbackInput = {
  /** Id of the callback, or id of its job. */
  readonly id: string | number;
};

/** The dead letters to process again. */
export type RedriveDeadLettersInput = {
  /** 1 to 100 ids; null selects all of the kind, as many as the time limit allows. */
  readonly ids?: ReadonlyArray<string | number> | null | undefined;
  /** Kind of the dead letters. */
  readonly kind: DeadLetterKind;
};

/** The session to refresh. */
export type RefreshSessionInput = {
  /** The refresh token; it becomes invalid. */
  readonly refreshToken: string;
};

/** The job to release. */
export type ReleaseReviewInput = {
  /** Id of the job. */
  readonly jobId: string | number;
};

/** The account that receives a new password. */
export type ResetAccountPasswordInput = {
  /** Id of the account. */
  readonly id: string | number;
};

/** The deleted content to restore. */
export type RestoreContentNodeInput = {
  /** Id of the deletion, as in `contentTrash`. */
  readonly id: string | number;
  /** Id of the new parent; by default the former parent, where the node returns to its former position. */
  readonly parentId?: string | number | null | undefined;
  /** Id of the tenant; by default that of the token, otherwise `default`. */
  readonly tenantId?: string | number | null | undefined;
};

/** Decision of a reviewer. */
export type ReviewDecision =
  /** The identity is rejected. */
  | 'REJECTED'
  /** The identity is verified. */
  | 'VERIFIED';

/** Reason for a decision. */
export type ReviewReason =
  /** The identity is confirmed; for VERIFIED only. */
  | 'CONFIRMED'
  /** The document contradicts the declared identity. */
  | 'DATA_CONTRADICTED'
  /** The document has expired. */
  | 'DOCUMENT_EXPIRED'
  /** The document is forged. */
  | 'DOCUMENT_FORGED'
  /** The document cannot be used. */
  | 'DOCUMENT_UNUSABLE'
  /** The citizen is already registered under another code. */
  | 'DUPLICATE'
  /** Another reason for rejection. */
  | 'OTHER'
  /** The selfie shows another person than the document. */
  | 'OTHER_PERSON';

/** A search for expressions. */
export type SearchExpressionsInput = {
  /** Restricts the results. */
  readonly filter?: ExpressionFilterInput | null | undefined;
  /** Search method. */
  readonly mode?: ExpressionSearchMode;
  /** Search text, 1 to 1,000 characters. */
  readonly text: string;
};

/** Sentiment of an expression. */
export type SentimentLabel =
  /** Negative sentiment. */
  | 'NEGATIVE'
  /** Neutral sentiment. */
  | 'NEUTRAL'
  /** Positive sentiment. */
  | 'POSITIVE';

/** Where a service key is stored. */
export type ServiceKeySource =
  /** The key is stored in the database and managed with "npm run civigraph -- keys". */
  | 'DATABASE'
  /** The key is set in the configuration of the platform. */
  | 'SETTINGS';

/** Scope of a service key. */
export type ServiceScope =
  /** Perform the actions of administrators. */
  | 'ADMIN'
  /** Read the results of the service’s own verifications. */
  | 'RESULTS'
  /** Read the results of all services. */
  | 'RESULTS_ALL'
  /** Submit verifications. */
  | 'SUBMIT'
  /** Vote on behalf of citizens. */
  | 'VOTES_WRITE';

/** The import to start. */
export type StartContentImportInput = {
  /** Whether to compute the result without changing the tree. */
  readonly dryRun?: boolean;
  /** Treatment of existing nodes that the import does not contain. */
  readonly mode?: ContentImportMode;
  /** Id of the tenant; by default that of the token, otherwise `default`. */
  readonly tenantId?: string | number | null | undefined;
};

/** Conditions that are combined with AND; an omitted condition does not restrict the expressions that are counted. */
export type StatisticsFilterInput = {
  /** Area, including its edges. */
  readonly box?: BoxInput | null | undefined;
  /** Id of a domain, including its sub-domains, or of a sub-domain. */
  readonly domain?: string | number | null | undefined;
  /** First day, in the time zone of the platform. */
  readonly from?: string | null | undefined;
  /** Last day, included, in the time zone of the platform. */
  readonly to?: string | null | undefined;
};

/** An identity verification to run. */
export type SubmitVerificationInput = {
  /** An https URL that receives a signed POST request (Standard Webhooks) when the result is final. */
  readonly callbackUrl?: string | null | undefined;
  /** Data read from the chip of the document. */
  readonly chip?: TravelDocumentChipInput | null | undefined;
  /** The caller’s code for the citizen. */
  readonly citizenCode: string;
  /** Issuing country, ISO 3166-1 alpha-2 or alpha-3. */
  readonly countryCode: string;
  /** The identity that the citizen declares. */
  readonly declaredIdentity: DeclaredIdentityInput;
  /** Back of the document: JPEG, PNG or WebP, at most 5 MB. */
  readonly documentBack?: string | null | undefined;
  /** Front of the document: JPEG, PNG or WebP, at most 5 MB. */
  readonly documentFront: string;
  /** Kind of the document in the images. */
  readonly documentType: VerificationDocumentType;
  /** Key under which a repeated request with the same content returns the same job, for 24 hours; other content is refused. Ignored in a batch, which has its own key. */
  readonly idempotencyKey?: string | null | undefined;
  /** Frames of a challenge of `startLivenessChallenge`. */
  readonly liveness?: LivenessInput | null | undefined;
  /** Priority of the job in the queue. */
  readonly priority?: VerificationPriority;
  /** Photograph of the citizen: JPEG, PNG or WebP, at most 5 MB. */
  readonly selfie: string;
};

/** Files of the chip of a travel document, byte for byte, in base64 (ICAO Doc 9303-10). */
export type TravelDocumentChipInput = {
  /** Response of the chip to a challenge, which proves that the chip was present. */
  readonly activeAuthentication?: ActiveAuthenticationInput | null | undefined;
  /** EF.DG1, the machine-readable zone. */
  readonly dg1: string;
  /** EF.DG2, the portrait, at most 512 kB. */
  readonly dg2: string;
  /** EF.DG11, additional personal details, at most 128 kB: full name and date of birth. */
  readonly dg11?: string | null | undefined;
  /** EF.DG12, additional document details, at most 512 kB; only its hash is checked. */
  readonly dg12?: string | null | undefined;
  /** EF.DG14, security options, at most 16 kB; required for active authentication with an elliptic-curve key. */
  readonly dg14?: string | null | undefined;
  /** EF.DG15, public key for active authentication, at most 16 kB; required when a challenge response is submitted. */
  readonly dg15?: string | null | undefined;
  /** EF.SOD, the document security object, at most 64 kB. */
  readonly sod: string;
};

/** Changes to an account; omitted fields keep their values. */
export type UpdateAccountInput = {
  /** true: the account cannot sign in, and its sessions and access tokens end at once; false: the account is enabled. */
  readonly disabled?: boolean | null | undefined;
  /** Family name; null removes it. */
  readonly familyName?: string | null | undefined;
  /** Given names; null removes them. */
  readonly givenName?: string | null | undefined;
  /** Groups that the account administers, at most 100; they apply at once. */
  readonly groups?: ReadonlyArray<string | number> | null | undefined;
  /** Id of the account. */
  readonly id: string | number;
  /** Preferred language (BCP 47); null removes it. */
  readonly locale?: string | null | undefined;
  /** Roles of the account; they apply at once. */
  readonly roles?: ReadonlyArray<AdministratorRole> | null | undefined;
  /** The tenant in the account’s tokens; null removes it. */
  readonly tenantId?: string | number | null | undefined;
};

/** Changes to a node; omitted fields keep their values, null removes them. */
export type UpdateContentNodeInput = {
  /** Body in Markdown, at most 1,000,000 characters. */
  readonly body?: string | null | undefined;
  /** Id in the source system, at most 500 characters. */
  readonly externalId?: string | null | undefined;
  /** Id of the node. */
  readonly id: string | number;
  /** The `updatedAt` that the client has read; when the node was changed since, the call fails with CONFLICT and changes nothing. */
  readonly ifUpdatedAt?: string | null | undefined;
  /** Language (BCP 47). */
  readonly locale?: string | null | undefined;
  /** Media files, at most 100; they replace the existing ones. */
  readonly media?: ReadonlyArray<ContentMediaInput> | null | undefined;
  /** An object of at most 64 KB; it replaces the existing one. */
  readonly metadata?: Record<string, unknown> | null | undefined;
  /** Title in a form for URLs; null derives it from the title. */
  readonly slug?: string | null | undefined;
  /** Summary, at most 5,000 characters. */
  readonly summary?: string | null | undefined;
  /** Id of the tenant; by default that of the token, otherwise `default`. */
  readonly tenantId?: string | number | null | undefined;
  /** Title, 1 to 500 characters; cannot be removed. */
  readonly title?: string | null | undefined;
};

/** Kind of identity document. */
export type VerificationDocumentType =
  /** French national identity card. */
  | 'CNI'
  /** National identity card of any country. */
  | 'NATIONAL_ID'
  /** Passport. */
  | 'PASSPORT'
  /** French residence permit. */
  | 'TITRE_DE_SEJOUR';

/** Kind of an event of `verificationFinished`. */
export type VerificationFinishedKind =
  /** The job has a result. */
  | 'COMPLETED'
  /** The job ended with an error. */
  | 'ERROR'
  /** Events before this position were missed. */
  | 'LAGGED';

/** An image of a submission. */
export type VerificationImage =
  /** Back of the document. */
  | 'DOCUMENT_BACK'
  /** Front of the document. */
  | 'DOCUMENT_FRONT'
  /** Photograph of the citizen. */
  | 'SELFIE';

/** Filter for verifications. */
export type VerificationJobFilterInput = {
  /** Returns only jobs with this outcome. */
  readonly outcome?: VerificationOutcome | null | undefined;
  /** Returns only jobs with this status. */
  readonly status?: VerificationStatus | null | undefined;
};

/** Outcome of a job. */
export type VerificationOutcome =
  /** The verification could not be performed. */
  | 'ERROR'
  /** A reviewer must decide. */
  | 'PENDING_REVIEW'
  /** The identity is rejected. */
  | 'REJECTED'
  /** The identity is verified. */
  | 'VERIFIED';

/** Priority of a job in the queue. */
export type VerificationPriority =
  /** Runs before NORMAL jobs that were submitted less than an hour earlier. */
  | 'HIGH'
  /** Runs in order of submission. */
  | 'NORMAL';

/** A finding against a verification. A reason that only a newer release defines is omitted from lists. */
export type VerificationReason =
  /** A barcode contradicts the document, or its seal is invalid. */
  | 'BARCODE_MISMATCH'
  /** An image is blurred. */
  | 'BLURRED_PHOTO'
  /** The face in the liveness frames appears flat, as in a picture, or a frame is repeated. */
  | 'CHALLENGE_FLAT'
  /** The frames do not show all movements of the challenge. */
  | 'CHALLENGE_INCOMPLETE'
  /** The frames were not submitted in time. */
  | 'CHALLENGE_LATE'
  /** The liveness frames show another person than the selfie. */
  | 'CHALLENGE_OTHER_PERSON'
  /** The person in the selfie appears to be a child. */
  | 'CHILD'
  /** A file of the chip does not match its signed hash. */
  | 'CHIP_ALTERED'
  /** The data on the chip contradicts the printed document or the declared identity. */
  | 'CHIP_MISMATCH'
  /** The chip failed active authentication. */
  | 'CHIP_NOT_GENUINE'
  /** The portrait on the chip could not be read. */
  | 'CHIP_PORTRAIT_UNREADABLE'
  /** The signature of the chip’s security object is invalid. */
  | 'CHIP_SIGNATURE_INVALID'
  /** The certificate that signed the chip has expired. */
  | 'CHIP_SIGNER_EXPIRED'
  /** The certificate that signed the chip was revoked. */
  | 'CHIP_SIGNER_REVOKED'
  /** No trusted certificate of the issuing country covers the signer of the chip. */
  | 'CHIP_SIGNER_UNKNOWN'
  /** The chip data could not be read. */
  | 'CHIP_UNREADABLE'
  /** The image shows a copy of a document. */
  | 'COPY_OF_DOCUMENT'
  /** The face in the selfie is covered. */
  | 'COVERED_FACE'
  /** The document is cut off in the image. */
  | 'CUT_OFF_DOCUMENT'
  /** An image is too dark. */
  | 'DARK_PHOTO'
  /** The data on the document contradicts itself. */
  | 'DATA_INCONSISTENT'
  /** The date of birth on the document differs from the declared one. */
  | 'DOB_MISMATCH'
  /** The document has expired. */
  | 'DOCUMENT_EXPIRED'
  /** The document is of another kind or country than submitted. */
  | 'DOCUMENT_TYPE_MISMATCH'
  /** The selfie and the photograph on the document show different persons. */
  | 'FACE_MISMATCH'
  /** The gender on the document differs from the declared one. */
  | 'GENDER_MISMATCH'
  /** Glare covers a part of an image. */
  | 'GLARE_ON_PHOTO'
  /** The back of the document is missing. */
  | 'MISSING_BACK'
  /** A check digit of the machine-readable zone is wrong. */
  | 'MRZ_CHECK_DIGIT_FAILED'
  /** The selfie shows more than one face. */
  | 'MULTIPLE_FACES_SELFIE'
  /** The name on the document differs from the declared name. */
  | 'NAME_MISMATCH'
  /** The nationality on the document differs from the declared one. */
  | 'NATIONALITY_MISMATCH'
  /** The image shows no document. */
  | 'NO_DOCUMENT_IN_IMAGE'
  /** No face was found on the document. */
  | 'NO_FACE_DOCUMENT'
  /** The selfie shows no face. */
  | 'NO_FACE_SELFIE'
  /** The text on the document could not be read. */
  | 'OCR_UNREADABLE'
  /** The selfie resembles another citizen of the same caller. */
  | 'POSSIBLE_DUPLICATE'
  /** The image was taken from a screen. */
  | 'SHOWN_ON_SCREEN'
  /** The person in the selfie wears sunglasses. */
  | 'SUNGLASSES'
  /** The image shows more than one document. */
  | 'TWO_DOCUMENTS'
  /** The kind of document is not supported. */
  | 'UNSUPPORTED_DOCUMENT'
  /** The image shows the wrong side of the document. */
  | 'WRONG_SIDE';

/** Status of a job. */
export type VerificationStatus =
  /** The job has a result; final. */
  | 'COMPLETED'
  /** The job could not be performed; final. */
  | 'ERROR'
  /** A worker runs the job. */
  | 'PROCESSING'
  /** The job waits in the queue. */
  | 'QUEUED';

/** A vote on an expression. */
export type VoteValue =
  /** Agrees with the expression. */
  | 'AGREE'
  /** Disagrees with the expression. */
  | 'DISAGREE'
  /** Takes no position on the expression. */
  | 'PASS';

/** The expression to withdraw. */
export type WithdrawExpressionInput = {
  /** Id of the expression. */
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


export type CastVoteMutation = { readonly castVote: { readonly value: VoteValue, readonly expression: { readonly id: string, readonly myVote: VoteValue | null, readonly votes: { readonly agree: number, readonly disagree: number, readonly pass: number, readonly total: number, readonly unverified: { readonly total: number, readonly agree: number, readonly disagree: number, readonly pass: number } } } } | null };

export type ExpressionVotesQueryVariables = Exact<{
  id: string | number;
}>;


export type ExpressionVotesQuery = { readonly expression: { readonly id: string, readonly myVote: VoteValue | null, readonly votes: { readonly agree: number, readonly disagree: number, readonly pass: number, readonly total: number } } | null };

export type VotesChangedSubscriptionVariables = Exact<{
  expressionIds?: ReadonlyArray<string | number> | string | number | null | undefined;
  after?: number | null | undefined;
}>;


export type VotesChangedSubscription = { readonly votesChanged: { readonly seq: number, readonly kind: ChangeKind, readonly expression: { readonly id: string, readonly votes: { readonly agree: number, readonly disagree: number, readonly pass: number, readonly total: number } } | null } };

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


export type ReviewImagesQuery = { readonly reviewImages: { readonly declaredIdentity: { readonly firstName: string, readonly lastName: string, readonly dateOfBirth: string | null, readonly gender: DeclaredGender | null, readonly nationality: string | null }, readonly images: ReadonlyArray<{ readonly image: VerificationImage, readonly url: string, readonly expiresAt: string }>, readonly frames: ReadonlyArray<{ readonly atMs: number, readonly url: string, readonly expiresAt: string }>, readonly possibleDuplicates: ReadonlyArray<{ readonly code: string }>, readonly scores: { readonly overall: number | null, readonly faceMatch: number | null, readonly dataMatch: number | null } | null, readonly crossValidations: { readonly reasons: ReadonlyArray<VerificationReason>, readonly dataValidation: { readonly documentExpiration: { readonly result: CheckResult, readonly breakdown: ReadonlyArray<{ readonly name: string, readonly result: CheckResult, readonly properties: ReadonlyArray<{ readonly key: string, readonly text: string | null, readonly number: number | null }> | null }> | null, readonly properties: ReadonlyArray<{ readonly key: string, readonly text: string | null, readonly number: number | null }> | null } | null, readonly documentNumbers: { readonly result: CheckResult, readonly breakdown: ReadonlyArray<{ readonly name: string, readonly result: CheckResult, readonly properties: ReadonlyArray<{ readonly key: string, readonly text: string | null, readonly number: number | null }> | null }> | null, readonly properties: ReadonlyArray<{ readonly key: string, readonly text: string | null, readonly number: number | null }> | null } | null, readonly mrz: { readonly result: CheckResult, readonly breakdown: ReadonlyArray<{ readonly name: string, readonly result: CheckResult, readonly properties: ReadonlyArray<{ readonly key: string, readonly text: string | null, readonly number: number | null }> | null }> | null, readonly properties: ReadonlyArray<{ readonly key: string, readonly text: string | null, readonly number: number | null }> | null } | null, readonly dateOfBirth: { readonly result: CheckResult, readonly breakdown: ReadonlyArray<{ readonly name: string, readonly result: CheckResult, readonly properties: ReadonlyArray<{ readonly key: string, readonly text: string | null, readonly number: number | null }> | null }> | null, readonly properties: ReadonlyArray<{ readonly key: string, readonly text: string | null, readonly number: number | null }> | null } | null } | null, readonly dataComparison: { readonly firstName: { readonly result: CheckResult, readonly breakdown: ReadonlyArray<{ readonly name: string, readonly result: CheckResult, readonly properties: ReadonlyArray<{ readonly key: string, readonly text: string | null, readonly number: number | null }> | null }> | null, readonly properties: ReadonlyArray<{ readonly key: string, readonly text: string | null, readonly number: number | null }> | null } | null, readonly lastName: { readonly result: CheckResult, readonly breakdown: ReadonlyArray<{ readonly name: string, readonly result: CheckResult, readonly properties: ReadonlyArray<{ readonly key: string, readonly text: string | null, readonly number: number | null }> | null }> | null, readonly properties: ReadonlyArray<{ readonly key: string, readonly text: string | null, readonly number: number | null }> | null } | null, readonly dateOfBirth: { readonly result: CheckResult, readonly breakdown: ReadonlyArray<{ readonly name: string, readonly result: CheckResult, readonly properties: ReadonlyArray<{ readonly key: string, readonly text: string | null, readonly number: number | null }> | null }> | null, readonly properties: ReadonlyArray<{ readonly key: string, readonly text: string | null, readonly number: number | null }> | null } | null, readonly gender: { readonly result: CheckResult, readonly breakdown: ReadonlyArray<{ readonly name: string, readonly result: CheckResult, readonly properties: ReadonlyArray<{ readonly key: string, readonly text: string | null, readonly number: number | null }> | null }> | null, readonly properties: ReadonlyArray<{ readonly key: string, readonly text: string | null, readonly number: number | null }> | null } | null, readonly nationality: { readonly result: CheckResult, readonly breakdown: ReadonlyArray<{ readonly name: string, readonly result: CheckResult, readonly properties: ReadonlyArray<{ readonly key: string, readonly text: string | null, readonly number: number | null }> | null }> | null, readonly properties: ReadonlyArray<{ readonly key: string, readonly text: string | null, readonly number: number | null }> | null } | null, readonly issuingCountry: { readonly result: CheckResult, readonly breakdown: ReadonlyArray<{ readonly name: string, readonly result: CheckResult, readonly properties: ReadonlyArray<{ readonly key: string, readonly text: string | null, readonly number: number | null }> | null }> | null, readonly properties: ReadonlyArray<{ readonly key: string, readonly text: string | null, readonly number: number | null }> | null } | null, readonly documentType: { readonly result: CheckResult, readonly breakdown: ReadonlyArray<{ readonly name: string, readonly result: CheckResult, readonly properties: ReadonlyArray<{ readonly key: string, readonly text: string | null, readonly number: number | null }> | null }> | null, readonly properties: ReadonlyArray<{ readonly key: string, readonly text: string | null, readonly number: number | null }> | null } | null } | null, readonly dataConsistency: { readonly result: CheckResult, readonly breakdown: ReadonlyArray<{ readonly name: string, readonly result: CheckResult, readonly properties: ReadonlyArray<{ readonly key: string, readonly text: string | null, readonly number: number | null }> | null }> | null, readonly properties: ReadonlyArray<{ readonly key: string, readonly text: string | null, readonly number: number | null }> | null } | null, readonly imageIntegrity: { readonly faceDetected: { readonly result: CheckResult, readonly breakdown: ReadonlyArray<{ readonly name: string, readonly result: CheckResult, readonly properties: ReadonlyArray<{ readonly key: string, readonly text: string | null, readonly number: number | null }> | null }> | null, readonly properties: ReadonlyArray<{ readonly key: string, readonly text: string | null, readonly number: number | null }> | null } | null, readonly imageQuality: { readonly result: CheckResult, readonly breakdown: ReadonlyArray<{ readonly name: string, readonly result: CheckResult, readonly properties: ReadonlyArray<{ readonly key: string, readonly text: string | null, readonly number: number | null }> | null }> | null, readonly properties: ReadonlyArray<{ readonly key: string, readonly text: string | null, readonly number: number | null }> | null } | null, readonly supportedDocument: { readonly result: CheckResult, readonly breakdown: ReadonlyArray<{ readonly name: string, readonly result: CheckResult, readonly properties: ReadonlyArray<{ readonly key: string, readonly text: string | null, readonly number: number | null }> | null }> | null, readonly properties: ReadonlyArray<{ readonly key: string, readonly text: string | null, readonly number: number | null }> | null } | null } | null, readonly faceComparison: { readonly faceMatch: { readonly result: CheckResult, readonly breakdown: ReadonlyArray<{ readonly name: string, readonly result: CheckResult, readonly properties: ReadonlyArray<{ readonly key: string, readonly text: string | null, readonly number: number | null }> | null }> | null, readonly properties: ReadonlyArray<{ readonly key: string, readonly text: string | null, readonly number: number | null }> | null } | null } | null, readonly barcodes: { readonly result: CheckResult, readonly breakdown: ReadonlyArray<{ readonly name: string, readonly result: CheckResult, readonly properties: ReadonlyArray<{ readonly key: string, readonly text: string | null, readonly number: number | null }> | null }> | null, readonly properties: ReadonlyArray<{ readonly key: string, readonly text: string | null, readonly number: number | null }> | null } | null, readonly liveness: { readonly result: CheckResult, readonly breakdown: ReadonlyArray<{ readonly name: string, readonly result: CheckResult, readonly properties: ReadonlyArray<{ readonly key: string, readonly text: string | null, readonly number: number | null }> | null }> | null, readonly properties: ReadonlyArray<{ readonly key: string, readonly text: string | null, readonly number: number | null }> | null } | null, readonly duplicates: { readonly result: CheckResult, readonly breakdown: ReadonlyArray<{ readonly name: string, readonly result: CheckResult, readonly properties: ReadonlyArray<{ readonly key: string, readonly text: string | null, readonly number: number | null }> | null }> | null, readonly properties: ReadonlyArray<{ readonly key: string, readonly text: string | null, readonly number: number | null }> | null } | null } | null } | null };

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
