import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import type { ImageConfig } from './build-image.ts'

/**
 * A shell script that runs a command in a sandbox like that of a container engine with the options --read-only --cap-drop ALL
 * --security-opt no-new-privileges. The command uses the network of the host.
 */
const SANDBOX = `set -e
root=$1; shift
mount --make-rprivate /
mount --bind "$root" "$root"
mount -o remount,bind,ro "$root"
mount -t proc proc "$root/proc"
mount --rbind /dev "$root/dev"
mount -t tmpfs -o mode=1777 tmpfs "$root/tmp"
while [ "$1" != -- ]; do mount --bind "$2" "$root$1"; shift 2; done
shift
exec chroot "$root" /usr/bin/setpriv --reuid 1000 --regid 1000 --clear-groups --bounding-set=-all --inh-caps=-all --no-new-privs "$@"`

/** An image that is ready to run. `folder`: the mounted image. `volumes`: host folders by their path in the container. */
export interface Container {
  folder: string
  config: ImageConfig
  volumes: Record<string, string>
}

function sandboxed({ folder, config, volumes }: Container, command: string[], env: Record<string, string>): string[] {
  const variables = [...config.Env, ...Object.entries(env).map(([name, value]) => `${name}=${value}`)]
  const inside = `cd ${config.WorkingDir} && exec "$@"`
  const sandbox = ['--mount', '--pid', '--fork', '--kill-child', 'sh', '-c', SANDBOX, 'sh', folder]
  const program = ['/usr/bin/env', '-i', ...variables, 'sh', '-c', inside, 'sh', ...command]
  return [...sandbox, ...Object.entries(volumes).flat(), '--', ...program]
}

/**
 * Runs a command in a container and waits for its end. Returns its output. Throws if the command fails; the error contains the
 * output.
 */
export function runCommand(container: Container, command: string[], env: Record<string, string> = {}): string {
  return execFileSync('unshare', sandboxed(container, command, env), {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  })
}

/** A server that runs in a container. */
export interface ContainerServer {
  /** Returns the output of the server so far. */
  output: () => string
  exited: () => boolean
  /** Sends SIGTERM to the first process of the container, waits for its end, and returns its exit code. */
  stop: () => Promise<number | null>
}

/** Starts the default command of the image in a container, with additional environment variables. */
export function startContainer(container: Container, env: Record<string, string>): ContainerServer {
  const child: ChildProcess = spawn('unshare', sandboxed(container, container.config.Cmd, env), {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let printed = ''
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk: Buffer) => {
      printed += chunk.toString()
    })
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve))
  return {
    output: () => printed,
    exited: () => child.exitCode !== null,
    stop: async () => {
      if (child.exitCode !== null) return child.exitCode
      const first = readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8').trim()
      process.kill(Number(first), 'SIGTERM')
      return ended
    },
  }
}
