/** What was thrown, as an error that can be shown. */
export const errorOf = (thrown: unknown): Error => (thrown instanceof Error ? thrown : new Error(String(thrown)))
