import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { captureOutput, type RunningProcess } from './platform-process.ts'
import { runsHere } from './runs-here.ts'

const project = new URL('../../../', import.meta.url).pathname

/** What a container is given besides the image. */
export interface ContainerOptions {
  /** words after the image's name */
  readonly command: readonly string[]
  /** over that of the image */
  readonly environment: Readonly<Record<string, string | undefined>>
  /** an empty folder of this machine for its root */
  readonly root: string
  /** files and folders of this machine by where they are in it: volumes, secrets, /etc/hosts */
  readonly mounts: ReadonlyMap<string, string>
}

const pathOfDebian = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'

/** The image as far as its processes see it: what it begins with, and how it is asked for its health. */
export const image = ((): { readonly environment: Readonly<Record<string, string>>; readonly healthCheck: readonly string[] } => {
  const lines = readFileSync(`${project}deploy/Containerfile`, 'utf8')
  const [, environment = ''] = /^ENV (.*)$/m.exec(lines) ?? []
  const [, healthCommand = '[]'] = /^HEALTHCHECK.*\\\n\s+CMD (\[.*\])$/m.exec(lines) ?? []
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
 * What a container of the compose file is, by hand: a root that cannot be written, with /app as the image has it, /tmp and /data in memory, a user
 * without any right. The network is the machine's.
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

/** Whether this machine lets us make such containers: root on Linux does. */
export const canContain = (): Promise<boolean> => runsHere('unshare', '--mount', 'mount', '-t', 'tmpfs', 'none', '/mnt')

/** Starts the compiled platform of this checkout as the image does, without waiting for anything. */
export function startContainer({ command, environment, root, mounts }: ContainerOptions): RunningProcess {
  const mounted = [...mounts].map(([inside, outside]) => `${inside}=${outside}`)
  const words = ['--mount', 'sh', '-c', enter, 'sh', root, project, mounted.join(' ')]
  const child = spawn('unshare', [...words, '/app/node_modules/.bin/node', '/app/dist/platform/main.js', ...command], {
    env: { ...image.environment, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  return captureOutput(command, child)
}
