import { Field, InputType, Int, ObjectType } from 'type-graphql'
import { Administrator } from './administrator.type.ts'

@InputType({ description: 'Credentials of an administrator.' })
export class LoginInput {
  @Field(() => String, { description: 'E-mail address.' })
  email!: string
  @Field(() => String, { description: 'Password.' })
  password!: string
}

@InputType({ description: 'The session to refresh.' })
export class RefreshSessionInput {
  @Field(() => String, { description: 'The refresh token; it becomes invalid.' })
  refreshToken!: string
}

@InputType({ description: 'The session to end.' })
export class LogoutInput {
  @Field(() => String, { description: 'Refresh token of the session.' })
  refreshToken!: string
}

@ObjectType({ description: 'Result of `login` and `refreshSession`: the tokens of an administrator (RFC 6749).' })
export class SessionPayload {
  @Field(() => String, { description: 'Access token for the header `Authorization: Bearer …`.' })
  accessToken!: string
  @Field(() => String, { description: 'Type of the access token: Bearer.' })
  tokenType!: string
  @Field(() => Int, { description: 'Seconds until the access token expires.' })
  expiresIn!: number
  @Field(() => String, { description: 'Refresh token; can be exchanged once for a new session.' })
  refreshToken!: string
  @Field(() => Int, { description: 'Seconds until the refresh token expires; 0 when it has no expiry.' })
  refreshExpiresIn!: number
  @Field(() => String, { description: 'Granted scopes, separated by spaces.' })
  scope!: string
  @Field(() => Administrator, { description: 'The administrator who is signed in.' })
  administrator!: Administrator
}

@ObjectType({ description: 'Result of `logout`.' })
export class LogoutPayload {
  @Field(() => Boolean, { description: 'Always true: the session was ended, or did not exist.' })
  ended!: boolean
}
