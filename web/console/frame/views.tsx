import { Redirect, Route, Switch } from 'wouter'
import { lazyComponent } from '../../shared/frame/lazy-component.tsx'

// each view is a separate script, loaded when it is first opened
const OverviewPage = lazyComponent(async () => (await import('../overview/overview-page.tsx')).OverviewPage)
const ReviewPage = lazyComponent(async () => (await import('../review/review-page.tsx')).ReviewPage)
const SearchPage = lazyComponent(async () => (await import('../search/search-page.tsx')).SearchPage)
const VerificationsPage = lazyComponent(async () => (await import('../verification/verifications-page.tsx')).VerificationsPage)
const VerificationPage = lazyComponent(async () => (await import('../verification/verification-page.tsx')).VerificationPage)
const CallbacksPage = lazyComponent(async () => (await import('../verification/callbacks-page.tsx')).CallbacksPage)
const CitizensPage = lazyComponent(async () => (await import('../citizens/citizens-page.tsx')).CitizensPage)
const CitizenPage = lazyComponent(async () => (await import('../citizens/citizen-page.tsx')).CitizenPage)
const ErasurePage = lazyComponent(async () => (await import('../citizens/erasure-page.tsx')).ErasurePage)
const DeadLettersPage = lazyComponent(async () => (await import('../expressions/dead-letters-page.tsx')).DeadLettersPage)
const ModerationPage = lazyComponent(async () => (await import('../expressions/moderation-page.tsx')).ModerationPage)
const ExpressionsPage = lazyComponent(async () => (await import('../expressions/expressions-page.tsx')).ExpressionsPage)
const TaxonomyPage = lazyComponent(async () => (await import('../taxonomy/taxonomy-page.tsx')).TaxonomyPage)
const ImportPage = lazyComponent(async () => (await import('../delegations/import-page.tsx')).ImportPage)
const DelegationsPage = lazyComponent(async () => (await import('../delegations/delegations-page.tsx')).DelegationsPage)
const SimulationsPage = lazyComponent(async () => (await import('../simulations/simulations-page.tsx')).SimulationsPage)
const ContentPage = lazyComponent(async () => (await import('../content/content-page.tsx')).ContentPage)
const AccountsPage = lazyComponent(async () => (await import('../access/accounts-page.tsx')).AccountsPage)
const ServiceKeysPage = lazyComponent(async () => (await import('../access/service-keys-page.tsx')).ServiceKeysPage)
const AuditPage = lazyComponent(async () => (await import('../audit/audit-page.tsx')).AuditPage)

/** Returns the view that the address names. */
export function Views() {
  return (
    <Switch>
      <Route path="/" component={OverviewPage} />
      <Route path="/review/:jobId?">
        {({ jobId }) => <ReviewPage jobId={jobId === 'late' ? undefined : jobId && plainText(jobId)} isLate={jobId === 'late'} />}
      </Route>
      <Route path="/search/:text?">{({ text }) => <SearchPage text={text === undefined ? '' : plainText(text)} />}</Route>
      <Route path="/verifications" component={VerificationsPage} />
      <Route path="/verifications/:jobId">{({ jobId }) => <VerificationPage jobId={plainText(jobId)} />}</Route>
      <Route path="/callbacks/:state?">{({ state }) => <CallbacksPage key={state} state={state} />}</Route>
      <Route path="/citizens" component={CitizensPage} />
      <Route path="/citizens/:code">{({ code }) => <CitizenPage code={plainText(code)} />}</Route>
      <Route path="/erasures/:id">{({ id }) => <ErasurePage id={plainText(id)} />}</Route>
      <Route path="/expressions/dead-letters" component={DeadLettersPage} />
      <Route path="/expressions/moderation" component={ModerationPage} />
      <Route path="/expressions/taxonomy" component={TaxonomyPage} />
      <Route path="/expressions" component={ExpressionsPage} />
      <Route path="/delegations/import" component={ImportPage} />
      <Route path="/delegations/simulations" component={SimulationsPage} />
      <Route path="/delegations" component={DelegationsPage} />
      <Route path="/content/:tenant?/:id?">{({ tenant, id }) => <ContentPage tenant={tenant} id={id} />}</Route>
      <Route path="/accounts" component={AccountsPage} />
      <Route path="/keys/ending">{() => <ServiceKeysPage key="ending" isEnding />}</Route>
      <Route path="/keys">{() => <ServiceKeysPage key="all" />}</Route>
      <Route path="/audit" component={AuditPage} />
      <Route>
        <Redirect to="/" />
      </Route>
    </Switch>
  )
}

/** Decodes a part of the address; returns it unchanged where its encoding is broken. */
function plainText(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}
