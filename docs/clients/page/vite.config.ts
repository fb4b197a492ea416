import { defineConfig, loadEnv } from 'vite'

/** The gateway is behind the page's own address, so that neither CORS nor another origin is needed: `GATEWAY=… npx vite docs/clients/page`. */
export default defineConfig(({ mode }) => {
  const { GATEWAY: target = 'http://127.0.0.1:4000' } = loadEnv(mode, import.meta.dirname, 'GATEWAY')
  const proxy = { '/graphql': { target, ws: true } }
  return {
    root: import.meta.dirname,
    // not needed in a project that has installed the package
    resolve: { tsconfigPaths: true },
    server: { proxy },
    preview: { proxy },
  }
})
