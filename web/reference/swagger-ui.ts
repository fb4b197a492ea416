/** As much of Swagger UI as this page uses: it comes as a bundle of its own, in a script before this one, without types. */
export interface SwaggerUi {
  preauthorizeApiKey(scheme: string, value: string): void
  readonly authActions: { logout(schemes: readonly string[]): void }
}

type Component = (props: { readonly text: string; readonly contentType?: string }) => unknown
interface System {
  readonly React: { createElement(type: string | Component, props: object, text?: string): unknown }
}

/** Components that stand in for those of Swagger UI. @param original - which one stands there without it */
export interface SwaggerPlugin {
  readonly wrapComponents: Readonly<Record<string, (original: Component, system: System) => Component>>
}

interface Bundle {
  SwaggerUIBundle(options: Readonly<Record<string, unknown>> & { readonly plugins: readonly (() => SwaggerPlugin)[] }): SwaggerUi
}

export const { SwaggerUIBundle } = globalThis as unknown as Bundle
