import { FieldResolver, Int, Resolver, Root } from 'type-graphql'
import { type AuthorisationRule, Authorise } from './authorisation.ts'

/** A page of a list that can be counted. */
export interface Counted {
  /** for totalCount, which is counted only when somebody asks */
  readonly count: () => Promise<number>
}

const open: MethodDecorator = () => undefined

/** The resolver of `totalCount` on a type of connections. @param rules - who may know it; everybody, without any */
export function totalCountOf(connection: new () => Counted, rules: readonly AuthorisationRule[]): object {
  @Resolver(() => connection)
  class TotalCountResolver {
    @FieldResolver(() => Int, { description: 'Number of nodes in the whole list; counted only when this field is selected.' })
    @(rules.length === 0 ? open : Authorise(...rules))
    totalCount(@Root() { count }: Counted): Promise<number> {
      return count()
    }
  }
  return new TotalCountResolver()
}
