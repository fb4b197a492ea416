import type { Config } from '../foundation/config/config.ts'
import type { ComponentName } from '../foundation/process/build-info.ts'
import { consolePage } from '../web/console/page.ts'
import { explorerPage } from '../web/explorer/page.ts'
import { offlineWorkerFile, readerPage } from '../web/reader/page.ts'
import { signInPage } from '../web/sign-in/page.ts'
import { type ListedOperation, verificationPage } from '../web/verification/page.ts'
import { administrationRoutes, loginRoute } from './administration/routes.ts'
import { classificationRoutes } from './classification/routes.ts'
import { contentRoutes, nodePdfRoute } from './content/routes.ts'
import { type DevelopmentCredentials, describingRoutes } from './documentation/describing-routes.ts'
import { realtimeDocumentRoute } from './exploration/realtime/asyncapi.ts'
import { explorationRoutes } from './exploration/routes.ts'
import { documentedPath } from './route/endpoint.ts'
import { builtPageRoutes, eachFileOnce, pageParts, sharedPageRoutes } from './route/page-routes.ts'
import type { Route } from './route/route.ts'
import { erasureCertificateRoute } from './verification/erasure-certificate-route.ts'
import { reviewImageRoute } from './verification/review-image-route.ts'
import { queueMetricsRoute, verificationRoutes } from './verification/routes.ts'

/** The settings that routes depend on. */
export type RouteSettings = Pick<Config, 'limits' | 'verification' | 'exploration' | 'identity' | 'restPublicUrls' | 'consoleIdleMinutes'>

/**
 * Every route of a component: its operations, and what describes them.
 * @param trial - where the whole graph stands behind the listener: `/docs` signs administrators in, and the console shows what it asks other components for
 */
export function routesOf(component: ComponentName, settings: RouteSettings, trial?: DevelopmentCredentials): readonly Route[] {
  const operations = operationsOf(component, settings)
  const signIn = { ...loginRoute('/docs/login'), partOfPage: true } as const
  // files of other components at the console's own address
  const files =
    component === 'administration'
      ? [reviewImageRoute(), erasureCertificateRoute(), nodePdfRoute()].map((route) => ({ ...route, partOfPage: true }) as const)
      : []
  const ofWholeGraph = trial === undefined ? [] : [signIn, ...files]
  return eachFileOnce([...operations, ...describingRoutes(component, operations, trial), ...sharedPageRoutes(), ...ofWholeGraph])
}

function operationsOf(
  component: ComponentName,
  { limits, verification, exploration, identity, restPublicUrls, consoleIdleMinutes }: RouteSettings,
): readonly Route[] {
  switch (component) {
    case 'verification': {
      const { bodyBytes, batchBodyBytes } = limits
      const operations = [
        ...verificationRoutes({ maxBatchJobs: verification.maxBatchJobs, bodyBytes, batchBodyBytes }),
        queueMetricsRoute(),
        reviewImageRoute(),
        erasureCertificateRoute(),
      ]
      return [...builtPageRoutes(verificationPage(operations.map(listed))), ...operations]
    }
    case 'exploration':
      return [
        ...builtPageRoutes(explorerPage(exploration, restPublicUrls.classification), true),
        ...explorationRoutes(realtimeDocumentRoute()),
      ]
    case 'classification':
      return classificationRoutes()
    case 'administration':
      return [
        ...builtPageRoutes(consolePage(identity, consoleIdleMinutes), true),
        ...(identity.issuerUrl === undefined
          ? builtPageRoutes(signInPage()).map((route) => ({ ...route, partOfPage: true as const }))
          : []),
        ...administrationRoutes(),
      ]
    case 'content': {
      const reader = readerPage()
      return [...builtPageRoutes(reader, true), ...contentRoutes(limits), ...pageParts([offlineWorkerFile(reader)])]
    }
  }
}

function listed({ method, path, summary, caller }: Route): ListedOperation {
  return {
    method,
    path: documentedPath(path),
    summary,
    isShown: method === 'GET' && caller === 'anyone' && !path.includes(':'),
    needsKey: caller === 'service',
  }
}
