import type { AccountsQuery } from '@civigraph/client/documents'

export type Account = NonNullable<AccountsQuery['accounts']>['nodes'][number]
