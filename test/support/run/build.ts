import { execFileSync } from 'node:child_process'

/** Before the first test: compiles the platform once for all projects of a run, because journeys run the compiled platform. */
export function setup(): void {
  if (process.env.PLATFORM_IS_COMPILED !== undefined) return
  const project = new URL('../../../', import.meta.url)
  // the pages as built for users
  const env = { ...process.env, NODE_ENV: 'production' }
  for (const step of [['node_modules/typescript/bin/tsc', '-p', 'tsconfig.build.json'], ['web/build.ts']])
    execFileSync(process.execPath, step, { cwd: project, stdio: 'inherit', env })
  process.env.PLATFORM_IS_COMPILED = 'yes'
}
