import { ArgsType, Field, Int, ObjectType } from 'type-graphql'
import { renamed } from '../validation/renamed.ts'
import { deprecated } from './deprecated.ts'
import { SafeInt } from './scalars.ts'

/** A position in an event feed: a whole number up to 2^53 - 1, which an Int cannot represent. */
const positionType = (): typeof SafeInt => SafeInt

/** The positions of an object in a feed, of which `seq` is the former one. */
@ObjectType()
export abstract class FeedPosition {
  @Field(positionType, { description: 'Position in the feed, for `afterPosition`.' })
  position!: number
  @Field(() => Int, {
    description: 'Former name of `position`; selecting it fails for positions above 2,147,483,647.',
    ...deprecated('position'),
  })
  seq(): number {
    return this.position
  }
}

/** An event as its resolver returns it. */
export type PositionedEvent<Event extends FeedPosition> = Omit<Event, 'seq'>

/** The start of a subscription. */
@ArgsType()
export class PositionArguments {
  @Field(positionType, {
    nullable: true,
    description: 'Emits the events after this `position`; without it, only events from now on.',
  })
  afterPosition?: number | null
  @Field(() => Int, { nullable: true, description: 'Former name of `afterPosition`.', ...deprecated('afterPosition') })
  after?: number | null
}

/** Returns the position after which a subscription starts; undefined: now. @throws {InvalidInput} if it is given under both names */
export function startOf({ afterPosition, after }: Readonly<Record<string, unknown>>): number | undefined {
  const { value } = renamed({ afterPosition, after }, 'afterPosition', 'after')
  return typeof value === 'number' ? value : undefined
}
