/**
 * The environment of this process; no other module reads `process.env`. `platform/main.ts` parses the settings from it once, the gateway writes the
 * variable that disables reporting to Apollo, its package reads `NODE_ENV` as Apollo Server does, and the demonstration passes it on to the platform that it starts.
 */
export const environment: NodeJS.ProcessEnv = process.env
