/**
 * The environment of this process: nobody else looks at it. The settings are parsed out of it once, by `platform/main.ts`; the gateway
 * writes into it that nothing may be reported to Apollo; the demonstration, a program of its own, hands it on to the platform that it starts.
 */
export const environment: NodeJS.ProcessEnv = process.env
