import { Field, InputType, Int, ObjectType } from 'type-graphql'
import { Administrator } from './administrator.type.ts'

@InputType({ description: 'Credentials of an administrator' })
export class LoginInput {
  @Field(() => String, { description: 'E-mail address' })
  email!: string
  @Field(() => String, { description: 'Password' })
  password!: string
}

@InputType({ description: 'A session to go on with' })
export class RefreshSessionInput {
  @Field(() => String, { description: 'The refresh token; it is used up by this' })
  refreshToken!: string
}

@InputType({ description: 'A session to end' })
export class LogoutInput {
  @Field(() => String, { description: 'The refresh token' })
  refreshToken!: string
}

@ObjectType({ description: 'Tokens of an administrator (RFC 6749)' })
export class SessionPayload {
  @Field(() => String, { description: 'Goes into `Authorization: Bearer …`' })
  accessToken!: string
  @Field(() => String, { description: 'Bearer' })
  tokenType!: string
  @Field(() => Int, { description: 'Seconds until the access token ends' })
  expiresIn!: number
  @Field(() => String, { description: 'Gives a new session, once' })
  refreshToken!: string
  @Field(() => Int, { description: 'Seconds until the refresh token ends; 0: not by itself' })
  refreshExpiresIn!: number
  @Field(() => String, { description: 'Granted scopes, separated by spaces' })
  scope!: string
  @Field(() => Administrator, { description: 'Whose session it is' })
  administrator!: Administrator
}

@ObjectType({ description: 'What became of a logout' })
export class LogoutPayload {
  @Field(() => Boolean, { description: 'Always true: the session is over, or there was none' })
  ended!: boolean
}
