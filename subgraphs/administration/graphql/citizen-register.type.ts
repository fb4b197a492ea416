import { Field, ID, InputType, Int, ObjectType } from 'type-graphql'
import { Authorise } from '../../../foundation/graphql/authorisation.ts'
import { PageInfo } from '../../../foundation/graphql/connection.ts'
import { registerEnum } from '../../../foundation/graphql/enum-type.ts'
import { DateScalar, DateTime } from '../../../foundation/graphql/scalars.ts'
import type { CountablePage } from '../../../foundation/graphql/total-count.ts'
import type { OutcomeRow, Registration } from '../register/find-citizens.ts'
import { administrators } from '../roles.ts'
import type { CitizenStatus } from '../tables.ts'
import { AdministeredCitizen, Group } from './delegation.type.ts'

enum CitizenStatusName {
  UNVERIFIED = 'unverified',
  PENDING_REVIEW = 'pending_review',
  VERIFIED = 'verified',
  REJECTED = 'rejected',
  EXPIRED = 'expired',
}
registerEnum(CitizenStatusName, {
  name: 'CitizenStatus',
  description: 'Verification status of a citizen, from the latest decision.',
  values: {
    UNVERIFIED: 'No verification has an outcome.',
    PENDING_REVIEW: 'A reviewer must decide, and there is no earlier decision.',
    VERIFIED: 'The identity is verified, and the document is valid.',
    REJECTED: 'The identity was rejected.',
    EXPIRED: 'The identity was verified with a document that has expired since.',
  },
})

enum CitizenOutcomeName {
  VERIFIED = 'verified',
  PENDING_REVIEW = 'pending_review',
  REJECTED = 'rejected',
  ERROR = 'error',
}
registerEnum(CitizenOutcomeName, {
  name: 'CitizenOutcomeKind',
  description: 'Outcome of a verification in the register.',
  values: {
    VERIFIED: 'The identity is verified.',
    PENDING_REVIEW: 'A reviewer must decide.',
    REJECTED: 'The identity is rejected.',
    ERROR: 'The verification could not be performed.',
  },
})

@Authorise(...administrators)
@ObjectType({ description: 'The outcome of one verification of a citizen.' })
export class CitizenOutcome {
  @Field(() => ID, { description: 'Id of the verification job.' })
  jobId!: string
  @Field(() => CitizenOutcomeName, { description: 'The outcome.' })
  outcome!: OutcomeRow['outcome']
  @Field(() => DateTime, { description: 'Time of the outcome.' })
  at!: Date
  @Field(() => DateScalar, {
    nullable: true,
    description: 'Last day on which the document is valid; null unless it was verified and read.',
  })
  expiresOn!: string | null
}

@Authorise(...administrators)
@ObjectType({ description: 'An edge of `CitizenOutcomeConnection`: the outcome of one verification and its cursor.' })
export class CitizenOutcomeEdge {
  @Field(() => String, { description: 'Cursor of the outcome.' })
  cursor!: string
  @Field(() => CitizenOutcome, { description: 'The outcome.' })
  node!: CitizenOutcome
}

@Authorise(...administrators)
@ObjectType({ description: 'A page of outcomes of a citizen’s verifications.' })
export class CitizenOutcomeConnection implements CountablePage {
  @Field(() => [CitizenOutcomeEdge], { description: 'The outcomes of the page with their cursors.' })
  edges!: readonly CitizenOutcomeEdge[]
  @Field(() => [CitizenOutcome], { description: 'The outcomes of the page.' })
  nodes!: readonly CitizenOutcome[]
  @Field(() => PageInfo, { description: 'Position of the page in the list.' })
  pageInfo!: PageInfo
  count!: () => Promise<number>
}

@Authorise(...administrators)
@ObjectType({
  description:
    'The entry of a citizen in the register. It follows the outcomes of verifications within seconds; a GROUP_ADMIN sees the delegations of their groups only.',
})
export class CitizenRegistration {
  /** for `outcomes` */
  code!: string
  @Field(() => CitizenStatusName, { description: 'Verification status.' })
  status!: CitizenStatus
  @Field(() => DateTime, { nullable: true, description: 'Time of the verification that set the status; null for UNVERIFIED.' })
  statusAt!: Date | null
  @Field(() => DateScalar, { nullable: true, description: 'Last day on which the verified document is valid; null when it was not read.' })
  expiresOn!: string | null
  @Field(() => DateTime, { nullable: true, description: 'Time at which the citizen was added to the register; null after an erasure.' })
  registeredAt!: Date | null
  @Field(() => DateTime, {
    nullable: true,
    description:
      'Time at which the citizen was erased; null otherwise. After an erasure the register contains only the pseudonym under which the citizen’s ended delegations are stored.',
  })
  erasedAt!: Date | null
  @Field(() => Int, { description: 'Number of active delegations that the citizen gives.' })
  activeDelegationsGiven!: number
  @Field(() => Int, { description: 'Number of active delegations that the citizen receives.' })
  activeDelegationsReceived!: number
  @Field(() => [Group], { description: 'Groups with delegations of the citizen that the caller administers, at most 100.' })
  groups!: readonly Group[]
}

@Authorise(...administrators)
@ObjectType({ description: 'An edge of `CitizenConnection`: a citizen and its cursor.' })
export class CitizenEdge {
  @Field(() => String, { description: 'Cursor of the citizen.' })
  cursor!: string
  @Field(() => AdministeredCitizen, { description: 'The citizen.' })
  node!: AdministeredCitizen
}

@Authorise(...administrators)
@ObjectType({ description: 'A page of citizens.' })
export class CitizenConnection implements CountablePage {
  @Field(() => [CitizenEdge], { description: 'The citizens of the page with their cursors.' })
  edges!: readonly CitizenEdge[]
  @Field(() => [AdministeredCitizen], { description: 'The citizens of the page.' })
  nodes!: readonly AdministeredCitizen[]
  @Field(() => PageInfo, { description: 'Position of the page in the list.' })
  pageInfo!: PageInfo
  count!: () => Promise<number>
}

@InputType({ description: 'Filter for citizens; omitted fields do not restrict the list.' })
export class CitizenFilterInput {
  @Field(() => CitizenStatusName, { nullable: true, description: 'Returns only citizens with this verification status.' })
  status?: CitizenStatus | null
  @Field(() => ID, { nullable: true, description: 'Returns only citizens with delegations in this group.' })
  groupId?: string | null
  @Field(() => String, { nullable: true, description: 'Returns only citizens whose code begins with this text.' })
  codePrefix?: string | null
  @Field(() => Boolean, {
    nullable: true,
    description: 'true: returns only pseudonyms of erased citizens; false: returns only citizens who were not erased.',
  })
  isErased?: boolean | null
}

export function typeOfRegistration({
  verification,
  verifiedAt,
  activeGiven,
  activeReceived,
  groups,
  ...rest
}: Registration): CitizenRegistration {
  return {
    ...rest,
    status: verification,
    statusAt: verifiedAt,
    activeDelegationsGiven: activeGiven,
    activeDelegationsReceived: activeReceived,
    groups: groups.map((id) => ({ id })),
  }
}
