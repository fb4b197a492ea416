import { defineConfig, loadEnv } from 'vite'

/** Gateway and backend are behind the page's own address, so that neither CORS nor another origin is needed. */
export default defineConfig(({ mode }) => {
  const { GATEWAY = 'http://127.0.0.1:4000', BACKEND = 'http://127.0.0.1:8080' } = loadEnv(mode, import.meta.dirname, [
    'GATEWAY',
    'BACKEND',
  ])
  const proxy = { '/graphql': { target: GATEWAY, ws: true }, '/verifications': { target: BACKEND } }
  return { root: import.meta.dirname, server: { proxy }, preview: { proxy } }
})
