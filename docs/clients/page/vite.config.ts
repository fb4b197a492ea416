import { defineConfig } from 'vite'

/** The gateway is behind the page's own address, so that neither CORS nor another origin is needed: `GATEWAY=… npx vite docs/clients/page`. */
const proxy = { '/graphql': { target: process.env.GATEWAY ?? 'http://127.0.0.1:4000', ws: true } }

export default defineConfig({
  root: import.meta.dirname,
  // in a project of yours, which has installed the package, this line is not needed
  resolve: { tsconfigPaths: true },
  server: { proxy },
  preview: { proxy },
})
