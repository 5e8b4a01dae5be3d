/**
 * `npm run dev`: both sides with hot reload. Vite serves the web app and passes API calls on to the server, which starts
 * again whenever one of its files changes.
 */
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { main, prepareNode, programEnv, root } from './prepare.mjs'

await main(async () => {
  const node = await prepareNode()
  const vite = join(root, 'node_modules', 'vite', 'bin', 'vite.js')
  const options = { cwd: root, env: programEnv({ NODE_ENV: 'development' }), stdio: 'inherit' }
  const children = [
    spawn(node, ['--watch', '--watch-preserve-output', 'server/main.ts'], options),
    spawn(node, [vite, '--configLoader', 'native'], options),
  ]
  const stop = (signal) => {
    for (const child of children) child.kill(signal)
  }
  process.on('SIGTERM', () => stop('SIGTERM'))
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
