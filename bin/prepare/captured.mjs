/** Runs programs and captures their output. */
import { spawn } from 'node:child_process'
import { programEnv, root, say } from './programs.mjs'

const running = new Set()

/**
 * Runs a program and resolves with its exit code and its output (stdout and stderr together). Kills the program and its child
 * processes after `silenceMs` milliseconds without output; `killed` is then true. With `isShown`, also writes the output to
 * stdout immediately.
 * @returns {Promise<{ code: number, output: string, killed: boolean }>}
 */
export function capture(program, args, { env = {}, silenceMs, isShown = false }) {
  return new Promise((done) => {
    const child = spawn(program, args, {
      cwd: root,
      env: programEnv({ NO_COLOR: '1', ...env }),
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    })
    running.add(child)
    let output = ''
    let killed = false
    const timer = setTimeout(() => {
      killed = true
      output += `\nKilled after ${silenceMs / 60_000} minutes without output.`
      endGroup(child)
    }, silenceMs)
    const read = (chunk) => {
      output += chunk
      if (isShown) process.stdout.write(chunk)
      timer.refresh()
    }
    child.stdout.on('data', read)
    child.stderr.on('data', read)
    child.on('error', (error) => (output += `${program}: ${error.message}`))
    child.on('close', (code) => {
      clearTimeout(timer)
      running.delete(child)
      done({ code: code ?? 1, output, killed })
    })
  })
}

/** Kills all programs that `capture` has started and that still run. */
export function endCaptured() {
  for (const child of running) endGroup(child)
}

function endGroup(child) {
  try {
    process.kill(-child.pid, 'SIGKILL')
  } catch (error) {
    if (error.code !== 'ESRCH') say(String(error))
  }
}
