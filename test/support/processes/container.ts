import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { captureOutput, type RunningProcess } from './platform-process.ts'
import { runsHere } from './runs-here.ts'

const project = new URL('../../../', import.meta.url).pathname

/** Options of a container besides the image. */
export interface ContainerOptions {
  /** Command, after the image's name. */
  readonly command: readonly string[]
  /** Overrides the environment of the image. */
  readonly environment: Readonly<Record<string, string | undefined>>
  /** An empty local folder as its root. */
  readonly root: string
  /** Local files and folders by their path in the container: volumes, secrets, /etc/hosts */
  readonly mounts: ReadonlyMap<string, string>
}

const pathOfDebian = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'

/** The parts of the image that its processes use: environment and health check. */
export const image = ((): { readonly environment: Readonly<Record<string, string>>; readonly healthCheck: readonly string[] } => {
  const lines = readFileSync(`${project}deploy/Containerfile`, 'utf8')
  const [, environment = ''] = /^ENV (.*)$/m.exec(lines) ?? []
  const [, healthCommand = '[]'] = /^HEALTHCHECK .*CMD (\[.*\])$/m.exec(lines) ?? []
  return {
    environment: Object.fromEntries(
      environment
        .replace('$PATH', pathOfDebian)
        .split(' ')
        .map((each) => each.split('=') as [string, string]),
    ),
    healthCheck: JSON.parse(healthCommand) as string[],
  }
})()

/**
 * A container of the compose file without Docker: a read-only root with /app as in the image, /tmp and /data in memory, a user
 * without capabilities. It shares the machine's network.
 */
const enter = `set -e
root=$1 app=$2 mounts=$3
shift 3
mount -t tmpfs -o mode=0755 image "$root"
cd "$root"
mkdir app usr etc dev proc tmp data
ln -s usr/bin usr/lib usr/lib64 .
mount --bind "$app" app
mount --bind /usr usr
mount --bind /etc etc
mount --rbind /dev dev
mount --rbind /proc proc
mount -t tmpfs -o mode=1777 tmp tmp
mount -t tmpfs -o uid=10001,gid=10001,mode=0700 data data
for each in $mounts; do
  inside=".\${each%%=*}" outside="\${each#*=}"
  mkdir -p "$(dirname "$inside")"
  if [ -d "$outside" ]; then mkdir "$inside"; elif ! [ -e "$inside" ]; then touch "$inside"; fi
  mount --bind "$outside" "$inside"
done
for folder in app usr etc .; do mount -o remount,ro,bind "$folder"; done
exec chroot . setpriv --reuid=10001 --regid=10001 --clear-groups --inh-caps=-all --bounding-set=-all --no-new-privs "$@"`

/** Whether this machine permits such containers: root on Linux does. */
export const canContain = (): Promise<boolean> => runsHere('unshare', '--mount', 'mount', '-t', 'tmpfs', 'none', '/mnt')

/** Starts the compiled platform of this checkout like the image, without waiting. */
export function startContainer({ command, environment, root, mounts }: ContainerOptions): RunningProcess {
  const mounted = [...mounts].map(([inside, outside]) => `${inside}=${outside}`)
  const words = ['--mount', 'sh', '-c', enter, 'sh', root, project, mounted.join(' ')]
  const child = spawn('unshare', [...words, '/app/node_modules/.bin/node', '/app/dist/platform/main.js', ...command], {
    env: { ...image.environment, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  return captureOutput(command, child)
}
