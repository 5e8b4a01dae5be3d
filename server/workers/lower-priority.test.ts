import { readFile, readdir } from 'node:fs/promises'
import { Worker } from 'node:worker_threads'
import { expect, test } from 'vitest'

const NICE = 16

/** Returns the nice values of the threads of this process. */
async function niceValues(): Promise<number[]> {
  const stats = (await readdir('/proc/self/task')).map((id) => readFile(`/proc/self/task/${id}/stat`, 'utf8'))
  return (await Promise.all(stats)).map((stat) => Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[NICE]))
}

test.runIf(process.platform === 'linux')(
  'lowerPriority changes the priority of its worker thread and of no other thread',
  async () => {
    const before = await niceValues()
    const source = `import { lowerPriority } from '${new URL('./lower-priority.ts', import.meta.url).href}'
      import { parentPort } from 'node:worker_threads'
      lowerPriority()
      parentPort.on('message', () => process.exit())
      parentPort.postMessage('ready')`
    const worker = new Worker(new URL(`data:text/javascript,${encodeURIComponent(source)}`))
    await new Promise((resume) => worker.once('message', resume))
    const after = await niceValues()
    worker.postMessage('end')
    const usual = Math.min(...before)
    expect(after.filter((nice) => nice > usual)).toEqual([usual + 5])
  },
)
