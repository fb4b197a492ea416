import { FieldResolver, Int, Resolver, Root } from 'type-graphql'
import { type AuthorisationRule, Authorise } from './authorisation.ts'

/** A page of a list that can be counted. */
export interface CountablePage {
  /** counts for `totalCount`; called only if the field is requested */
  readonly count: () => Promise<number>
}

const open: MethodDecorator = () => undefined

/** Creates the resolver of `totalCount` for a connection type. @param rules - who may read it; empty: all callers */
export function totalCountOf(connection: new () => CountablePage, rules: readonly AuthorisationRule[]): object {
  @Resolver(() => connection)
  class TotalCountResolver {
    @FieldResolver(() => Int, { description: 'Number of nodes in the whole list; counted only when this field is selected.' })
    @(rules.length === 0 ? open : Authorise(...rules))
    totalCount(@Root() { count }: CountablePage): Promise<number> {
      return count()
    }
  }
  return new TotalCountResolver()
}
