/**
 * `npm run dev`: starts Vite and the server. Vite serves the web app with hot reload and proxies API calls to the server,
 * which restarts when one of its files changes.
 */
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { prepareNode } from './prepare/packages.mjs'
import { main, onOrphaned, programEnv, root, WITHOUT_COMPILE_CACHE } from './prepare/programs.mjs'

const HOST = '127.0.0.1'
const VITE_PORT = '5173'

await main(async () => {
  const node = await prepareNode()
  const vite = join(root, 'node_modules', 'vite', 'bin', 'vite.js')
  const port = process.env.PORT || '3000'
  // The browser connects to Vite only, so its address is the public address of the server.
  const env = {
    NODE_ENV: 'development',
    PORT: port,
    LECTERN_SERVER: `http://127.0.0.1:${port}`,
    PUBLIC_URL: `http://${HOST}:${VITE_PORT}`,
  }
  const options = { cwd: root, env: programEnv(env), stdio: 'inherit' }
  const children = [
    spawn(node, ['--watch', '--watch-preserve-output', 'server/main.ts'], options),
    spawn(node, [vite, '--configLoader', 'native', '--host', HOST, '--port', VITE_PORT, '--strictPort'], {
      ...options,
      env: { ...options.env, ...WITHOUT_COMPILE_CACHE },
    }),
  ]
  const stop = (signal) => {
    for (const child of children) child.kill(signal)
  }
  process.on('SIGTERM', () => stop('SIGTERM'))
  onOrphaned(() => stop('SIGTERM'))
  process.on('SIGINT', () => {
    if (!process.stdin.isTTY) stop('SIGINT')
  })
  const codes = children.map(
    (child) =>
      new Promise((done) => {
        child.on('exit', (code) => {
          stop('SIGTERM')
          done(code ?? 0)
        })
      }),
  )
  process.exitCode = Math.max(...(await Promise.all(codes)))
})
